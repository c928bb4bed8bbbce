import type { RecordOf } from '../records.ts'
import { codeOf, codeOrNull, demandDayOf, mapAbout, numberOf } from '../rows/values.ts'
import type { MoveRow, PurchaseLineRow, SaleLineRow } from './entities.ts'
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

/** What a move that is not done will bring. Null where it goes to no warehouse. */
export function toOpenOrder(
  row: MoveRow,
  line: PurchaseLineRow | undefined,
  { warehouseOf }: Places,
): RecordOf<'openOrders'> | null {
  const location = warehouseOf(row.to_location)
  if (location === null) return null
  return mapAbout(row['product.']?.code, location, () => {
    const purchase = line?.['purchase.']
    return {
      document: codeOf(purchase?.number, 'purchase.number'),
      line: `${line?.id}/${row.id}`,
      sku: codeOf(row['product.']?.code, 'product.code'),
      location,
      quantity: numberOf(quantityOf(row.internal_quantity, 'internal_quantity'), 'quantity'),
      due: dateOf(row.planned_date, 'planned_date'),
      reference: codeOrNull(purchase?.reference, 'purchase.reference'),
      supplier: codeOrNull(purchase?.['party.']?.code, 'purchase.party.code'),
      orderedOn: dateOf(purchase?.purchase_date, 'purchase.purchase_date'),
    }
  })
}

/** What came of a purchase order, or went back. */
export function toReceipt(
  row: MoveRow,
  line: PurchaseLineRow | undefined,
  { warehouseOf }: Places,
): RecordOf<'receipts'> | null {
  const to = warehouseOf(row.to_location)
  const location = to ?? warehouseOf(row.from_location)
  if (location === null) return null
  return mapAbout(row['product.']?.code, location, () => {
    const purchase = line?.['purchase.']
    const units = quantityOf(row.internal_quantity, 'internal_quantity')
    return {
      document: codeOf(purchase?.number, 'purchase.number'),
      receipt: String(row.id),
      line: String(line?.id),
      sku: codeOf(row['product.']?.code, 'product.code'),
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

export function toCustomerOrder(
  row: MoveRow,
  line: SaleLineRow | undefined,
  { warehouseOf }: Places,
): RecordOf<'customerOrders'> | null {
  const location = warehouseOf(row.from_location)
  if (location === null) return null
  return mapAbout(row['product.']?.code, location, () => ({
    document: codeOf(line?.['sale.']?.number, 'sale.number'),
    line: `${line?.id}/${row.id}`,
    sku: codeOf(row['product.']?.code, 'product.code'),
    location,
    quantity: numberOf(quantityOf(row.internal_quantity, 'internal_quantity'), 'quantity'),
    due: dateOf(row.planned_date, 'planned_date'),
  }))
}
