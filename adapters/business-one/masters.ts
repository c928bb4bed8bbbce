// Warehouses, suppliers and items.
import { addRecords, batchOf, type SnapshotPage } from '../rows/pages.ts'
import type { Stream } from '../adapter.ts'
import { changedStream } from '../odata/changed-stream.ts'
import type { KeysetQuery } from '../odata/keyset.ts'
import { codeOf, nameOf } from '../rows/values.ts'
import type { ItemRow, PartnerRow } from './entities.ts'
import { SERVICE, type System } from './system.ts'
import { toSku } from './to-sku.ts'
import { changedSince, OVERLAP_MS } from './values.ts'
import { readWarehouses } from './warehouses.ts'

export const SUPPLIERS: KeysetQuery = {
  ...{ service: SERVICE, set: 'BusinessPartners', key: 'CardCode', keyType: 'text' },
  ...{ select: ['CardCode', 'CardName'], filter: "CardType eq 'cSupplier'" },
}

const ITEM_FIELDS = [
  ...['ItemCode', 'ItemName', 'ItemsGroupCode', 'InventoryItem', 'PurchaseItem', 'Valid'],
  ...['Frozen', 'InventoryUOM', 'Mainsupplier', 'AvgStdPrice'],
]

/** Items with these fields; with `from` only those changed since. */
export const items = (select: readonly string[], from: number | null): KeysetQuery => ({
  ...{ service: SERVICE, set: 'Items', key: 'ItemCode', keyType: 'text', select },
  filter: from === null ? null : changedSince(from),
})

export const itemQuery = ({ options }: System, from: number | null): KeysetQuery =>
  items([...ITEM_FIELDS, ...(options.price_list ? ['ItemPrices'] : [])], from)

export async function* readLocations(
  system: System,
  signal: AbortSignal,
): AsyncGenerator<SnapshotPage<'locations'>> {
  const { rows, inUse } = await readWarehouses(system, signal)
  const done = rows.length
  const page: SnapshotPage<'locations'> = { records: [], quarantined: [], done, total: done }
  addRecords(
    page,
    rows.filter(({ WarehouseCode }) => inUse.has(WarehouseCode)),
    ({ WarehouseCode, WarehouseName, Country }) => ({
      location: codeOf(WarehouseCode, 'WarehouseCode'),
      name: nameOf(WarehouseName),
      country: typeof Country === 'string' && /^[A-Z]{2}$/.test(Country) ? Country : null,
    }),
    ({ WarehouseCode }) => `Warehouses('${WarehouseCode}')`,
  )
  yield page
}

export const supplierStream = (system: System): Stream<'suppliers'> =>
  changedStream<'suppliers', PartnerRow>('suppliers', {
    ...{ reader: system, overlap: OVERLAP_MS },
    queries(from) {
      const changed = from === null ? '' : ` and ${changedSince(from)}`
      return [{ ...SUPPLIERS, filter: SUPPLIERS.filter + changed }]
    },
    compose: (rows) =>
      batchOf<'suppliers', PartnerRow>(
        rows,
        ({ CardCode, CardName }) => ({
          supplier: codeOf(CardCode, 'CardCode'),
          name: nameOf(CardName),
        }),
        ({ CardCode }) => `BusinessPartners('${CardCode}')`,
      ),
  })

export const skuStream = (system: System): Stream<'skus'> =>
  changedStream<'skus', ItemRow>(
    'skus',
    {
      ...{ reader: system, overlap: OVERLAP_MS },
      queries: (from) => [itemQuery(system, from)],
      compose: (rows) =>
        batchOf<'skus', ItemRow>(
          rows,
          (row) => toSku(row, system.options),
          ({ ItemCode }) => `Items('${ItemCode}')`,
        ),
    },
    { isRequired: true },
  )
