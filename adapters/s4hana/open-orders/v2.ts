import type { Exact } from '../../rows/decimals.ts'
import type { OrderItemRow, ScheduleLineV2Row } from '../entities.ts'
import { PURCHASE_ORDER_V2 } from '../services.ts'
import type { SnapshotPage } from '../../rows/snapshot.ts'
import type { System } from '../system.ts'
import { addRecords } from '../../rows/quarantine.ts'
import { toOpenOrder } from '../to-open-order.ts'
import { readConversions, inBase } from '../units.ts'
import { instantOf } from '../../rows/days.ts'
import { unitsOf } from '../../rows/values.ts'
import { readHeaders } from './headers.ts'
import { isOpen, ITEMS, itemKey } from './items.ts'
import { readReceipts } from './receipts.ts'
import { readScheduleLines } from './schedule.ts'

export const SCHEDULE_LINES_V2 = {
  service: PURCHASE_ORDER_V2,
  set: 'A_PurchaseOrderScheduleLine',
  key: ['PurchasingDocument', 'PurchasingDocumentItem', 'ScheduleLine'],
  select: [
    'PurchasingDocument',
    'PurchasingDocumentItem',
    'ScheduleLine',
    'ScheduleLineDeliveryDate',
    'ScheduleLineOrderQuantity',
  ],
}

/** Keeps all open items in memory until their receipts are read. */
export async function* readOpenOrdersV2(
  system: System,
  signal: AbortSignal,
): AsyncGenerator<SnapshotPage<'openOrders'>> {
  const pages: OrderItemRow[][] = []
  for await (const { rows } of system.pages<OrderItemRow>(ITEMS.v2, {}, signal)) {
    pages.push(rows.filter(isOpen))
  }
  const orders = new Set(pages.flat().map((item) => item.PurchaseOrder))
  const { received, quarantined } = await readReceipts(system, orders, signal)
  const total = pages.reduce((sum, { length }) => sum + length, 0)
  yield { records: [], quarantined, done: 0, total }
  let done = 0
  for (const items of pages) {
    done += items.length
    const batch: SnapshotPage<'openOrders'> = { records: [], quarantined: [], done, total }
    await addOrders(system, items, received, batch, signal)
    yield batch
  }
}

async function addOrders(
  system: System,
  items: OrderItemRow[],
  received: Map<string, Exact>,
  batch: SnapshotPage<'openOrders'>,
  signal: AbortSignal,
) {
  const orders = items.map((item) => item.PurchaseOrder)
  const [lines, headers, conversions] = await Promise.all([
    readScheduleLines<ScheduleLineV2Row>(system, SCHEDULE_LINES_V2, orders, signal),
    readHeaders(system, 'v2', orders, signal),
    readConversions(system, items.map(unitOf), signal),
  ])
  for (const item of items) {
    const header = headers.get(item.PurchaseOrder)
    if (header?.isDeleted) continue
    const key = itemKey(item.PurchaseOrder, item.PurchaseOrderItem)
    const conversion = conversions(unitOf(item))
    let left = received.get(key) ?? 0n
    addRecords(
      batch,
      byDue(lines.get(key) ?? []),
      (line) => {
        if (!conversion) return toOpenOrder(item, line, null, header)
        const field = 'ScheduleLineOrderQuantity'
        const ordered = inBase(unitsOf(line[field], field), conversion)
        const served = clamp(left, ordered)
        left -= served
        return toOpenOrder(item, line, ordered - served, header)
      },
      ({ ScheduleLine }) => `${SCHEDULE_LINES_V2.set}(${key}/${ScheduleLine})`,
    )
  }
}

const unitOf = (item: OrderItemRow) => ({
  sku: item.Material ?? '',
  unit: item.PurchaseOrderQuantityUnit ?? '',
})

const clamp = (value: Exact, most: Exact): Exact => (value < 0n ? 0n : value > most ? most : value)

/** Receipts are applied to the line that is due first. */
function byDue(lines: ScheduleLineV2Row[]): ScheduleLineV2Row[] {
  const due = (line: ScheduleLineV2Row) => instantOf(line.ScheduleLineDeliveryDate) ?? Infinity
  return lines.toSorted((a, b) => (due(a) === due(b) ? 0 : due(a) - due(b)))
}
