import type { RecordOf } from '../records.ts'
import { mapAbout } from '../rows/bad-value.ts'
import { codeOf, codeOrNull, demandDayOf, numberOf } from '../rows/values.ts'
import type { MoveRow } from './entities.ts'
import { movedOf } from './movements.ts'
import type { Lookup, Purchase } from './movements.ts'
import { idOf, textOf } from './values.ts'

/** What came of a purchase order, or went back to its supplier. */
export function toReceipt(
  row: MoveRow,
  purchase: Purchase | undefined,
  lookup: Lookup,
): RecordOf<'receipts'> | null {
  const to = lookup.places.warehouseOf(idOf(row.location_dest_id))
  const location = to ?? lookup.places.warehouseOf(idOf(row.location_id))
  if (location === null) return null
  const product = lookup.product(row.product_id)
  return mapAbout(product.sku, location, () => {
    const { line, order } = purchase ?? {}
    const units = movedOf(row, product, lookup.units)
    return {
      document: codeOf(textOf(order?.name), 'order_id'),
      receipt: String(row.id),
      line: String(line?.id),
      sku: codeOf(product.sku, 'product_id'),
      location,
      supplier: codeOrNull(lookup.partner(order?.partner_id), 'partner_id'),
      orderedOn: lookup.dayOf(order?.date_order, 'date_order'),
      due: lookup.dayOf(line?.date_planned, 'date_planned'),
      receivedOn: demandDayOf(lookup.dayOf(row.date, 'date'), 'date'),
      quantity: numberOf(to ? units : -units, 'quantity'),
      reference: codeOrNull(textOf(order?.origin), 'origin'),
    }
  })
}
