// Open lines of purchase orders and of customers' orders, and of invoices that come before the goods.
import {
  BadValue,
  codeOf,
  codeOrNull,
  dayOf,
  mapAbout,
  numberOf,
  roundedOf,
} from '../rows/values.ts'
import type { KeysetQuery } from '../odata/keyset.ts'
import type { RecordKind, RecordOf } from '../records.ts'
import { leaveOut, type Stored } from '../rows/lists.ts'
import { type Exact, multiplyByRatio, toMoney } from '../rows/decimals.ts'
import { addRecord, ifGoodOrNoted, type Known, type SnapshotPage } from '../rows/pages.ts'
import { draftOf } from './drafts.ts'
import type { DocumentLine, DocumentRow } from './entities.ts'
import { documents, type System } from './system.ts'
import {
  isCounted,
  isIsoCurrency,
  isOpen,
  OPEN_DOCUMENTS,
  referenceOf,
  sinceHistory,
} from './values.ts'
import { stockLines } from './warehouses.ts'

const FIELDS = ['DocNum', 'DocDate', 'CardCode', 'NumAtCard', 'DocumentLines']

export const openDocuments = (set: 'PurchaseOrders' | 'Orders') =>
  documents(set, FIELDS, OPEN_DOCUMENTS)

/** An invoice before the goods closes the order that it was made of: what is left of it stands in the invoice. */
export type ReserveSet = 'PurchaseInvoices' | 'Invoices'

/** A payment closes the invoice, whether the goods have moved or not: closed ones are looked at for so long. */
const PAID_DAYS = 120

export const reserveInvoices = (set: ReserveSet) =>
  documents(
    set,
    [...FIELDS, 'CancelStatus'],
    `ReserveInvoice eq 'tYES' and Cancelled eq 'tNO' and (DocumentStatus eq 'bost_Open' or ${sinceHistory(PAID_DAYS)})`,
  )

/** What is still to come from suppliers. */
export async function* readOpenOrders(
  system: System,
  signal: AbortSignal,
  known: Known,
): AsyncGenerator<SnapshotPage<'openOrders'>> {
  const sets = ['PurchaseOrders', 'PurchaseInvoices'] as const
  for await (const { page, lines } of readBoth<'openOrders'>(system, sets, signal, known)) {
    for (const { document, name, line, place } of lines) {
      const map = () => {
        const open = toOpenLine(name, line)
        if (!open) return null
        const known = <T extends object>(find: () => T) => ifGoodOrNoted(page, line, place, find)
        return {
          ...{ ...open, reference: referenceOf(document), due: null },
          supplier: codeOrNull(document.CardCode, 'CardCode'),
          ...known(() => ({ due: dueOf(line) })),
          ...known(() => ({ orderedOn: dayOf(document.DocDate, 'DocDate') })),
          ...known(() => priceOf(line)),
          ...draftOf(line),
        }
      }
      addRecord(page, line, map, () => place)
    }
    yield page
  }
}

/** What customers still wait for. */
export async function* readCustomerOrders(
  system: System,
  signal: AbortSignal,
  known: Known,
): AsyncGenerator<SnapshotPage<'customerOrders'>> {
  const sets = ['Orders', 'Invoices'] as const
  for await (const { page, lines } of readBoth<'customerOrders'>(system, sets, signal, known)) {
    for (const { name, line, place } of lines) {
      addRecord(
        page,
        line,
        () => {
          const open = toOpenLine(name, line)
          return open && { ...open, due: dueOf(line) }
        },
        () => place,
      )
    }
    yield page
  }
}

interface Line {
  document: DocumentRow
  name: string
  line: DocumentLine
  place: string
}

interface Lines<K extends RecordKind> {
  page: SnapshotPage<K>
  lines: Line[]
}

