import { dayOf } from '../rows/days.ts'
import type { RecordOf } from '../records.ts'
import type { Movements } from './demand/movements.ts'
import type { DeliveryItemRow, DeliveryRow } from './entities.ts'
import { codeOf, demandDayOf, numberOf, unitsOf } from '../rows/values.ts'

/** Status C: the goods movement of the item is complete. */
const POSTED = 'C'

/** Null for an item without posted goods issue, or whose movement type is not demand. */
export function toDeliveryDemand(
  header: DeliveryRow,
  item: DeliveryItemRow,
  movements: Movements,
): RecordOf<'demand'> | null {
  const sign = movements.get(item.GoodsMovementType)
  if (item.GoodsMovementStatus !== POSTED || sign === undefined) return null
  if (item.InventorySpecialStockType || !item.Material) return null
  const posting = 'ActualGoodsMovementDate'
  const field = 'ActualDeliveredQtyInBaseUnit'
  const quantity = numberOf(unitsOf(item[field], field), field)
  if (!quantity) return null
  return {
    sku: codeOf(item.Material, 'Material'),
    location: codeOf(item.Plant, 'Plant'),
    date: demandDayOf(dayOf(header[posting], posting), posting),
    quantity: sign * quantity,
    price: null,
    promo: null,
    document: `${item.DeliveryDocument}/${item.DeliveryDocumentItem}`,
  }
}
