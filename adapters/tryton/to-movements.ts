import type { RecordOf } from '../records.ts'
import { multiplyByRatio, toMoney } from '../rows/decimals.ts'
import {
  codeOf,
  codeOrNull,
  currencyOf,
  demandDayOf,
  ifGood,
  mapAbout,
  numberOf,
} from '../rows/values.ts'
import type { Catalogue } from '../rpc/catalogue.ts'
import type { MoveRow, PurchaseLineRow, SaleLineRow } from './entities.ts'
import type { Places } from './places.ts'
import { factorOf } from './to-planning.ts'
import { dateOf, decimalOf, quantityOf } from './values.ts'

/** What mappers look up. */
export interface Lookup {
  places: Places
  catalogue: Catalogue
}

/** What a move comes of. */
export interface Origin {
  /** The number of the line of an order, that of the kit where the move is of a part of it. */
  line?: number
  purchase?: PurchaseLineRow['purchase.']
  sale?: SaleLineRow['sale.']
  /** The line with its price, unless it is of a kit. */
  price?: PurchaseLineRow
  /** Of the shipment or production, where it may be read. */
  number?: string | null
}

/**
 * A move to customers, production or another warehouse; one back from customers is negative. Null where no warehouse is
 * concerned, or nothing leaves it.
 */
export function toDemand(row: MoveRow, { places, catalogue }: Lookup): RecordOf<'demand'> | null {
  const from = places.warehouseOf(row.from_location)
  const to = places.warehouseOf(row.to_location)
  const location = from ?? to
  const sku = catalogue.skuOf(row.product)
  if (location === null || sku === null || from === to || isArrival(row, from)) return null
  return mapAbout(sku, location, () => {
    const units = quantityOf(row.internal_quantity, 'internal_quantity')
    return {
      sku: codeOf(sku, 'product.code'),
      location,
      date: demandDayOf(dateOf(row.effective_date, 'effective_date'), 'effective_date'),
      quantity: numberOf(from ? units : -units, 'internal_quantity'),
      price: null,
      promo: null,
      document: String(row.id),
    }
  })
}

/** The second half of a transfer between warehouses: what customers bring back comes from no warehouse either. */
const isArrival = ({ shipment }: MoveRow, from: string | null) =>
  from === null && Boolean(shipment?.startsWith('stock.shipment.internal,'))

/** What a move that is not done will bring a warehouse. Null where it goes to none. */
export function toOpenOrder(
  row: MoveRow,
  origin: Origin,
  lookup: Lookup,
): RecordOf<'openOrders'> | null {
  const location = lookup.places.warehouseOf(row.to_location)
  return openOf(row, origin, location, lookup, (open) => ({
    ...open,
    reference: codeOrNull(origin.purchase?.reference, 'purchase.reference'),
    supplier: codeOrNull(origin.purchase?.['party.']?.code, 'purchase.party.code'),
    orderedOn: dateOf(origin.purchase?.purchase_date, 'purchase.purchase_date'),
    ...ifGood(() => priceOf(origin.price)),
  }))
}

/** What a unit of the product costs; nothing without a price. @throws BadValue */
function priceOf(line: PurchaseLineRow | undefined) {
  const cost = decimalOf(line?.unit_price, 'unit_price')
  const [unit, base] = [line?.['unit.'], line?.['product.']?.['default_uom.']]
  if (!cost || cost <= 0n || !unit || !base) return {}
  return {
    unitCost: toMoney(multiplyByRatio(cost, factorOf(base), factorOf(unit))),
    currency: currencyOf(line!['purchase.']?.['currency.']?.code, 'purchase.currency.code'),
  }
}

/** What a move that is not done will take out of a warehouse. Null where it comes from none. */
export function toPromised(
  row: MoveRow,
  origin: Origin,
  lookup: Lookup,
): RecordOf<'customerOrders' | 'reservations'> | null {
  const location = lookup.places.warehouseOf(row.from_location)
  return openOf(row, origin, location, lookup, (open) => open)
}

function openOf<R>(
  row: MoveRow,
  origin: Origin,
  location: string | null,
  { catalogue }: Lookup,
  complete: (open: RecordOf<'customerOrders'>) => R,
): R | null {
  const sku = catalogue.skuOf(row.product)
  if (location === null || sku === null) return null
  return mapAbout(sku, location, () =>
    complete({
      document: codeOf(documentOf(row, origin), 'number'),
      line: origin.line === undefined ? String(row.id) : `${origin.line}/${row.id}`,
      sku: codeOf(sku, 'product.code'),
      location,
      quantity: numberOf(quantityOf(row.internal_quantity, 'internal_quantity'), 'quantity'),
      due: dateOf(row.planned_date, 'planned_date'),
    }),
  )
}

/** The number of the order, else of the shipment or production, else what Tryton itself knows them by. */
const documentOf = (row: MoveRow, { purchase, sale, number }: Origin): string =>
  purchase?.number || sale?.number || number || row.shipment || `stock.move,${row.id}`

/** What came of a purchase order, or went back. */
export function toReceipt(
  row: MoveRow,
  { line, purchase }: Origin,
  { places, catalogue }: Lookup,
): RecordOf<'receipts'> | null {
  const to = places.warehouseOf(row.to_location)
  const location = to ?? places.warehouseOf(row.from_location)
  const sku = catalogue.skuOf(row.product)
  if (location === null || sku === null) return null
  return mapAbout(sku, location, () => {
    const units = quantityOf(row.internal_quantity, 'internal_quantity')
    return {
      document: codeOf(purchase?.number, 'purchase.number'),
      receipt: String(row.id),
      line: String(line),
      sku: codeOf(sku, 'product.code'),
      location,
      supplier: codeOrNull(purchase?.['party.']?.code, 'purchase.party.code'),
      orderedOn: dateOf(purchase?.purchase_date, 'purchase.purchase_date'),
      due: dateOf(row.planned_date, 'planned_date'),
      receivedOn: demandDayOf(dateOf(row.effective_date, 'effective_date'), 'effective_date'),
      quantity: numberOf(to ? units : -units, 'internal_quantity'),
      reference: codeOrNull(purchase?.reference, 'purchase.reference'),
    }
  })
}
