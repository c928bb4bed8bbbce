// What nobody has ordered yet: purchase quotes, lines that somebody entered in a requisition worksheet, and blanket orders.
import { type Fatal, isRefused } from '../errors.ts'
import type { RecordOf } from '../records.ts'
import { hasKind, leaveOut, type List as Listed } from '../rows/lists.ts'
import { addRecords, type Known, type SnapshotPage } from '../rows/pages.ts'
import {
  codeOf,
  codeOrNull,
  exactOf,
  type Field,
  mapAbout,
  numberOf,
  unitsOf,
} from '../rows/values.ts'
import type { DocumentLineRow, RequisitionLineRow } from './entities.ts'
import { handOverOf, nameOfBlanketOrder } from './order-form.ts'
import { nameOfLine, type OrderOrigins, readOrderOrigins } from './order-origins.ts'
import type { System } from './system.ts'
import { choiceOf, dayOrNone } from './values.ts'

const AGREED = 'quantityBase'
const LEFT = 'outstandingQtyBase'

/**
 * Of quotes, blanket orders, return orders and credit memos. A filter cannot name blanket orders: versions write the blank in
 * "Blanket Order" differently.
 */
const DOCUMENT_LINES = {
  set: 'purchaseLines',
  $select: [
    ...['documentNo', 'purchaseLineDocumentType', 'lineNo', 'type', 'itemNo', 'locationCode'],
    ...[LEFT, 'expectedReceiptDate', 'documentDate', 'buyFromVendorNo'],
  ].join(','),
  $filter: "purchaseLineDocumentType ne 'Order' and purchaseLineDocumentType ne 'Invoice'",
  $orderby: 'documentNo,lineNo',
}

/** With what was agreed, which nobody asked for before blanket orders were read. */
const LINES_AND_AGREED = { ...DOCUMENT_LINES, $select: `${DOCUMENT_LINES.$select},${AGREED}` }

const REQUISITION_LINES = {
  set: 'requisitionLines',
  $select: [
    ...['worksheetTemplateName', 'journalBatchName', 'planningLineOrigin', 'replenishmentSystem'],
    ...['itemNo', 'locationCode', 'quantityBase', 'dueDate'],
  ].join(','),
  $orderby: 'worksheetTemplateName,journalBatchName,itemNo,locationCode,dueDate',
}

interface List {
  set: string
  $select: string
  $filter?: string
  $orderby: string
}

type Records = SnapshotPage<'drafts'>

/**
 * Orders first: what comes meanwhile is then called off twice, for one sync, and not offered again. Then requisition lines:
 * one that becomes a quote meanwhile is in both lists, and never in neither.
 * @throws Fatal where neither list may be read, or what was read before of one is refused
 */
export async function* readDrafts(
  system: System,
  signal: AbortSignal,
  known: Known,
): AsyncGenerator<SnapshotPage<'drafts'>> {
  const { analytics } = await system.services(signal)
  const { blank_location: blank, order_lines_service: service } = system.options
  const notes: string[] = []
  const called = service ? await readCalled(system, signal, known, notes) : null
  const unread: Fatal[] = []
  const read = async <Row>(
    { set, ...parameters }: List,
    isAmong: Listed<'drafts'>['isAmong'],
    lesser: List | null = null,
  ): Promise<Row[]> => {
    try {
      return await system.allByLink<Row>(analytics, set, parameters, signal)
    } catch (error) {
      const left = await leaveOut(error, known, isAmong)
      notes.push(left.message)
      if (lesser && isRefused(left)) return read(lesser, hasKind('rfq'))
      unread.push(left)
      return []
    }
  }
  const requisitions = await read<RequisitionLineRow>(REQUISITION_LINES, hasKind('requisition'))
  const all = called
    ? await read<DocumentLineRow>(LINES_AND_AGREED, hasKind('contract'), DOCUMENT_LINES)
    : await read<DocumentLineRow>(DOCUMENT_LINES, hasKind('rfq'))
  const lines = all.filter(isItem)
  if (unread.length === 2) throw unread[0]!
  const blanket = lines.filter((row) => choiceOf(row.purchaseLineDocumentType) === 'Blanket Order')
  if (!service && blanket.length)
    notes.push('Blanket orders are not read: option order_lines_service names no web service.')
  const done = requisitions.length + lines.length
  const page: Records = {
    ...{ records: [], quarantined: [], done, total: done },
    ...(notes.length && { notes }),
  }
  addRecords(
    page,
    // The blank character stands for lines that a person entered: the others may change an order that is open already.
    requisitions.filter(
      ({ planningLineOrigin: origin, replenishmentSystem: by }) =>
        choiceOf(origin) === '' && choiceOf(by) === 'Purchase',
    ),
    numbered(blank),
    (row) => `requisitionLines('${row.journalBatchName}','${row.itemNo}')`,
  )
  addRecords(
    page,
    lines.filter((row) => choiceOf(row.purchaseLineDocumentType) === 'Quote'),
    (row) => toQuote(row, blank),
    placeOf,
  )
  if (called) addRecords(page, blanket, (row) => toContract(row, called), placeOf)
  yield page
}

