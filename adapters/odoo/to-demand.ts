import type { RecordOf } from '../records.ts'
import { mapAbout } from '../rows/bad-value.ts'
import { codeOf, demandDayOf, numberOf } from '../rows/values.ts'
import type { MoveRow } from './entities.ts'
import { movedOf } from './movements.ts'
import type { Lookup } from './movements.ts'
import { idOf } from './values.ts'

/**
 * A move to customers or production; one back is negative, and counts on the day of the move that it takes
 * back. Null where no warehouse is concerned.
 */
export function toDemand(row: MoveRow, lookup: Lookup): RecordOf<'demand'> | null {
  const from = lookup.places.warehouseOf(idOf(row.location_id))
  const location = from ?? lookup.places.warehouseOf(idOf(row.location_dest_id))
  if (location === null) return null
  const product = lookup.product(row.product_id)
  return mapAbout(product.sku, location, () => {
    const units = movedOf(row, product, lookup.units)
    const original = idOf(row.origin_returned_move_id)
    const record = {
      sku: codeOf(product.sku, 'product_id'),
      location,
      date: demandDayOf(lookup.dayOf(row.date, 'date'), 'date'),
      quantity: numberOf(from ? units : -units, 'quantity'),
      price: null,
      promo: null,
      document: String(row.id),
    }
    return from || original === null ? record : { ...record, reversalOf: String(original) }
  })
}
