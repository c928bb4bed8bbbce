import type { OrderItemRow, ScheduleLineV4Row } from '../entities.ts'
import { PURCHASE_ORDER_V4 } from '../services.ts'
import type { SnapshotPage } from '../../rows/snapshot.ts'
import type { System } from '../system.ts'
import { addRecords } from '../../rows/quarantine.ts'
import { toOpenOrder } from '../to-open-order.ts'
import { conversionOf, openInBase } from '../units.ts'
import { exactOf, unitsOf } from '../../rows/values.ts'
import { readHeaders } from './headers.ts'
import { isOpen, ITEMS, itemKey } from './items.ts'
import { readScheduleLines } from './schedule.ts'

export const SCHEDULE_LINES_V4 = {
  service: PURCHASE_ORDER_V4,
  set: 'PurchaseOrderScheduleLine',
  key: ['PurchaseOrder', 'PurchaseOrderItem', 'ScheduleLine'],
  // The service does not filter by open quantity, so closed schedule lines are read too.
  select: [
    'PurchaseOrder',
    'PurchaseOrderItem',
    'ScheduleLine',
    'ScheduleLineDeliveryDate',
    'ScheduleLineOrderQuantity',
    'OpenPurchaseOrderQuantity',
  ],
}

/** Items per page; their schedule lines are asked for together. */
const PAGE_ITEMS = 2_000

export async function* readOpenOrdersV4(
  system: System,
  signal: AbortSignal,
): AsyncGenerator<SnapshotPage<'openOrders'>> {
  let [done, total]: [number, number | null] = [0, null]
  const query = { ...ITEMS.v4, top: Math.min(PAGE_ITEMS, system.options.page_size) }
  for await (const page of system.pages<OrderItemRow>(query, {}, signal)) {
    done += page.rows.length
    total ??= page.total
    const batch: SnapshotPage<'openOrders'> = { records: [], quarantined: [], done, total }
    const items = page.rows.filter(isOpen)
    const orders = items.map((item) => item.PurchaseOrder)
    const [lines, headers] = await Promise.all([
      readScheduleLines<ScheduleLineV4Row>(system, SCHEDULE_LINES_V4, orders, signal),
      readHeaders(system, 'v4', orders, signal),
    ])
    for (const item of items) {
      const header = headers.get(item.PurchaseOrder)
      if (header?.isDeleted) continue
      const key = itemKey(item.PurchaseOrder, item.PurchaseOrderItem)
      const conversion = conversionOf(
        item.OrderItemQtyToBaseQtyNmrtr,
        item.OrderItemQtyToBaseQtyDnmntr,
      )
      addRecords(
        batch,
        lines.get(key) ?? [],
        (line) => {
          const open = exactOf(line.OpenPurchaseOrderQuantity, 'OpenPurchaseOrderQuantity')
          const ordered = unitsOf(line.ScheduleLineOrderQuantity, 'ScheduleLineOrderQuantity')
          const left = conversion && openInBase(open, ordered, conversion)
          return toOpenOrder(item, line, left, header)
        },
        ({ ScheduleLine }) => `${SCHEDULE_LINES_V4.set}(${key}/${ScheduleLine})`,
      )
    }
    yield batch
  }
}
