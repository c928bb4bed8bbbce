import type { RecordOf } from '../records.ts'
import { mapAbout } from '../rows/bad-value.ts'
import { codeOf, numberOf } from '../rows/values.ts'
import type { SaleLineRow, SaleOrderRow } from './entities.ts'
import type { Lookup } from './movements.ts'
import { idOf, quantityOf, textOf } from './values.ts'

/** What is not delivered yet. Null where nothing is left, or the order is of no warehouse. */
export function toCustomerOrder(
  row: SaleLineRow,
  order: SaleOrderRow | undefined,
  lookup: Lookup,
): RecordOf<'customerOrders'> | null {
  const location = lookup.places.codes.get(idOf(order?.warehouse_id) ?? 0)
  if (!location) return null
  const product = lookup.product(row.product_id)
  return mapAbout(product.sku, location, () => {
    const ordered = quantityOf(row.product_uom_qty, 'product_uom_qty')
    const open = ordered - quantityOf(row.qty_delivered, 'qty_delivered')
    if (open <= 0n) return null
    const unit = idOf(row.product_uom_id ?? row.product_uom)
    const units = lookup.units.convert(open, unit, product.uom, 'product_uom')
    return {
      document: codeOf(textOf(order?.name), 'order_id'),
      line: String(row.id),
      sku: codeOf(product.sku, 'product_id'),
      location,
      quantity: numberOf(units, 'product_uom_qty'),
      due: lookup.dayOf(order?.commitment_date || promisedOf(row, order), 'commitment_date'),
    }
  })
}

/** Without a date that was agreed Odoo promises the order's day and the lead time of the line. */
function promisedOf({ customer_lead: days }: SaleLineRow, order: SaleOrderRow | undefined) {
  const ordered = Date.parse(`${(order?.date_order || '').replace(' ', 'T')}Z`)
  if (Number.isNaN(ordered)) return undefined
  const promised = new Date(ordered + Math.round((days || 0) * 86_400_000))
  return promised.toISOString().slice(0, 19).replace('T', ' ')
}
