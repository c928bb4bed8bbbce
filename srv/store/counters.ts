import cds from '@sap/cds'

const { INSERT, SELECT, UPDATE } = cds.ql

export type CounterName = 'series' | 'source' | 'sync' | 'read' | 'proposal'

/** The first of `count` numbers that belong to the caller alone. The counter's row is locked until commit. */
export async function takeNumbers(name: CounterName, count = 1): Promise<number> {
  const taken = await UPDATE.entity('restock.Counters')
    .set({ next: { '+=': count } })
    .where({ name })
  if (!taken) {
    await INSERT.into('restock.Counters').entries({ name, next: 1 + count })
    return 1
  }
  const row = await SELECT.one.from('restock.Counters').columns('next').where({ name })
  return row.next - count
}
