// What came of purchase orders, and went back: goods receipts, invoices that receive the goods, returns and credit memos.
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
import type { KeysetPage, KeysetQuery } from '../odata/keyset.ts'
import { BASE_TYPES, lineOf, readBases } from './bases.ts'
import type { DocumentLine, DocumentRow } from './entities.ts'
import { nameOfInvoice } from './open-documents.ts'
import { documents, type System } from './system.ts'
import { changedSince, isCounted, isYes, OVERLAP_MS, referenceOf, sinceHistory } from './values.ts'
import { stockLines } from './warehouses.ts'

/** Lead times are measured from the receipts of a year. */
const HISTORY_DAYS = 400

const FIELDS = ['DocDate', 'CardCode', 'CancelStatus', 'ReserveInvoice', 'DocumentLines']

/** A kind of document that brings what was ordered, or takes it back. */
interface Kind {
  set: 'PurchaseDeliveryNotes' | 'PurchaseInvoices' | 'PurchaseReturns' | 'PurchaseCreditNotes'
  sign: 1 | -1
  /** Kinds of documents that its lines move the goods of; what is made of others moves none. */
  bases: readonly number[]
}

const KINDS: readonly Kind[] = [
  {
    ...{ set: 'PurchaseDeliveryNotes', sign: 1 },
    bases: [BASE_TYPES.PurchaseOrders, BASE_TYPES.PurchaseInvoices],
  },
  { set: 'PurchaseInvoices', sign: 1, bases: [BASE_TYPES.PurchaseOrders] },
  { set: 'PurchaseReturns', sign: -1, bases: [BASE_TYPES.PurchaseDeliveryNotes] },
  { set: 'PurchaseCreditNotes', sign: -1, bases: [BASE_TYPES.PurchaseInvoices] },
]

/** Lists that receipts are read without where the user may not read them. */
export const BESIDE_RECEIPTS = KINDS.slice(1).map(({ set }) => set)

export const receiptQuery = (set: Kind['set'], from: number | null) =>
  documents(set, FIELDS, from === null ? sinceHistory(HISTORY_DAYS) : changedSince(from))

export const receiptStream = (system: System): Stream<'receipts'> =>
  changedStream<'receipts', DocumentRow>('receipts', {
    ...{ reader: withoutRefused(system), overlap: OVERLAP_MS },
    queries: (from) => KINDS.map(({ set }) => receiptQuery(set, from)),
    async compose(rows, signal, at) {
      const kind = KINDS[at]!
      const lines = rows.flatMap(({ DocumentLines }) => DocumentLines).filter(isOf(kind))
      const [orderedOf, isStock] = await Promise.all([
        readOrdered(system, kind, lines, signal),
        stockLines(system, signal),
      ])
      const batch = { records: [], quarantined: [], deleted: [] as Record<string, string>[] }
      for (const row of rows) {
        for (const line of row.DocumentLines.filter(isOf(kind))) {
          const ordered = orderedOf(line)
          if (!ordered || !isStock(line)) continue
          const receipt = nameOf(kind, row, line)
          if (!isMoved(row, line)) batch.deleted.push({ document: ordered.name, receipt })
          else {
            addRecord<'receipts', DocumentLine>(
              batch,
              line,
              () => toReceipt(ordered, row, line, { receipt, sign: kind.sign }),
              () => `${kind.set}(${row.DocEntry})/${line.LineNum}`,
            )
          }
        }
      }
      return batch
    },
  })

const isOf =
  ({ bases }: Kind) =>
  ({ BaseType: base }: DocumentLine) =>
    bases.includes(base!)

/** Receipts are called by their numbers alone, as they were when they were all that was read. */
const nameOf = ({ set }: Kind, { DocEntry }: DocumentRow, { LineNum }: DocumentLine) =>
  set === 'PurchaseDeliveryNotes' ? `${DocEntry}/${LineNum}` : `${set}(${DocEntry})/${LineNum}`

