// Demand by line of a document: what left for customers, less what they brought back.
import type { Stream } from '../adapter.ts'
import { changedStream } from '../odata/changed-stream.ts'
import { codeOf, dayOf, demandDayOf, mapAbout, numberOf, roundedOf } from '../rows/values.ts'
import { addRecord } from '../rows/pages.ts'
import { BASE_TYPES, lineOf, readBases } from './bases.ts'
import type { DocumentLine, DocumentRow } from './entities.ts'
import type { BusinessOneOptions } from './options.ts'
import { documents, type System } from './system.ts'
import { changedSince, isCounted, isYes, OVERLAP_MS, sinceHistory } from './values.ts'
import { stockLines } from './warehouses.ts'

/** A kind of document that moves stock. */
interface Kind {
  set: string
  /** Before the entry in a document's name. */
  prefix: string
  sign: 1 | -1
  /** Kinds that a line may take back, by their number in Business One. */
  reverses?: Record<number, string>
  /** Whether lines that were made from another document move no stock. */
  isDirect?: boolean
}

const DELIVERY = 15
const RETURN = 16
const INVOICE = BASE_TYPES.Invoices
const RETURN_REQUEST = 234_000_031
/** A line that was not made from another document. */
const NO_BASE = -1

const DELIVERIES: Kind[] = [
  { set: 'DeliveryNotes', prefix: 'D', sign: 1 },
  { set: 'Returns', prefix: 'R', sign: -1, reverses: { [DELIVERY]: 'D' } },
]
const INVOICES: Kind[] = [
  { set: 'Invoices', prefix: 'I', sign: 1, isDirect: true },
  { set: 'CreditNotes', prefix: 'C', sign: -1, isDirect: true, reverses: { [INVOICE]: 'I' } },
]
const ISSUES: Kind[] = [{ set: 'InventoryGenExits', prefix: 'X', sign: 1 }]

const FIELDS = ['DocDate', 'CancelStatus', 'ReserveInvoice', 'DocumentLines']

export const kindsOf = ({ invoices, goods_issues: issues }: BusinessOneOptions): Kind[] => [
  ...DELIVERIES,
  ...(invoices ? INVOICES : []),
  ...(issues ? ISSUES : []),
]

export function demandStream(system: System): Stream<'demand'> {
  const kinds = kindsOf(system.options)
  return changedStream<'demand', DocumentRow>(
    'demand',
    {
      ...{ reader: system, overlap: OVERLAP_MS },
      queries: (from) =>
        kinds.map(({ set }) =>
          documents(
            set,
            FIELDS,
            from === null ? sinceHistory(system.options.history_days) : changedSince(from),
          ),
        ),
      async compose(rows, signal, at) {
        const isStock = await stockLines(system, signal)
        const kind = kinds[at]!
        const lines = kind.reverses && INVOICE in kind.reverses ? rows.flatMap(linesOf) : []
        return compose(kind, rows, isStock, await readInvoiced(system, lines, signal))
      },
    },
    { isRequired: true },
  )
}

/** The line of an invoice that a line was made of. */
type Invoiced = (line: DocumentLine) => DocumentLine | undefined

const linesOf = ({ DocumentLines }: DocumentRow) => DocumentLines

async function readInvoiced(system: System, lines: readonly DocumentLine[], signal: AbortSignal) {
  const invoices = await readBases(system, 'Invoices', lines, signal)
  return ({ BaseType: type, BaseEntry: entry, BaseLine: line }: DocumentLine) => {
    const invoice = type === INVOICE ? invoices.get(entry!) : undefined
    return invoice && lineOf(invoice, line!)
  }
}

/**
 * A document that was cancelled is followed by one that cancels it; neither is demand. Nor is a reserve invoice: the delivery
 * that follows it is.
 */
function compose(
  kind: Kind,
  rows: DocumentRow[],
  isStock: (line: DocumentLine) => boolean,
  invoiced: Invoiced,
) {
  const batch = { records: [], quarantined: [], deleted: [] as Record<string, string>[] }
  for (const row of rows) {
    const isMoved = isCounted(row) && !isYes(row.ReserveInvoice)
    for (const line of row.DocumentLines) {
      if (!line.ItemCode) continue
      const document = nameOf(kind.prefix, row.DocEntry, line.LineNum)
      if (!isMoved || isYes(line.WithoutInventoryMovement) || !isStock(line))
        batch.deleted.push({ document })
      else if (movesStock(kind, line)) {
        addRecord<'demand', DocumentLine>(
          batch,
          line,
          () => toDemand(kind, row, line, document, invoiced(line)),
          () => `${kind.set}(${row.DocEntry})/${line.LineNum}`,
        )
      }
    }
  }
  return batch
}

/** What was delivered already leaves no stock when it is invoiced. */
function movesStock({ isDirect, reverses }: Kind, { BaseType: base }: DocumentLine): boolean {
  if (!isDirect || base === null || base === undefined || base === NO_BASE) return true
  if (base === DELIVERY || base === RETURN) return false
  // Of a credit memo: what an invoice moved, or its delivery, comes back to stock, or what the customer announced. Of an
  // invoice: from an order.
  return reverses === undefined || base in reverses || base === RETURN_REQUEST
}

const nameOf = (prefix: string, entry: number, line: number) => `${prefix}${entry}/${line}`

/** @param invoiced the line of an invoice that this one was made of */
const toDemand = (
  kind: Kind,
  row: DocumentRow,
  line: DocumentLine,
  document: string,
  invoiced: DocumentLine | undefined,
) =>
  mapAbout(line.ItemCode, line.WarehouseCode, () => {
    const quantity = roundedOf(line.InventoryQuantity, 'InventoryQuantity') * BigInt(kind.sign)
    if (quantity === 0n) return null
    // What an invoice says of a delivery is demand of the delivery.
    const original =
      kind.reverses && invoiced?.BaseType === DELIVERY
        ? originalOf({ [DELIVERY]: 'D' }, invoiced)
        : originalOf(kind.reverses, line)
    return {
      sku: codeOf(line.ItemCode, 'ItemCode'),
      location: codeOf(line.WarehouseCode, 'WarehouseCode'),
      date: demandDayOf(dayOf(row.DocDate, 'DocDate'), 'DocDate'),
      quantity: numberOf(quantity, 'InventoryQuantity'),
      price: null,
      promo: null,
      document,
      ...(original && { reversalOf: original }),
    }
  })

/** The document that a line takes back. */
function originalOf(
  reverses: Kind['reverses'],
  { BaseType: base, BaseEntry: entry, BaseLine: number }: DocumentLine,
): string | null {
  const prefix = reverses?.[base ?? NO_BASE]
  const isKnown = prefix && typeof entry === 'number' && typeof number === 'number'
  return isKnown ? nameOf(prefix, entry, number) : null
}