/** Lines of open orders, and of reserve invoices where those may be read; a note says where they may not. */
async function* readBoth<K extends 'openOrders' | 'customerOrders'>(
  system: System,
  [orders, invoices]: readonly ['PurchaseOrders' | 'Orders', ReserveSet],
  signal: AbortSignal,
  known: Known,
): AsyncGenerator<Lines<K>> {
  // Invoices first: an order that becomes one meanwhile is in both lists for one sync, and never in neither.
  try {
    const list = { query: reserveInvoices(invoices), nameOf: nameOfInvoice(invoices) }
    yield* readLines<K>(system, list, signal)
  } catch (error) {
    const isAmong = (stored: readonly Stored[]) =>
      stored.some(({ document }) => String(document).startsWith(`${invoices}(`))
    const { message } = await leaveOut(error, known, isAmong)
    const notes = [`${message} What is invoiced before the goods move is not known without it.`]
    yield { page: { records: [], quarantined: [], done: 0, total: null, notes }, lines: [] }
  }
  const list = { query: openDocuments(orders), nameOf: namesOfOrders(), isOpen: isOpenLine }
  yield* readLines<K>(system, list, signal)
}

type NameOf = (document: DocumentRow) => string

interface List {
  query: KeysetQuery
  nameOf: NameOf
  /** Lines of a paid invoice are closed, whether the goods have moved or not: what is open stands in their quantity alone. */
  isOpen?: (line: DocumentLine) => boolean
}

const isOpenLine = ({ LineStatus }: DocumentLine) => isOpen(LineStatus)

async function* readLines<K extends 'openOrders' | 'customerOrders'>(
  system: System,
  { query, nameOf, isOpen = () => true }: List,
  signal: AbortSignal,
): AsyncGenerator<Lines<K>> {
  const isStock = await stockLines(system, signal)
  let done = 0
  for await (const { rows } of system.pages<DocumentRow>(query, null, signal)) {
    done += rows.length
    const page: SnapshotPage<K> = { records: [], quarantined: [], done, total: null }
    const lines = rows.filter(isCounted).flatMap((document) =>
      document.DocumentLines.map((line) => ({
        ...{ document, name: nameOf(document), line },
        place: `${query.set}(${document.DocEntry})/${line.LineNum}`,
      })),
    )
    yield { page, lines: lines.filter(({ line }) => isStock(line) && isOpen(line)) }
  }
}

/** The number that people know; it may be given again in another series, and then the entry is behind it. */
function namesOfOrders(): NameOf {
  const names = new Map<number, number>()
  return ({ DocNum, DocEntry }) => {
    const first = names.get(DocNum) ?? DocEntry
    names.set(DocNum, first)
    return first === DocEntry ? String(DocNum) : `${DocNum}/${DocEntry}`
  }
}

/** An order may have the number of an invoice. */
export const nameOfInvoice =
  (set: ReserveSet): NameOf =>
  ({ DocEntry }) =>
    `${set}(${DocEntry})`

/** What an inventory unit costs; nothing without a price. @throws BadValue */
function priceOf(line: DocumentLine): Pick<RecordOf<'openOrders'>, 'unitCost' | 'currency'> {
  const [price, quantity, units] = (['Price', 'Quantity', 'InventoryQuantity'] as const).map(
    (field) => roundedOf(line[field] ?? 0, field),
  ) as [Exact, Exact, Exact]
  if (price <= 0n || quantity <= 0n || units <= 0n) return {}
  const currency = line.Currency || null
  if (currency !== null && !isIsoCurrency(currency)) return {}
  return { unitCost: toMoney(multiplyByRatio(price, quantity, units)), currency }
}

const toOpenLine = (document: string, line: DocumentLine) =>
  mapAbout(line.ItemCode, line.WarehouseCode, () => {
    const field = 'RemainingOpenInventoryQuantity'
    const { [field]: remaining } = line
    if (remaining === undefined || remaining === null) {
      throw new BadValue(field, 'is missing: what is open is not known in the inventory unit')
    }
    const open = roundedOf(remaining, field)
    if (open <= 0n) return null
    return {
      document,
      line: String(line.LineNum),
      sku: codeOf(line.ItemCode, 'ItemCode'),
      location: codeOf(line.WarehouseCode, 'WarehouseCode'),
      quantity: numberOf(open, field),
    }
  })

const dueOf = ({ ShipDate }: DocumentLine) => dayOf(ShipDate, 'ShipDate')
