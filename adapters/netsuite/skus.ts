import { batchOf } from '../rows/pages.ts'
import type { Stream } from '../adapter.ts'
import { changedStream } from './changed-stream.ts'
import { readDeleted } from './deleted.ts'
import { type ItemRow, ITEMS } from './queries.ts'
import type { System } from './system.ts'
import { type ItemContext, toSku } from './to-lists.ts'

/** Types of stocked items in the list of deleted records, without anything but letters. */
const ITEM_TYPES = new Set([
  ...['inventoryitem', 'lotnumberedinventoryitem', 'serializedinventoryitem', 'invtpart'],
  ...['assemblyitem', 'lotnumberedassemblyitem', 'serializedassemblyitem', 'assembly'],
])

export const skuStream = (system: System): Stream<'skus'> =>
  changedStream<'skus', ItemRow>(system, {
    record: 'skus',
    ...{ isRequired: true, namesSkus: true },
    query: () => ITEMS,
    changedAt: 'i.lastmodifieddate',
    async toBatch(rows, signal) {
      const context = await contextOf(system, signal)
      return batchOf<'skus', ItemRow>(
        rows,
        (row) => toSku(row, context),
        ({ id }) => `item ${id}`,
      )
    },
    async readDeleted({ from }, signal) {
      const rows = await readDeleted(system, from, ITEM_TYPES, signal)
      const code = await system.facts.itemCodes(signal)
      return rows.flatMap(({ name, id }) => (name ? [{ sku: code(name, id) }] : []))
    },
  })

async function contextOf({ facts }: System, signal: AbortSignal): Promise<ItemContext> {
  const [code, units, currency] = await Promise.all([
    facts.itemCodes(signal),
    facts.units(signal),
    facts.baseCurrency(signal),
  ])
  return { code, units, currency }
}
