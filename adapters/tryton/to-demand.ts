import type { RecordOf } from '../records.ts'
import { mapAbout } from '../rows/bad-value.ts'
import { codeOf, demandDayOf, numberOf } from '../rows/values.ts'
import type { MoveRow } from './entities.ts'
import type { Places } from './places.ts'
import { dateOf, quantityOf } from './values.ts'

/** A move to customers or production; one back from customers is negative. Null where no warehouse is concerned. */
export function toDemand(row: MoveRow, { warehouseOf }: Places): RecordOf<'demand'> | null {
  const from = warehouseOf(row.from_location)
  const location = from ?? warehouseOf(row.to_location)
  if (location === null) return null
  return mapAbout(row['product.']?.code, location, () => {
    const units = quantityOf(row.internal_quantity, 'internal_quantity')
    return {
      sku: codeOf(row['product.']?.code, 'product.code'),
      location,
      date: demandDayOf(dateOf(row.effective_date, 'effective_date'), 'effective_date'),
      quantity: numberOf(from ? units : -units, 'internal_quantity'),
      price: null,
      promo: null,
      document: String(row.id),
    }
  })
}
