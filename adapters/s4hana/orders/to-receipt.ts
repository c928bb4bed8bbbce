import type { RecordOf } from '../../records.ts'
import type { ReceivingDocumentItemRow, ReceivingDocumentRow } from '../entities.ts'
import type { OrderHeader } from './lines.ts'
import { SIGNS } from './receipts.ts'
import { toThreePlaces } from '../../rows/decimals.ts'
import {
  codeOf,
  codeOrNull,
  dayOf,
  demandDayOf,
  mapAbout,
  numberOf,
  unitsOf,
} from '../../rows/values.ts'

/** The promised day of an order item; null where it has none. */
export type DueDays = (order: string, item: string) => string | null

export interface DocumentLine {
  /** `year/document/line` */
  id: string
  document: Pick<ReceivingDocumentRow, 'PostingDate'>
  item: ReceivingDocumentItemRow
}

/** The lines of a material document that receive a purchase order into own stock, or undo that. */
export function receiptsOf(document: ReceivingDocumentRow): DocumentLine[] {
  const { MaterialDocumentYear: year, MaterialDocument: number, PostingDate } = document
  const found = document.to_MaterialDocumentItem
  const items = Array.isArray(found) ? found : (found?.results ?? [])
  return items.filter(isReceipt).map((item) => ({
    id: `${year}/${number}/${item.MaterialDocumentItem}`,
    document: { PostingDate },
    item,
  }))
}

const isReceipt = (item: ReceivingDocumentItemRow) =>
  item.GoodsMovementType in SIGNS &&
  Boolean(item.PurchaseOrder && item.Material && item.Plant) &&
  !item.InventorySpecialStockType

/** Null where the order has no supplier: a transfer from another plant. */
export const toReceipt = (
  line: DocumentLine,
  header: OrderHeader | undefined,
  dueOf: DueDays,
): RecordOf<'receipts'> | null =>
  mapAbout(line.item.Material, line.item.Plant, () => receiptOf(line, header, dueOf))

function receiptOf(
  { id, document, item }: DocumentLine,
  header: OrderHeader | undefined,
  dueOf: DueDays,
): RecordOf<'receipts'> | null {
  if (!header?.supplier) return null
  const field = 'QuantityInBaseUnit'
  const quantity = numberOf(toThreePlaces(unitsOf(item[field], field)), field)
  const sign = Number(SIGNS[item.GoodsMovementType])
  return {
    document: codeOf(item.PurchaseOrder, 'PurchaseOrder'),
    receipt: id,
    line: codeOf(item.PurchaseOrderItem, 'PurchaseOrderItem'),
    sku: codeOf(item.Material, 'Material'),
    location: codeOf(item.Plant, 'Plant'),
    supplier: codeOf(header.supplier, 'Supplier'),
    orderedOn: header.orderedOn,
    due: dueOf(item.PurchaseOrder, item.PurchaseOrderItem),
    receivedOn: demandDayOf(dayOf(document.PostingDate, 'PostingDate'), 'PostingDate'),
    quantity: sign * quantity,
    reference: codeOrNull(header.reference, 'CorrespncExternalReference'),
  }
}
