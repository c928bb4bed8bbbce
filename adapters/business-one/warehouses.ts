import { Fatal } from '../errors.ts'
import type { ItemWarehouse, WarehouseRow } from './entities.ts'
import { WAREHOUSES } from './masters.ts'
import type { System } from './system.ts'
import { isYes } from './values.ts'

/** Codes of the warehouses in use. */
export async function activeWarehouses(
  system: System,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const rows = await system.all<WarehouseRow>(WAREHOUSES, signal)
  const active = rows.filter(({ Inactive }) => !isYes(Inactive))
  return new Set(active.map(({ WarehouseCode }) => WarehouseCode))
}

interface Item {
  ItemCode: string
  QuantityOnStock?: ItemWarehouse['InStock']
  ItemWarehouseInfoCollection?: ItemWarehouse[]
}

/**
 * An item's warehouses in use. Some installations leave the list out: where there is one warehouse, all of the
 * item's stock is there.
 * @throws Fatal where there are several
 */
export function warehousesOf(row: Item, active: ReadonlySet<string>): ItemWarehouse[] {
  const { ItemWarehouseInfoCollection: list, QuantityOnStock: all } = row
  if (list) return list.filter(({ WarehouseCode }) => active.has(WarehouseCode))
  const [only, another] = active
  if (only !== undefined && another === undefined) return [{ WarehouseCode: only, InStock: all }]
  const message =
    'This Service Layer leaves out ItemWarehouseInfoCollection of Items, so that the stock of several warehouses ' +
    'cannot be told apart. Update it, or read stock from CSV files.'
  throw new Fatal('unexpected_content', message, 'ItemWarehouseInfoCollection')
}
