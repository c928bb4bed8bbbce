// What nobody has ordered yet: purchase quotes, and lines that somebody entered in a requisition worksheet.
import { type Fatal, isUnreadable } from '../errors.ts'
import type { RecordOf } from '../records.ts'
import { addRecords, type SnapshotPage } from '../rows/pages.ts'
import { codeOf, codeOrNull, type Field, mapAbout, numberOf, unitsOf } from '../rows/values.ts'
import type { QuoteLineRow, RequisitionLineRow } from './entities.ts'
import { handOverOf } from './order-form.ts'
import type { System } from './system.ts'
import { choiceOf, dayOrNone } from './values.ts'

export const QUOTE_LINES = {
  set: 'purchaseLines',
  $select: [
    ...['documentNo', 'purchaseLineDocumentType', 'lineNo', 'type', 'itemNo', 'locationCode'],
    ...['outstandingQtyBase', 'expectedReceiptDate', 'documentDate', 'buyFromVendorNo'],
  ].join(','),
  $filter: "purchaseLineDocumentType eq 'Quote'",
  $orderby: 'documentNo,lineNo',
}

export const REQUISITION_LINES = {
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
 * Requisition lines first: one that becomes a quote meanwhile is in both lists for one sync, and never in neither.
 * @throws Fatal where neither list may be read
 */
export async function* readDrafts(
  system: System,
  signal: AbortSignal,
): AsyncGenerator<SnapshotPage<'drafts'>> {
  const { analytics } = await system.services(signal)
  const unread: Fatal[] = []
  const read = async <Row>({ set, ...parameters }: List): Promise<Row[]> => {
    try {
      return await system.allByLink<Row>(analytics, set, parameters, signal)
    } catch (error) {
      if (!isUnreadable(error)) throw error
      unread.push(error)
      return []
    }
  }
  const requisitions = await read<RequisitionLineRow>(REQUISITION_LINES)
  const quotes = await read<QuoteLineRow>(QUOTE_LINES)
  if (unread.length === 2) throw unread[0]!
  const done = requisitions.length + quotes.length
  const notes = unread.map(({ message }) => message)
  const page: Records = {
    ...{ records: [], quarantined: [], done, total: done },
    ...(notes.length && { notes }),
  }
  const { blank_location: blank } = system.options
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
    quotes.filter((row) => choiceOf(row.purchaseLineDocumentType) === 'Quote' && isItem(row)),
    (row) => toQuote(row, blank),
    (row) => `purchaseLines('${row.documentNo}',${row.lineNo})`,
  )
  yield page
}

const isItem = ({ type, itemNo }: QuoteLineRow) => choiceOf(type) === 'Item' && Boolean(itemNo)

const toQuote = (row: QuoteLineRow, blank: string): RecordOf<'drafts'> | null =>
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
