import { Fatal } from '../errors.ts'
import type { KeysetQuery } from '../odata/keyset.ts'
import type { DocumentLine, ItemWarehouse, WarehouseRow } from './entities.ts'
import { SERVICE, type System } from './system.ts'
import { isYes } from './values.ts'

export const WAREHOUSES: KeysetQuery = {
  ...{ service: SERVICE, set: 'Warehouses', key: 'WarehouseCode', keyType: 'text' },
  select: ['WarehouseCode', 'WarehouseName', 'Inactive', 'DropShip', 'Country'],
}

interface Warehouses {
  rows: readonly WarehouseRow[]
  /** Codes of those that hold stock. */
  inUse: ReadonlySet<string>
  /** Codes of those that stand for a supplier who sends to the customer: no document moves stock there. */
  dropShip: ReadonlySet<string>
}

/** Read once a sync. */
export function readWarehouses(system: System, signal: AbortSignal): Promise<Warehouses> {
  return system.once.shared(
    'warehouses',
    async (own) => {
      const rows = await system.all<WarehouseRow>(WAREHOUSES, own)
      const codes = (some: WarehouseRow[]) => new Set(some.map((row) => row.WarehouseCode))
      const isDropShip = ({ DropShip }: WarehouseRow) => isYes(DropShip)
      return {
        rows,
        inUse: codes(rows.filter((row) => !isYes(row.Inactive) && !isDropShip(row))),
        dropShip: codes(rows.filter(isDropShip)),
      }
    },
    signal,
  )
}

/** Codes of the warehouses in use. */
export const activeWarehouses = async (
  system: System,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> => (await readWarehouses(system, signal)).inUse

/** Whether a line of a document is about goods that lie, or will lie, in a warehouse. */
export async function stockLines(
  system: System,
  signal: AbortSignal,
): Promise<(line: Pick<DocumentLine, 'ItemCode' | 'WarehouseCode'>) => boolean> {
  const { dropShip } = await readWarehouses(system, signal)
  // Lines of services have no item.
  return ({ ItemCode, WarehouseCode }) => Boolean(ItemCode) && !dropShip.has(WarehouseCode)
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
