// Goods receipts of purchase orders, for lead times.
import type { Stream } from '../adapter.ts'
import { isNotThere } from '../errors.ts'
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
import { BASE_TYPES, lineOf, readBases } from './bases.ts'
import type { DocumentLine, DocumentRow } from './entities.ts'
import { nameOfInvoice } from './open-documents.ts'
import { documents, type System } from './system.ts'
import { changedSince, isCounted, OVERLAP_MS, referenceOf, sinceHistory } from './values.ts'
import { stockLines } from './warehouses.ts'

/** Lead times are measured from the receipts of a year. */
const HISTORY_DAYS = 400

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
      const [orderedOf, isStock] = await Promise.all([
        readOrdered(system, rows, signal),
        stockLines(system, signal),
      ])
      const batch = { records: [], quarantined: [], deleted: [] as Record<string, string>[] }
      for (const row of rows) {
        for (const line of row.DocumentLines) {
          const ordered = orderedOf(line)
          if (!ordered || !isStock(line)) continue
          const receipt = `${row.DocEntry}/${line.LineNum}`
          if (!isCounted(row)) batch.deleted.push({ document: ordered.name, receipt })
          else {
            addRecord<'receipts', DocumentLine>(
              batch,
              line,
              () => toReceipt(ordered, row, line, receipt),
              () => `PurchaseDeliveryNotes(${receipt})`,
            )
          }
        }
      }
      return batch
    },
  })

/** What a receipt is of. */
interface Ordered {
  /** As open orders are called. */
  name: string
  document: DocumentRow
  line: number
}

const toReceipt = (
  { name, document, line: number }: Ordered,
  row: DocumentRow,
  line: DocumentLine,
  receipt: string,
) =>
  mapAbout(line.ItemCode, line.WarehouseCode, () => {
    const ordered = lineOf(document, number)
    return {
      document: name,
      receipt,
      line: String(number),
      sku: codeOf(line.ItemCode, 'ItemCode'),
      location: codeOf(line.WarehouseCode, 'WarehouseCode'),
      supplier: codeOrNull(row.CardCode, 'CardCode'),
      orderedOn: dayOf(document.DocDate, 'DocDate'),
      due: dayOf(ordered?.ShipDate, 'ShipDate'),
      receivedOn: demandDayOf(dayOf(row.DocDate, 'DocDate'), 'DocDate'),
      quantity: numberOf(
        roundedOf(line.InventoryQuantity, 'InventoryQuantity'),
        'InventoryQuantity',
      ),
      reference: referenceOf(document),
    }
  })

/**
 * The orders of these receipts, open or not. Of an invoice that came before the goods the order is what that was made of, and
 * the invoice itself where it was made of none.
 */
async function readOrdered(
  system: System,
  rows: DocumentRow[],
  signal: AbortSignal,
): Promise<(line: DocumentLine) => Ordered | null> {
  const lines = rows.flatMap(({ DocumentLines }) => DocumentLines)
  const invoices = await readInvoices(system, lines, signal)
  const invoiced = [...invoices.values()].flatMap(({ DocumentLines }) => DocumentLines)
  const orders = await readBases(system, 'PurchaseOrders', [...lines, ...invoiced], signal)
  const orderOf = ({ BaseEntry: entry, BaseLine: line }: DocumentLine): Ordered | null => {
    const document = orders.get(entry!)
    return document ? { name: String(document.DocNum), document, line: line! } : null
  }
  return (line) => {
    if (line.BaseType === BASE_TYPES.PurchaseOrders) return orderOf(line)
    const document = line.BaseType === BASE_TYPES.PurchaseInvoices && invoices.get(line.BaseEntry!)
    if (!document) return null
    const own = lineOf(document, line.BaseLine!)
    if (own?.BaseType === BASE_TYPES.PurchaseOrders) return orderOf(own)
    return { name: nameOfInvoice('PurchaseInvoices')(document), document, line: line.BaseLine! }
  }
}

/** None where they may not be read, which open orders note. */
async function readInvoices(system: System, lines: readonly DocumentLine[], signal: AbortSignal) {
  try {
    return await readBases(system, 'PurchaseInvoices', lines, signal)
  } catch (error) {
    if (!isNotThere(error)) throw error
    return new Map<number, DocumentRow>()
  }
}
