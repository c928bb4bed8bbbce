import type { SnapshotPage } from '../rows/pages.ts'
import type { PurchaseLineRow, SalesLineRow, TransferRow } from './entities.ts'
import { numberLines, type OpenRow } from './open-lines.ts'
import { tryOrderOrigins } from './order-origins.ts'
import type { System } from './system.ts'
import { readTransfers } from './ledger.ts'
import { choiceOf } from './values.ts'

const PURCHASE_FIELDS = [
  ...['documentNo', 'documentType', 'itemNo', 'locationCode', 'expectedReceiptDate'],
  ...['buyFromVendorNo', 'outstandingQtyBase'],
]
const SALES_FIELDS = [
  ...['documentNo', 'documentType', 'itemNo', 'locationCode', 'shipmentDate'],
  'outstandingQtyBase',
]
const PAGE_LINES = 1_000

/** What suppliers owe, and what is on its way from other locations. Both lists hold open lines only. */
export async function* readOpenOrders(
  system: System,
  signal: AbortSignal,
): AsyncGenerator<SnapshotPage<'openOrders'>> {
  const { blank_location: blank } = system.options
  const order = 'documentNo,itemNo,locationCode,expectedReceiptDate'
  const lines = await readLines<PurchaseLineRow>(
    ...([system, 'outstandingPurchaseLines', PURCHASE_FIELDS, order, signal] as const),
  )
  const transfers = await readTransfers(system, signal)
  const { draftOf, notes } = await tryOrderOrigins(system, signal)
  const page = {
    ...emptyPage<'openOrders'>(lines.length + transfers.length),
    ...(notes && { notes }),
  }
  const purchases = numberLines(
    // Goods that go back to the supplier are in the same list.
    lines.filter(({ documentType }) => choiceOf(documentType) === 'Order').map(purchase(blank)),
    ...([page, 'outstandingPurchaseLines'] as const),
  ).map((line) => ({ ...line, ...draftOf(line) }))
  const onTheWay = numberLines(transfers.map(transfer(blank)), page, 'transferLines')
  yield* pagesOf(page, [...purchases, ...onTheWay])
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
    supplier:
      typeof row.buyFromVendorNo === 'string' && row.buyFromVendorNo ? row.buyFromVendorNo : null,
    fields: { quantity: 'outstandingQtyBase', due: 'expectedReceiptDate' },
  })

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
