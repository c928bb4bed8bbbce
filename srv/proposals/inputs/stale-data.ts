// Demand or stock of a source that is too old to order by.
import { type LocationContext, stepDaysOf } from '../../../engine/index.ts'
import { addDays } from '../../../engine/proposal/index.ts'
import { settings } from '../../config.ts'
import { Learnt, Sources, StreamStates } from '../../store/entities.ts'
import { today } from '../../store/today.ts'

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

/** Demand of yesterday is no day old: it is complete up to the day before `dataAsOf`. */
async function staleDemand(source: number): Promise<StaleData | null> {
  const row = await SELECT.one.from(Sources).columns('dataAsOf').where({ ID: source })
  const allowed = newestAllowed()
  if (!row?.dataAsOf || row.dataAsOf >= allowed) return null
  const wait = Math.ceil(await bookingDays(source)) - 1
  if (row.dataAsOf >= addDays(allowed, -wait)) return null
  return { record: 'demand', since: addDays(row.dataAsOf, -1) }
}

async function staleStock(source: number): Promise<StaleData | null> {
  const row = await SELECT.one
    .from(StreamStates)
    .columns('syncedAt')
    .where({ source_ID: source, record: 'stock' })
  const since = row?.syncedAt?.slice(0, 10)
  return since && since < newestAllowed() ? { record: 'stock', since } : null
}

const newestAllowed = () => addDays(today(), -settings().staleDataAfterDays)

/** Days from one booking of demand to the next: 1, or more where all locations book by week or month. */
async function bookingDays(source: number): Promise<number> {
  const row = await SELECT.one.from(Learnt).columns('contexts').where({ source_ID: source })
  const contexts = JSON.parse(row?.contexts ?? '[]') as [string, LocationContext][]
  if (!contexts.length) return 1
  return Math.min(...contexts.map(([, { posting }]) => stepDaysOf(posting ?? null)))
}
