// Goods receipts of purchase orders, for lead times.
import type { Stream } from '../adapter.ts'
import { changedStream } from '../odata/changed-stream.ts'
import {
  codeOf,
  codeOrNull,
  dayOf,
  demandDayOf,
  mapAbout,
  numberOf,
  roundedOf,
} from '../rows/values.ts'
import { addRecord } from '../rows/pages.ts'
import type { DocumentLine, DocumentRow } from './entities.ts'
import { documents, type System } from './system.ts'
import { changedSince, isCounted, OVERLAP_MS, referenceOf, sinceHistory } from './values.ts'
import { stockLines } from './warehouses.ts'

const PURCHASE_ORDER = 22
/** Lead times are measured from the receipts of a year. */
const HISTORY_DAYS = 400
/** Orders that are asked for at once. */
const MOST_ORDERS = 40

const FIELDS = ['DocDate', 'CardCode', 'CancelStatus', 'DocumentLines']

export const receiptQuery = (from: number | null) =>
  documents(
    'PurchaseDeliveryNotes',
    FIELDS,
    from === null ? sinceHistory(HISTORY_DAYS) : changedSince(from),
  )

export const receiptStream = (system: System): Stream<'receipts'> =>
  changedStream<'receipts', DocumentRow>('receipts', {
    ...{ reader: system, overlap: OVERLAP_MS },
    queries: (from) => [receiptQuery(from)],
    async compose(rows, signal) {
      const [orders, isStock] = await Promise.all([
        readOrders(system, rows, signal),
        stockLines(system, signal),
      ])
      const batch = { records: [], quarantined: [], deleted: [] as Record<string, string>[] }
      for (const row of rows) {
        for (const line of row.DocumentLines) {
          const order = line.BaseType === PURCHASE_ORDER && orders.get(line.BaseEntry!)
          if (!order || !isStock(line)) continue
          const receipt = `${row.DocEntry}/${line.LineNum}`
          if (!isCounted(row)) batch.deleted.push({ document: String(order.DocNum), receipt })
          else {
            addRecord<'receipts', DocumentLine>(
              batch,
              line,
              () => toReceipt(order, row, line, receipt),
              () => `PurchaseDeliveryNotes(${receipt})`,
            )
          }
        }
      }
      return batch
    },
  })

const toReceipt = (order: DocumentRow, row: DocumentRow, line: DocumentLine, receipt: string) =>
  mapAbout(line.ItemCode, line.WarehouseCode, () => {
    const ordered = order.DocumentLines.find(({ LineNum }) => LineNum === line.BaseLine)
    return {
      document: String(order.DocNum),
      receipt,
      line: String(line.BaseLine),
      sku: codeOf(line.ItemCode, 'ItemCode'),
      location: codeOf(line.WarehouseCode, 'WarehouseCode'),
      supplier: codeOrNull(row.CardCode, 'CardCode'),
      orderedOn: dayOf(order.DocDate, 'DocDate'),
      due: dayOf(ordered?.ShipDate, 'ShipDate'),
      receivedOn: demandDayOf(dayOf(row.DocDate, 'DocDate'), 'DocDate'),
      quantity: numberOf(
        roundedOf(line.InventoryQuantity, 'InventoryQuantity'),
        'InventoryQuantity',
      ),
      reference: referenceOf(order),
    }
  })

/** The orders of these receipts, open or not. */
async function readOrders(
  system: System,
  rows: DocumentRow[],
  signal: AbortSignal,
): Promise<Map<number, DocumentRow>> {
  const lines = rows.flatMap(({ DocumentLines }) => DocumentLines)
  const wanted = lines.filter(({ BaseType }) => BaseType === PURCHASE_ORDER)
  const entries = [...new Set(wanted.map(({ BaseEntry }) => BaseEntry!))].sort((a, b) => a - b)
  const orders = new Map<number, DocumentRow>()
  for (let at = 0; at < entries.length; at += MOST_ORDERS) {
    const some = entries.slice(at, at + MOST_ORDERS)
    const filter = some.map((entry) => `DocEntry eq ${entry}`).join(' or ')
    const query = documents(
      'PurchaseOrders',
      ['DocNum', 'DocDate', 'NumAtCard', 'DocumentLines'],
      filter,
    )
    for (const order of await system.all<DocumentRow>(query, signal)) {
      orders.set(order.DocEntry, order)
    }
  }
  return orders
}
