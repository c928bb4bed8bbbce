import { isNotThere } from '../errors.ts'
import type { Known, SnapshotPage } from '../rows/pages.ts'
import type { PromisedLineRow, PurchaseLineRow, SalesLineRow, TransferRow } from './entities.ts'
import { numberLines, type OpenRow } from './open-lines.ts'
import { tryOrderOrigins } from './order-origins.ts'
import type { System } from './system.ts'
import { readTransfers } from './ledger.ts'
import { choiceOf } from './values.ts'

const PURCHASE_FIELDS = [
  ...['documentNo', 'documentType', 'itemNo', 'locationCode', 'expectedReceiptDate'],
  ...['buyFromVendorNo', 'outstandingQtyBase'],
]
/** The published page has lines of all kinds, and those that have arrived. */
export const PROMISED = {
  select: [
    ...['documentType', 'documentNumber', 'type', 'number', 'locationCode', 'buyFromVendorNumber'],
    ...['outstandingQtyBase', 'outstandingAmtExVatLcy', 'requestedReceiptDate'],
    ...['promisedReceiptDate', 'expectedReceiptDate'],
  ],
  filter: "documentType eq 'Order' and type eq 'Item' and outstandingQtyBase gt 0",
}
export const WITHOUT_PROMISES = 'What suppliers promise is not known without it.'
const SALES_FIELDS = [
  ...['documentNo', 'documentType', 'itemNo', 'locationCode', 'shipmentDate'],
  'outstandingQtyBase',
]
const PAGE_LINES = 1_000

/** What suppliers owe, and what is on its way from other locations. Both lists hold open lines only. */
export async function* readOpenOrders(
  system: System,
  signal: AbortSignal,
  known: Known,
): AsyncGenerator<SnapshotPage<'openOrders'>> {
  const { blank_location: blank } = system.options
  const { set, rows, notes = [] } = await readPurchases(system, signal)
  const transfers = await readTransfers(system, signal)
  const page = emptyPage<'openOrders'>(rows.length + transfers.length)
  const origins = await tryOrderOrigins(system, signal, known)
  notes.push(...(origins.notes ?? []))
  const named = rows.map((row) => ({ ...row, drafts: origins.draftsOf(row) }))
  const purchases = numberLines(named, page, set)
  const onTheWay = numberLines(transfers.map(transfer(blank)), page, 'transferLines')
  yield* pagesOf(notes.length ? { ...page, notes } : page, [...purchases, ...onTheWay])
}

interface Purchases {
  set: string
  rows: OpenRow[]
  notes?: string[]
}

/** From the published page, where it is named and may be read. */
async function readPurchases(system: System, signal: AbortSignal): Promise<Purchases> {
  const { purchase_line_service: set } = system.options
  if (!set) return readOutstanding(system, signal)
  try {
    const { published } = await system.services(signal)
    const query = { $select: PROMISED.select.join(','), $filter: PROMISED.filter }
    const $orderby = 'documentNumber,lineNumber'
    const rows = await system.allByLink<PromisedLineRow>(
      ...([published, set, { ...query, $orderby }, signal] as const),
    )
    const { blank_location: blank } = system.options
    return { set, rows: rows.map(promised(blank)) }
  } catch (error) {
    if (!isNotThere(error)) throw error
    const note = `${error.message} ${WITHOUT_PROMISES}`
    return { ...(await readOutstanding(system, signal)), notes: [note] }
  }
}

async function readOutstanding(system: System, signal: AbortSignal): Promise<Purchases> {
  const { blank_location: blank } = system.options
  const set = 'outstandingPurchaseLines'
  const order = 'documentNo,itemNo,locationCode,expectedReceiptDate'
  const lines = await readLines<PurchaseLineRow>(system, set, PURCHASE_FIELDS, order, signal)
  // Goods that go back to the supplier are in the same list.
  const orders = lines.filter(({ documentType }) => choiceOf(documentType) === 'Order')
  return { set, rows: orders.map(purchase(blank)) }
}

/** What customers wait for. */
export async function* readCustomerOrders(
  system: System,
  signal: AbortSignal,
): AsyncGenerator<SnapshotPage<'customerOrders'>> {
  const { blank_location: blank } = system.options
  const order = 'documentNo,itemNo,locationCode,shipmentDate'
  const lines = await readLines<SalesLineRow>(
    ...([system, 'outstandingSalesLines', SALES_FIELDS, order, signal] as const),
  )
  const page = emptyPage<'customerOrders'>(lines.length)
  const open = numberLines(
    lines.filter(({ documentType }) => choiceOf(documentType) === 'Order').map(sale(blank)),
    ...([page, 'outstandingSalesLines'] as const),
  )
  yield* pagesOf(
    page,
    open.map(({ supplier: _s, reference: _r, ...line }) => line),
  )
}

async function readLines<Row>(
  system: System,
  set: string,
  select: string[],
  order: string,
  signal: AbortSignal,
): Promise<Row[]> {
  const { analytics } = await system.services(signal)
  return system.allByLink<Row>(
    analytics,
    set,
    { $select: select.join(','), $orderby: order },
    signal,
  )
}

const purchase =
  (blank: string) =>
  (row: PurchaseLineRow): OpenRow => ({
    ...{ document: row.documentNo, sku: row.itemNo, location: row.locationCode || blank, row },
    ...{ quantity: row.outstandingQtyBase, due: row.expectedReceiptDate },
    supplier: textOrNull(row.buyFromVendorNo),
    fields: { quantity: 'outstandingQtyBase', due: 'expectedReceiptDate' },
  })

const promised =
  (blank: string) =>
  (row: PromisedLineRow): OpenRow => ({
    ...{ document: row.documentNumber, sku: row.number, location: row.locationCode || blank, row },
    ...{ quantity: row.outstandingQtyBase, due: row.expectedReceiptDate },
    ...{ promised: row.promisedReceiptDate, requested: row.requestedReceiptDate },
    amount: row.outstandingAmtExVatLcy,
    supplier: textOrNull(row.buyFromVendorNumber),
    fields: { quantity: 'outstandingQtyBase', due: 'expectedReceiptDate' },
  })

const textOrNull = (value: unknown) => (typeof value === 'string' && value ? value : null)

const sale =
  (blank: string) =>
  (row: SalesLineRow): OpenRow => ({
    ...{ document: row.documentNo, sku: row.itemNo, location: row.locationCode || blank, row },
    ...{ quantity: row.outstandingQtyBase, due: row.shipmentDate, supplier: null },
    fields: { quantity: 'outstandingQtyBase', due: 'shipmentDate' },
  })

const transfer =
  (blank: string) =>
  (row: TransferRow): OpenRow => ({
    ...{ document: row.documentNo, sku: row.itemNo, row },
    ...{ location: row.transferToLocationCode || blank, supplier: null },
    ...{ quantity: row.qtyInTransitBase, due: row.receiptDate },
    fields: { quantity: 'qtyInTransitBase', due: 'receiptDate' },
  })

const emptyPage = <K extends 'openOrders' | 'customerOrders'>(rows: number): SnapshotPage<K> => ({
  ...{ records: [], quarantined: [], done: rows, total: rows },
})

function* pagesOf<K extends 'openOrders' | 'customerOrders'>(
  first: SnapshotPage<K>,
  records: SnapshotPage<K>['records'],
): Generator<SnapshotPage<K>> {
  yield { ...first, records: records.slice(0, PAGE_LINES) }
  for (let at = PAGE_LINES; at < records.length; at += PAGE_LINES) {
    yield { ...first, quarantined: [], notes: [], records: records.slice(at, at + PAGE_LINES) }
  }
}
