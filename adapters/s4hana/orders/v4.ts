// Open quantities stand in the rows. That a product is gone does not: a later read asks for those of some orders, in turn.
import { names } from '../../rows/names.ts'
import type { Cursor } from '../../adapter.ts'
import type { OrderItemRow, ScheduleLineV4Row } from '../entities.ts'
import { PURCHASE_ORDER_V4 } from '../services.ts'
import { addRecords, type SnapshotPage, stateIn } from '../../rows/pages.ts'
import type { System } from '../system.ts'
import { exactOf, mapAbout, unitsOf } from '../../rows/values.ts'
import { goneOf, goneProduct } from './gone-products.ts'
import { toOpenOrder } from './to-open-order.ts'
import { conversionOf, openInBase } from '../units.ts'
import { distanceOf, isOpen, itemKey, ITEMS, readHeaders, readScheduleLines } from './lines.ts'

export const SCHEDULE_LINES_V4 = {
  service: PURCHASE_ORDER_V4,
  set: 'PurchaseOrderScheduleLine',
  key: ['PurchaseOrder', 'PurchaseOrderItem', 'ScheduleLine'],
  // The service does not filter by open quantity, so closed schedule lines are read too.
  select: names(
    `PurchaseOrder PurchaseOrderItem ScheduleLine ScheduleLineDeliveryDate
     ScheduleLineOrderQuantity OpenPurchaseOrderQuantity`,
  ),
}

/** Items per page; their schedule lines are asked for together. */
const PAGE_ITEMS = 5_000

/** The products of as many items are asked for … */
const LEAST_CHECKED = 1_000
/** … or as many that all items are through within so many reads. */
const TURNS = 12

/** The cursor: the products of items after this one have the next turn. */
interface State {
  turn: string
}

/** @param since null in a full read, which finds products that are gone by itself */
export async function* readOpenOrdersV4(
  system: System,
  since: Cursor | null,
  signal: AbortSignal,
): AsyncGenerator<SnapshotPage<'openOrders'>> {
  let [done, total]: [number, number | null] = [0, null]
  const distance = distanceOf(since)
  const after = stateIn<State>(since, ({ turn }) => turn !== undefined)?.turn ?? ''
  let [left, turn] = [since === null ? 0 : Infinity, '']
  const query = { ...ITEMS.v4, top: Math.min(PAGE_ITEMS, system.options.page_size) }
  for await (const page of system.pages<OrderItemRow>(query, {}, signal)) {
    done += page.rows.length
    if (total === null) {
      total = page.total
      left = Math.min(left, Math.max(LEAST_CHECKED, Math.ceil((total ?? 0) / TURNS)))
    }
    const items = page.rows.filter(isOpen)
    const inTurn = items.filter((item) => keyOf(item) > after).slice(0, left)
    if (inTurn.length) {
      left -= inTurn.length
      turn = left > 0 ? '' : keyOf(inTurn.at(-1)!)
    }
    const cursor: Cursor = JSON.stringify({ turn } satisfies State)
    const batch: SnapshotPage<'openOrders'> = { records: [], quarantined: [], done, total, cursor }
    const orders = items.map((item) => item.PurchaseOrder)
    const products = new Set(inTurn.flatMap(({ Material }) => Material ?? []))
    const [gone, lines, headers] = await Promise.all([
      goneOf(system, products, signal),
      readScheduleLines<ScheduleLineV4Row>(system, SCHEDULE_LINES_V4, orders, signal, distance),
      readHeaders(system, 'v4', orders, signal, distance),
    ])
    for (const item of items) {
      const header = headers.get(item.PurchaseOrder)
      if (header?.isDeleted) continue
      const key = keyOf(item)
      const conversion = conversionOf(
        item.OrderItemQtyToBaseQtyNmrtr,
        item.OrderItemQtyToBaseQtyDnmntr,
      )
      addRecords(
        batch,
        lines.get(key) ?? [],
        (line) => {
          if (gone.has(item.Material!))
            return mapAbout(item.Material, item.Plant, () => {
              throw goneProduct(item.Material!)
            })
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

const keyOf = (item: OrderItemRow) => itemKey(item.PurchaseOrder, item.PurchaseOrderItem)
