// Open lines of purchase orders and of customers' orders.
import {
  BadValue,
  codeOf,
  codeOrNull,
  dayOf,
  mapAbout,
  numberOf,
  roundedOf,
} from '../rows/values.ts'
import type { RecordOf } from '../records.ts'
import { type Exact, multiplyByRatio, toMoney } from '../rows/decimals.ts'
import { addRecord, ifGoodOrNoted, type SnapshotPage } from '../rows/pages.ts'
import { draftOf } from './drafts.ts'
import type { DocumentLine, DocumentRow } from './entities.ts'
import { documents, type System } from './system.ts'
import { isIsoCurrency, isOpen, OPEN_DOCUMENTS, referenceOf } from './values.ts'

const FIELDS = ['DocNum', 'DocDate', 'CardCode', 'NumAtCard', 'DocumentLines']

export const openDocuments = (set: 'PurchaseOrders' | 'Orders') =>
  documents(set, FIELDS, OPEN_DOCUMENTS)

/** What is still to come from suppliers. */
export async function* readOpenOrders(
  system: System,
  signal: AbortSignal,
): AsyncGenerator<SnapshotPage<'openOrders'>> {
  for await (const { page, lines } of readOpenLines<'openOrders'>(
    system,
    'PurchaseOrders',
    signal,
  )) {
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
): AsyncGenerator<SnapshotPage<'customerOrders'>> {
  for await (const { page, lines } of readOpenLines<'customerOrders'>(system, 'Orders', signal)) {
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

async function* readOpenLines<K extends 'openOrders' | 'customerOrders'>(
  system: System,
  set: 'PurchaseOrders' | 'Orders',
  signal: AbortSignal,
): AsyncGenerator<{ page: SnapshotPage<K>; lines: Line[] }> {
  let done = 0
  const names = new Map<number, number>()
  for await (const { rows } of system.pages<DocumentRow>(openDocuments(set), null, signal)) {
    done += rows.length
    const page: SnapshotPage<K> = { records: [], quarantined: [], done, total: null }
    const lines = rows.flatMap((document) =>
      document.DocumentLines.map((line) => ({
        ...{ document, name: nameOf(document, names), line },
        place: `${set}(${document.DocEntry})/${line.LineNum}`,
      })),
    )
    // Lines of services have no item.
    yield { page, lines: lines.filter(({ line }) => line.ItemCode && isOpen(line.LineStatus)) }
  }
}

/** The number that people know; it may be given again in another series, and then the entry is behind it. */
function nameOf({ DocNum, DocEntry }: DocumentRow, names: Map<number, number>): string {
  const first = names.get(DocNum) ?? DocEntry
  names.set(DocNum, first)
  return first === DocEntry ? String(DocNum) : `${DocNum}/${DocEntry}`
}

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
