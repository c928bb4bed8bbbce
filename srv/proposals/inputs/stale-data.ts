// Demand or stock of a source that is too old to order by.
import cds from '@sap/cds'
import { settings } from '../../config.ts'
import { Sources, StreamStates } from '../../store/entities.ts'
import { today } from '../../store/today.ts'

const { SELECT } = cds.ql

const DAY_MS = 86_400_000

export interface StaleData {
  record: 'demand' | 'stock'
  /** The day of the newest of it, `YYYY-MM-DD`. */
  since: string
}

/** The older of a source's demand and stock where it is older than allowed; else null. */
export async function readStaleData(source: number): Promise<StaleData | null> {
  const demand = await SELECT.one.from(Sources).columns('dataAsOf').where({ ID: source })
  const stock = await SELECT.one
    .from(StreamStates)
    .columns('syncedAt')
    .where({ source_ID: source, record: 'stock' })
  const known: StaleData[] = []
  // Demand is complete up to the day before `dataAsOf`.
  if (demand?.dataAsOf) known.push({ record: 'demand', since: addDays(demand.dataAsOf, -1) })
  if (stock?.syncedAt) known.push({ record: 'stock', since: stock.syncedAt.slice(0, 10) })
  const [oldest] = known
    .filter(({ record, since }) => since < newestAllowed(record))
    .sort((a, b) => (a.since < b.since ? -1 : 1))
  return oldest ?? null
}

/** Demand of yesterday, as stock of today, is no day old. */
const newestAllowed = (record: StaleData['record']) =>
  addDays(today(), -settings().staleDataAfterDays - (record === 'demand' ? 1 : 0))

const addDays = (day: string, days: number) =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)
