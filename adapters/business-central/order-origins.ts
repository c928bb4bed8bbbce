// From which quote or blanket order each open line of a purchase order was made: the lists of open lines do not say it.
import { leaveOut, namesDrafts } from '../rows/lists.ts'
import type { Known } from '../rows/pages.ts'
import type { Field } from '../rows/values.ts'
import type { CalledLineRow, OrderLineRow } from './entities.ts'
import type { OpenRow } from './open-lines.ts'
import { nameOfBlanketOrder } from './order-form.ts'
import type { System } from './system.ts'
import { choiceOf } from './values.ts'

const ORDER_LINES = {
  $select: [
    ...['documentNo', 'purchaseLineDocumentType', 'lineNo', 'itemNo', 'locationCode', 'quoteNo'],
    ...['expectedReceiptDate', 'outstandingQtyBase'],
  ].join(','),
  $filter: "purchaseLineDocumentType eq 'Order' and outstandingQtyBase gt 0",
  $orderby: 'documentNo,lineNo',
}

const CALLED_LINES = {
  $select: 'Document_No,Line_No,Blanket_Order_No,Blanket_Order_Line_No',
  $filter: "Blanket_Order_No ne ''",
  $orderby: 'Document_No,Line_No',
}

export const nameOfLine = (document: string, line: number | string) => `${document}/${line}`

export interface OrderOrigins {
  /** Of all lines that are one in the list; empty for those that were made of nothing. */
  draftsOf(row: Pick<OpenRow, 'document' | 'sku' | 'location' | 'due'>): readonly string[]
  /** What is outstanding of each order line that calls off from a line of a blanket order, by the name of the latter. */
  called: ReadonlyMap<string, readonly Field[]>
}

/** @throws Fatal where order lines may not be read, or the web service that names their blanket orders */
export async function readOrderOrigins(system: System, signal: AbortSignal): Promise<OrderOrigins> {
  const { analytics } = await system.services(signal)
  const rows = await system.allByLink<OrderLineRow>(analytics, 'purchaseLines', ORDER_LINES, signal)
  const blankets = await readBlanketOrders(system, signal)
  const called = new Map<string, Field[]>()
  const drafts = new Map<string, Set<string>>()
  for (const row of rows) {
    if (choiceOf(row.purchaseLineDocumentType) !== 'Order') continue
    const blanket = blankets.get(nameOfLine(row.documentNo, row.lineNo))
    if (blanket) {
      if (!called.has(blanket)) called.set(blanket, [])
      called.get(blanket)!.push(row.outstandingQtyBase)
    }
    const key = keyOf({
      document: row.documentNo,
      sku: row.itemNo,
      location: row.locationCode || system.options.blank_location,
      due: row.expectedReceiptDate,
    })
    drafts.set(key, (drafts.get(key) ?? new Set()).add(blanket ?? String(row.quoteNo ?? '')))
  }
  return { called, draftsOf: (row) => [...(drafts.get(keyOf(row)) ?? [])] }
}

const keyOf = ({ document, sku, location, due }: Parameters<OrderOrigins['draftsOf']>[0]) =>
  [document, sku, location, due].join('\n')

/** The line of a blanket order that each line of an order calls off from, by its name. */
async function readBlanketOrders(
  system: System,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const { order_lines_service: set } = system.options
  if (!set) return new Map()
  const { published } = await system.services(signal)
  const rows = await system.allByLink<CalledLineRow>(published, set, CALLED_LINES, signal)
  return new Map(
    rows
      .filter(({ Blanket_Order_No: number }) => number)
      .map((row) => [
        nameOfLine(row.Document_No, row.Line_No),
        nameOfLine(nameOfBlanketOrder(row.Blanket_Order_No), row.Blanket_Order_Line_No),
      ]),
  )
}

const NONE: OrderOrigins = { called: new Map(), draftsOf: () => [] }

/** {@link readOrderOrigins}, or none with a note that says why. @throws Fatal where orders named drafts, and it is refused */
export async function tryOrderOrigins(
  system: System,
  signal: AbortSignal,
  known: Known,
): Promise<OrderOrigins & { notes?: string[] }> {
  try {
    return await readOrderOrigins(system, signal)
  } catch (error) {
    return { ...NONE, notes: [(await leaveOut(error, known, namesDrafts)).message] }
  }
}
