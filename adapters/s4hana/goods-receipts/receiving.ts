// Material documents that receive purchase orders.
import { dayLiteral } from '../../odata/query.ts'
import { withFilter } from '../../odata/reader.ts'
import { documentsWith, MATERIAL_DOCUMENTS, newestOf } from '../demand/goods-movements.ts'
import { later } from '../demand/days.ts'
import type { ReceivingDocumentRow } from '../entities.ts'
import type { System } from '../system.ts'
import { itemsOf } from './to-receipt.ts'

export const RECEIVING = "InventoryTransactionType eq 'WE'"

export const RECEIVING_DOCUMENTS = documentsWith('PurchaseOrder', 'PurchaseOrderItem')

const createdSince = (day: string) => `${RECEIVING} and CreationDate ge ${dayLiteral(day)}`

/** The purchase orders of the documents created since a day, and the newest day; null without documents. */
export async function readReceivingOrders(
  system: System,
  day: string,
  signal: AbortSignal,
): Promise<{ orders: Set<string>; newest: string | null }> {
  const orders = new Set<string>()
  let newest: string | null = null
  const query = {
    ...withFilter(RECEIVING_DOCUMENTS, createdSince(day)),
    top: system.options.document_page_size,
  }
  for await (const { rows } of system.pages<ReceivingDocumentRow>(query, {}, signal)) {
    for (const row of rows) for (const item of itemsOf(row)) orders.add(item.PurchaseOrder)
    const last = newestOf(rows)
    if (last !== null) newest = later(last, newest ?? last)
  }
  return { orders, newest }
}

/** The newest day, no earlier than this one, on which a document was created. */
export async function newestReceipt(
  system: System,
  day: string,
  signal: AbortSignal,
): Promise<string | null> {
  const { key } = MATERIAL_DOCUMENTS
  const query = { ...MATERIAL_DOCUMENTS, select: [...key, 'CreationDate'] }
  return newestOf(await system.all(withFilter(query, createdSince(day)), signal))
}