const placeOf = (row: DocumentLineRow) => `purchaseLines('${row.documentNo}',${row.lineNo})`

/** What orders call off from blanket orders; null, with a note, where that may not be read. */
async function readCalled(
  system: System,
  signal: AbortSignal,
  known: Known,
  notes: string[],
): Promise<OrderOrigins['called'] | null> {
  try {
    return (await readOrderOrigins(system, signal)).called
  } catch (error) {
    notes.push((await leaveOut(error, known, hasKind('contract'))).message)
    return null
  }
}

const isItem = ({ type, itemNo }: DocumentLineRow) => choiceOf(type) === 'Item' && Boolean(itemNo)

const toQuote = (row: DocumentLineRow, blank: string): RecordOf<'drafts'> | null =>
  draftOf(row, blank, 'outstandingQtyBase', (common) => ({
    document: codeOf(row.documentNo, 'documentNo'),
    line: String(row.lineNo),
    kind: 'rfq',
    ...common,
    due: dayOrNone(row.expectedReceiptDate, 'expectedReceiptDate'),
    createdOn: dayOrNone(row.documentDate, 'documentDate'),
    supplier: codeOrNull(row.buyFromVendorNo, 'buyFromVendorNo'),
    reference: handOverOf(row.documentNo),
  }))

/** What has come is taken off a blanket order, and what is on order is not. Null where nothing of it is left. */
const toContract = (
  row: DocumentLineRow,
  called: OrderOrigins['called'],
): RecordOf<'drafts'> | null =>
  mapAbout(row.itemNo, row.locationCode, () => {
    const [agreed, left] = [unitsOf(row[AGREED], AGREED), exactOf(row[LEFT], LEFT)]
    const document = nameOfBlanketOrder(codeOf(row.documentNo, 'documentNo'))
    const open = (called.get(nameOfLine(document, row.lineNo)) ?? []).map((each) =>
      exactOf(each, LEFT),
    )
    const ordered = open.reduce((sum, units) => sum + units, agreed - left)
    // Nothing is agreed where the list has no such field.
    if (!agreed || agreed <= ordered) return null
    return {
      document,
      line: String(row.lineNo),
      kind: 'contract',
      sku: codeOf(row.itemNo, 'itemNo'),
      // One without a location is of all locations.
      location: row.locationCode ?? '',
      quantity: numberOf(agreed, AGREED),
      ordered: numberOf(ordered > 0n ? ordered : 0n, LEFT),
      due: null,
      createdOn: dayOrNone(row.documentDate, 'documentDate'),
      supplier: codeOrNull(row.buyFromVendorNo, 'buyFromVendorNo'),
    }
  })

/** Worksheet lines have no numbers in the list: they are named by item and location, and counted where that is not enough. */
function numbered(blank: string) {
  const lines = new Map<string, number>()
  return (row: RequisitionLineRow): RecordOf<'drafts'> | null =>
    draftOf(row, blank, 'quantityBase', (common) => {
      const worksheet = `${row.worksheetTemplateName}/${row.journalBatchName}`
      const key = `${worksheet}\n${common.sku}\n${common.location}`
      const at = (lines.get(key) ?? 0) + 1
      lines.set(key, at)
      return {
        document: codeOf(worksheet, 'journalBatchName'),
        line: `${common.sku}/${common.location}${at > 1 ? `/${at}` : ''}`.slice(0, 100),
        kind: 'requisition',
        ...common,
        due: dayOrNone(row.dueDate, 'dueDate'),
        // The list does not say who supplies, nor when a line was entered.
        createdOn: null,
      }
    })
}

type Common = Pick<RecordOf<'drafts'>, 'sku' | 'location' | 'quantity'>

/** Null where nothing is asked for. */
function draftOf<F extends string>(
  row: { itemNo: string; locationCode: string } & Record<F, Field>,
  blank: string,
  field: F,
  compose: (common: Common) => RecordOf<'drafts'>,
): RecordOf<'drafts'> | null {
  const location = row.locationCode || blank
  return mapAbout(row.itemNo, location, () => {
    const quantity = numberOf(unitsOf(row[field], field), field)
    if (quantity === 0) return null
    const sku = codeOf(row.itemNo, 'itemNo')
    return compose({ sku, location: codeOf(location, 'locationCode'), quantity })
  })
}
