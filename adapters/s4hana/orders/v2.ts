import { names } from '../../rows/names.ts'
import type { Cursor } from '../../adapter.ts'
import type { Exact } from '../../rows/decimals.ts'
import type { OrderItemRow, ScheduleLineV2Row } from '../entities.ts'
import { PURCHASE_ORDER_V2 } from '../services.ts'
import { addRecords, type Batch, type Known, type SnapshotPage, stateIn } from '../../rows/pages.ts'
import type { System } from '../system.ts'
import { readWhole } from '../changes.ts'
import { nameGoneProducts } from './gone-products.ts'
import { toOpenOrder } from './to-open-order.ts'
import { type Conversions, inBase, readConversions } from '../units.ts'
import { unitsOf } from '../../rows/values.ts'
import { isOrdersState, ordersInTurn } from './changed-orders.ts'
import { byDue, isOpen, itemKey, ITEMS, readHeaders, readScheduleLines } from './lines.ts'
import { Purchases, type PurchasesState } from './purchases.ts'
import { readReceived } from './received.ts'

export const SCHEDULE_LINES_V2 = {
  service: PURCHASE_ORDER_V2,
  set: 'A_PurchaseOrderScheduleLine',
  key: ['PurchasingDocument', 'PurchasingDocumentItem', 'ScheduleLine'],
  select: names(
    `PurchasingDocument PurchasingDocumentItem ScheduleLine ScheduleLineDeliveryDate
     ScheduleLineOrderQuantity`,
  ),
}

/** Items per page; their schedule lines are asked for together. */
const PAGE_ITEMS = 5_000

/** Keeps all open items in memory until their receipts are read. */
export async function* readOpenOrdersV2(
  system: System,
  { since, stored }: Known,
  signal: AbortSignal,
): AsyncGenerator<SnapshotPage<'openOrders'>> {
  const before = stored ? stateIn<State>(since, isOrdersState) : null
  const known = await Purchases.read(system, 'v2', before, stored, signal)
  const { rows, began } = await readWhole<OrderItemRow>(system, ITEMS.v2, signal)
  const open = rows.filter(isOpen)
  const receipts = { since: before?.receipts ?? null, began }
  const { received, asked, quarantined, cursor } = await readReceived(
    system,
    open,
    receipts,
    signal,
  )
  const [orders, turn] = ordersInTurn(
    open.map(({ PurchaseOrder }) => PurchaseOrder),
    before?.turn ?? '',
  )
  const inTurn = open.filter(({ PurchaseOrder: order }) => orders.has(order) || asked.has(order))
  const { items, kept } = known.split(open, inTurn)
  const conversions = await readConversions(system, items.map(unitOf), signal)
  const [total, stay] = [open.length, open.length - items.length]
  yield { records: [], quarantined, done: stay, total, kept, notes: known.takeNotes() }
  for (let at = 0; at < items.length; at += PAGE_ITEMS) {
    const part = items.slice(at, at + PAGE_ITEMS)
    const batch = await readOrders(system, part, { received, conversions, known }, signal)
    known.note(part, batch)
    yield { ...batch, done: stay + at + part.length, total, notes: known.takeNotes() }
  }
  yield {
    records: [],
    quarantined: [],
    done: total,
    total,
    ...known.cursorWith(turn, { receipts: cursor }),
  }
}

/** The cursor. */
interface State extends PurchasesState {
  /** What has been received of the open items. */
  receipts: Cursor
}

async function readOrders(
  system: System,
  items: OrderItemRow[],
  {
    received,
    conversions,
    known,
  }: { received: ReadonlyMap<string, Exact>; conversions: Conversions; known: Purchases },
  signal: AbortSignal,
): Promise<Batch<'openOrders'>> {
  const batch: Batch<'openOrders'> = { records: [], quarantined: [] }
  const orders = items.map((item) => item.PurchaseOrder)
  const { distance } = known
  const [lines, headers, confirmedOf] = await Promise.all([
    readScheduleLines<ScheduleLineV2Row>(system, SCHEDULE_LINES_V2, orders, signal, distance),
    readHeaders(system, 'v2', orders, signal, distance),
    known.confirmedOf(system, orders, signal),
  ])
  for (const item of items) {
    const header = headers.get(item.PurchaseOrder)
    if (header?.isDeleted) continue
    const key = itemKey(item.PurchaseOrder, item.PurchaseOrderItem)
    const conversion = conversions(unitOf(item))
    const total = received.get(key) ?? 0n
    let left = total
    const confirmed = confirmedOf(item, conversion, () => total, batch)
    addRecords(
      batch,
      byDue(lines.get(key) ?? []),
      (line) => {
        if (!conversion) return toOpenOrder(item, line, null, header)
        const field = 'ScheduleLineOrderQuantity'
        const ordered = inBase(unitsOf(line[field], field), conversion)
        const served = clamp(left, ordered)
        left -= served
        return toOpenOrder(item, line, ordered - served, header, { conversion, confirmed })
      },
      ({ ScheduleLine }) => `${SCHEDULE_LINES_V2.set}(${key}/${ScheduleLine})`,
    )
  }
  return { ...batch, quarantined: await nameGoneProducts(system, batch.quarantined, signal) }
}

const unitOf = (item: OrderItemRow) => ({
  sku: item.Material ?? '',
  unit: item.PurchaseOrderQuantityUnit ?? '',
})

const clamp = (value: Exact, most: Exact): Exact => (value < 0n ? 0n : value > most ? most : value)
