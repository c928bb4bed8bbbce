import type { RecordOf } from '../records.ts'
import { mapAbout } from '../rows/bad-value.ts'
import { codeOf, codeOrNull, numberOf } from '../rows/values.ts'
import type { MoveRow } from './entities.ts'
import { plannedOf } from './movements.ts'
import type { Lookup, Purchase } from './movements.ts'
import { idOf, textOf } from './values.ts'

/** What a move that is not done will bring. Null where it goes to no warehouse, or nothing is left of it. */
export function toOpenOrder(
  row: MoveRow,
  purchase: Purchase | undefined,
  lookup: Lookup,
): RecordOf<'openOrders'> | null {
  const location = lookup.places.warehouseOf(idOf(row.location_dest_id))
  if (location === null) return null
  const product = lookup.product(row.product_id)
  return mapAbout(product.sku, location, () => {
    const { line, order } = purchase ?? {}
    const units = plannedOf(row, product, lookup.units)
    if (units <= 0n) return null
    return {
      document: codeOf(textOf(order?.name), 'order_id'),
      line: `${line?.id}/${row.id}`,
      sku: codeOf(product.sku, 'product_id'),
      location,
      quantity: numberOf(units, 'product_uom_qty'),
      due: lookup.dayOf(line?.date_planned, 'date_planned'),
      reference: codeOrNull(textOf(order?.origin), 'origin'),
      supplier: codeOrNull(lookup.partner(order?.partner_id), 'partner_id'),
      orderedOn: lookup.dayOf(order?.date_order, 'date_order'),
    }
  })
}
