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
] as const
export type CounterName = (typeof COUNTERS)[number]

/** Makes the counters at the first start; several instances may do so at once. */
export async function prepareCounters() {
  const known = await SELECT.from(Counters).columns('name')
  const missing = COUNTERS.filter((name) => !known.some((row) => row.name === name))
  for (const name of missing) {
    await cds
      .tx(() => INSERT.into(Counters).entries({ name, next: 1 }))
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
  const row = await readAs<{ next: number }>(
    SELECT.one.from(Counters).columns('next').where({ name }),
  )
  return row!.next - count
}
