import cds from '@sap/cds'

const { INSERT, SELECT, UPDATE } = cds.ql

const COUNTERS = ['series', 'source', 'sync', 'read', 'proposal', 'event', 'webhook'] as const
export type CounterName = (typeof COUNTERS)[number]

/** Makes the counters at the first start; several instances may do so at once. */
export async function prepareCounters() {
  const known = await SELECT.from('restock.Counters').columns('name')
  const missing = COUNTERS.filter(
    (name) => !known.some((row: { name: string }) => row.name === name),
  )
  for (const name of missing) {
    await cds
      .tx(() => INSERT.into('restock.Counters').entries({ name, next: 1 }))
      .catch(async (error) => {
        if (!(await SELECT.one.from('restock.Counters').where({ name }))) throw error
      })
  }
}

/** The first of `count` numbers that belong to the caller alone. The counter's row is locked until commit. */
export async function takeNumbers(name: CounterName, count = 1): Promise<number> {
  await UPDATE.entity('restock.Counters')
    .set({ next: { '+=': count } })
    .where({ name })
  const row = await SELECT.one.from('restock.Counters').columns('next').where({ name })
  return row.next - count
}
