import { DAY_MS } from '../rows/days.ts'
import type { RecordOf } from '../records.ts'
import { divideExactly, toMoney } from '../rows/decimals.ts'
import {
  codeOf,
  codeOrNull,
  currencyOf,
  demandDayOf,
  ifGood,
  mapAbout,
  numberOf,
} from '../rows/values.ts'
import type {
  MoveRow,
  PurchaseLineRow,
  PurchaseOrderRow,
  SaleLineRow,
  SaleOrderRow,
} from './entities.ts'
import { type Lookup, movedOf, plannedOf, type Purchase, type Sale } from './movements.ts'
import type { KnownProduct } from './system.ts'
import { idOf, quantityOf, textOf } from './values.ts'

/**
 * A move to customers, production or another warehouse; one back is negative, and counts on the day of the move that it takes
 * back. Null where no warehouse is concerned.
 */
export function toDemand(row: MoveRow, lookup: Lookup): RecordOf<'demand'> | null {
  const from = lookup.places.warehouseOf(idOf(row.location_id))
  const location = from ?? lookup.places.warehouseOf(idOf(row.location_dest_id))
  const product = lookup.product(row.product_id)
  if (location === null || product.sku === null) return null
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

/** What a move that is not done will bring. Null where it goes to no warehouse, or nothing is left of it. */
export function toOpenOrder(
  row: MoveRow,
  purchase: Purchase | undefined,
  lookup: Lookup,
): RecordOf<'openOrders'> | null {
  const location = lookup.places.warehouseOf(idOf(row.location_dest_id))
  const product = lookup.product(row.product_id)
  if (location === null || product.sku === null) return null
  return mapAbout(product.sku, location, () => {
    const { line, order } = purchase ?? {}
    const units = plannedOf(row, product, lookup.units)
    if (units <= 0n) return null
    const isTransfer = !row.purchase_line_id
    return {
      document: codeOf(isTransfer ? nameOf(row) : textOf(order?.name), 'order_id'),
      line: isTransfer ? String(row.id) : `${line?.id}/${row.id}`,
      sku: codeOf(product.sku, 'product_id'),
      location,
      quantity: numberOf(units, 'product_uom_qty'),
      due: lookup.dayOf(isTransfer ? row.date : line?.date_planned, 'date_planned'),
      reference: codeOrNull(textOf(order?.origin), 'origin'),
      supplier: codeOrNull(lookup.partner(order?.partner_id), 'partner_id'),
      orderedOn: orderedOn(order, lookup),
      confirmedOn: order?.mail_reminder_confirmed
        ? lookup.dayOf(line?.date_planned, 'date_planned')
        : null,
      ...ifGood(() => priceOf(line, product, lookup)),
    }
  })
}

/** `date_order` is the deadline of the request; what was never confirmed has no other. */
const orderedOn = (order: PurchaseOrderRow | undefined, { dayOf }: Lookup) =>
  order?.date_approve
    ? dayOf(order.date_approve, 'date_approve')
    : dayOf(order?.date_order, 'date_order')

/** A transfer's number, or what Odoo itself knows the move by. */
const nameOf = (row: MoveRow) =>
  textOf(row.reference) ?? textOf(row.origin) ?? `stock.move(${row.id})`

/** What a unit of the product costs; nothing without a price. @throws BadValue */
function priceOf(line: PurchaseLineRow | undefined, { uom }: KnownProduct, { units }: Lookup) {
  if (!line?.price_subtotal || !line.product_qty) return {}
  const unit = idOf(line.product_uom_id ?? line.product_uom ?? false)
  const quantity = quantityOf(line.product_qty, 'product_qty')
  const inUnits = units.convert(quantity, unit, uom, 'product_uom')
  const cost = quantityOf(line.price_subtotal, 'price_subtotal')
  if (cost <= 0n || inUnits <= 0n) return {}
  const currency = line.currency_id ? currencyOf(line.currency_id[1], 'currency_id') : null
  return { unitCost: toMoney(divideExactly(cost, inUnits)), currency }
}

/** What came of a purchase order, or went back to its supplier. */
export function toReceipt(
  row: MoveRow,
  purchase: Purchase | undefined,
  lookup: Lookup,
): RecordOf<'receipts'> | null {
  const to = lookup.places.warehouseOf(idOf(row.location_dest_id))
  const location = to ?? lookup.places.warehouseOf(idOf(row.location_id))
  const product = lookup.product(row.product_id)
  if (location === null || product.sku === null) return null
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
      orderedOn: orderedOn(order, lookup),
      due: lookup.dayOf(line?.date_planned, 'date_planned'),
      receivedOn: demandDayOf(lookup.dayOf(row.date, 'date'), 'date'),
      quantity: numberOf(to ? units : -units, 'quantity'),
      reference: codeOrNull(textOf(order?.origin), 'origin'),
    }
  })
}

/** What is not delivered yet. Null where it leaves no warehouse, or nothing is left of it. */
export function toCustomerOrder(
  row: MoveRow,
  sale: Sale | undefined,
  lookup: Lookup,
): RecordOf<'customerOrders'> | null {
  const location = lookup.places.warehouseOf(idOf(row.location_id))
  const product = lookup.product(row.product_id)
  if (location === null || product.sku === null) return null
  return mapAbout(product.sku, location, () => {
    const units = plannedOf(row, product, lookup.units)
    if (units <= 0n) return null
    const { line, order } = sale ?? {}
    const due = order?.commitment_date || promisedOf(line, order) || row.date
    return {
      document: codeOf(textOf(order?.name) ?? textOf(row.origin) ?? String(row.id), 'origin'),
      line: String(row.id),
      sku: codeOf(product.sku, 'product_id'),
      location,
      quantity: numberOf(units, 'product_uom_qty'),
      due: lookup.dayOf(due, 'commitment_date'),
    }
  })
}

/** Without a date that was agreed Odoo promises the order's day and the lead time of the line. */
function promisedOf(line: SaleLineRow | undefined, order: SaleOrderRow | undefined) {
  const ordered = Date.parse(`${(order?.date_order || '').replace(' ', 'T')}Z`)
  if (Number.isNaN(ordered)) return undefined
  const promised = new Date(ordered + Math.round((line?.customer_lead || 0) * DAY_MS))
  return promised.toISOString().slice(0, 19).replace('T', ' ')
}
