import cds from '@sap/cds'
import { Counters, readAs } from './entities.ts'

const COUNTERS = [
  'series',
  'source',
  'sync',
  'read',
  'proposal',
  'exception',
  'event',
  'webhook',
  'exchangeRates',
  'leads',
  'plannedEvent',
  'forecastOverride',
  'forecastVersion',
  'handOver',
] as const
/** The first number of each counter. */
export const FIRST_NUMBER = 1
type CounterName = (typeof COUNTERS)[number]

/** Makes the counters at the first start; several instances may do so at once. */
export async function prepareCounters() {
  const known = await SELECT.from(Counters).columns('name')
  const missing = COUNTERS.filter((name) => !known.some((row) => row.name === name))
  for (const name of missing) {
    await cds
      .tx(() => INSERT.into(Counters).entries({ name, next: FIRST_NUMBER }))
      .catch(async (error: unknown) => {
        if (!(await SELECT.one.from(Counters).where({ name }))) throw error
      })
  }
}

/** The first of `count` numbers that belong to the caller alone. The counter's row is locked until commit. */
export async function takeNumbers(name: CounterName, count = 1): Promise<number> {
  await UPDATE.entity(Counters)
    .set({ next: { '+=': count } })
    .where({ name })
  return (await readCounter(name)) - count
}

/** The number that the next caller will get. */
export async function readCounter(name: CounterName): Promise<number> {
  const row = await readAs<{ next: number }>(
    SELECT.one.from(Counters).columns('next').where({ name }),
  )
  return row!.next
}
