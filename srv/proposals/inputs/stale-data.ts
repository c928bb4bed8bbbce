// Demand or stock of a source that is too old to order by.
import { addDays } from '../../../engine/proposal/index.ts'
import { Sources, StreamStates } from '../../store/entities.ts'
import { readLocalDays } from '../../store/local-days.ts'
import { isDemandOld, isTooOld } from '../../store/old-demand.ts'
import { dayIn } from '../../time-zone.ts'

export interface StaleData {
  record: 'demand' | 'stock'
  /** The day of the newest of it, `YYYY-MM-DD`. */
  since: string
}

/** The older of a source's demand and stock where it is older than allowed; else null. */
export async function readStaleData(source: number): Promise<StaleData | null> {
  const found = [await staleDemand(source), await staleStock(source)].filter(
    (each) => each !== null,
  )
  return found.sort((a, b) => (a.since < b.since ? -1 : 1))[0] ?? null
}

async function staleDemand(source: number): Promise<StaleData | null> {
  const row = await SELECT.one.from(Sources).columns('dataAsOf').where({ ID: source })
  const dataAsOf = row?.dataAsOf ?? null
  if (!(await isDemandOld(source, dataAsOf))) return null
  return { record: 'demand', since: addDays(dataAsOf!, -1) }
}

async function staleStock(source: number): Promise<StaleData | null> {
  const row = await SELECT.one
    .from(StreamStates)
    .columns('syncedAt')
    .where({ source_ID: source, record: 'stock' })
  if (!row?.syncedAt) return null
  const { zone, first: today } = await readLocalDays(source)
  const since = dayIn(zone, new Date(row.syncedAt))
  return isTooOld(since, today) ? { record: 'stock', since } : null
}
