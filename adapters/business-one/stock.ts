import { codeOf, mapAbout, numberOf, roundedOf } from '../rows/values.ts'
import { addRecord, type SnapshotPage } from '../rows/pages.ts'
import type { ItemWarehouse, StockRow } from './entities.ts'
import { items } from './masters.ts'
import type { System } from './system.ts'
import { activeWarehouses, warehousesOf } from './warehouses.ts'

const PAGE_RECORDS = 5_000

/** The list of warehouses is in `$select`: it is part of the item, and `$expand` does not know it. */
export const STOCKS = items(['ItemCode', 'QuantityOnStock', 'ItemWarehouseInfoCollection'], null)

/** Movements do not change an item's UpdateDate, so all items are read. */
export async function* readStock(
  system: System,
  signal: AbortSignal,
): AsyncGenerator<SnapshotPage<'stock'>> {
  const active = await activeWarehouses(system, signal)
  let done = 0
  for await (const { rows } of system.pages<StockRow>(STOCKS, null, signal)) {
    done += rows.length
    let page: SnapshotPage<'stock'> = { records: [], quarantined: [], done, total: null }
    for (const row of rows) {
      for (const place of warehousesOf(row, active)) {
        addRecord(
          page,
          place,
          () => toStock(row.ItemCode, place),
          () => `Items('${row.ItemCode}') ${place.WarehouseCode}`,
        )
      }
      if (page.records.length + active.size <= PAGE_RECORDS) continue
      yield page
      page = { records: [], quarantined: [], done, total: null }
    }
    yield page
  }
}

const toStock = (sku: string, { WarehouseCode, InStock }: ItemWarehouse) =>
  mapAbout(sku, WarehouseCode, () => {
    const onHand = numberOf(roundedOf(InStock, 'InStock'), 'InStock')
    return {
      sku: codeOf(sku, 'ItemCode'),
      location: codeOf(WarehouseCode, 'WarehouseCode'),
      onHand: Math.max(0, onHand),
      backorders: onHand < 0 ? -onHand : 0,
    }
  })