/** An invoice before the goods brings none, nor does a line without quantity posting. */
const isMoved = (row: DocumentRow, line: DocumentLine) =>
  isCounted(row) && !isYes(row.ReserveInvoice) && !isYes(line.WithoutInventoryMovement)

/** A reader that passes over lists beside goods receipts that the user may not read. */
const withoutRefused = (system: System) => ({
  async *pages<Row>(
    query: KeysetQuery,
    after: string | null,
    signal: AbortSignal,
  ): AsyncGenerator<KeysetPage<Row>> {
    try {
      yield* system.pages<Row>(query, after, signal)
    } catch (error) {
      if (!isNotThere(error) || !(BESIDE_RECEIPTS as string[]).includes(query.set)) throw error
    }
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
  { receipt, sign }: { receipt: string; sign: 1 | -1 },
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
        roundedOf(line.InventoryQuantity, 'InventoryQuantity') * BigInt(sign),
        'InventoryQuantity',
      ),
      reference: referenceOf(document),
    }
  })

/**
 * What lines of these documents are of: the order, open or not, that they were made of in one step or more. Of an invoice that
 * came before the goods and was made of no order it is the invoice itself.
 */
async function readOrdered(
  system: System,
  { sign }: Kind,
  lines: readonly DocumentLine[],
  signal: AbortSignal,
): Promise<(line: DocumentLine) => Ordered | null> {
  // A credit memo is made of an invoice, which may be made of a receipt, as a return is; that is made of an order or an invoice.
  const credited = await readIfAllowed(system, 'PurchaseInvoices', lines, signal)
  const some = [...lines, ...linesOf(credited)]
  const receipts = await readIfAllowed(system, 'PurchaseDeliveryNotes', some, signal)
  const all = [...some, ...linesOf(receipts)]
  const invoices = await readIfAllowed(system, 'PurchaseInvoices', all, signal)
  const orders = await readBases(system, 'PurchaseOrders', [...all, ...linesOf(invoices)], signal)
  const orderedOf = (line: DocumentLine, steps = MOST_STEPS): Ordered | null => {
    const { BaseType: type, BaseEntry: entry, BaseLine: number } = line
    const documents = { [ORDER]: orders, [INVOICE]: invoices, [RECEIPT]: receipts }[type!]
    const document = documents?.get(entry!)
    if (!document || !steps) return null
    if (type === ORDER) return { name: String(document.DocNum), document, line: number! }
    const own = lineOf(document, number!)
    const base = own && orderedOf(own, steps - 1)
    if (base) return base
    if (type !== INVOICE || !isYes(document.ReserveInvoice)) return null
    return { name: nameOfInvoice('PurchaseInvoices')(document), document, line: number! }
  }
  // What is credited of an invoice before the goods has not come.
  const isAhead = (line: DocumentLine) =>
    line.BaseType === INVOICE && isYes(credited.get(line.BaseEntry!)?.ReserveInvoice)
  return (line) => (sign < 0 && isAhead(line) ? null : orderedOf(line))
}

const ORDER = BASE_TYPES.PurchaseOrders
const INVOICE = BASE_TYPES.PurchaseInvoices
const RECEIPT = BASE_TYPES.PurchaseDeliveryNotes
/** From a credit memo by its invoice, the receipt of that and the invoice before the goods to the order. */
const MOST_STEPS = 4

const linesOf = (documents: ReadonlyMap<number, DocumentRow>) =>
  [...documents.values()].flatMap(({ DocumentLines }) => DocumentLines)

/** None where they may not be read, which the check and open orders note. */
async function readIfAllowed(
  system: System,
  set: 'PurchaseInvoices' | 'PurchaseDeliveryNotes',
  lines: readonly DocumentLine[],
  signal: AbortSignal,
) {
  try {
    return await readBases(system, set, lines, signal)
  } catch (error) {
    if (!isNotThere(error)) throw error
    return new Map<number, DocumentRow>()
  }
}
