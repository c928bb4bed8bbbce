// Open quantities stand in the rows. That a product is gone does not: a later read asks for those of some orders, in turn.
import { names } from '../../rows/names.ts'
import type { OrderItemRow, ScheduleLineV4Row } from '../entities.ts'
import { PURCHASE_ORDER_V4 } from '../services.ts'
import { addRecords, type Known, type SnapshotPage, stateIn } from '../../rows/pages.ts'
import type { System } from '../system.ts'
import { exactOf, mapAbout, unitsOf } from '../../rows/values.ts'
import { goneOf, goneProduct } from './gone-products.ts'
import { toOpenOrder } from './to-open-order.ts'
import { conversionOf, inBase, openInBase } from '../units.ts'
import { isOrdersState } from './changed-orders.ts'
import { byDue, isOpen, ITEMS, readHeaders, readScheduleLines } from './lines.ts'
import { keyOf, Purchases, type PurchasesState } from './purchases.ts'

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

const orderedOf = (line: ScheduleLineV4Row) =>
  unitsOf(line.ScheduleLineOrderQuantity, 'ScheduleLineOrderQuantity')

/** Items per page; their schedule lines are asked for together. */
const PAGE_ITEMS = 5_000

/** The orders of as many items have a turn … */
const LEAST_IN_TURN = 1_000
/** … or of as many that all items are through within so many reads. */
const TURNS = 24

/**
 * The open items are read each time; of a later read the schedule lines and headers of those orders alone that may have
 * changed, and the products of those in turn.
 * @param since null in a full read, which finds products that are gone by itself
 */
export async function* readOpenOrdersV4(
  system: System,
  { since, stored }: Known,
  signal: AbortSignal,
): AsyncGenerator<SnapshotPage<'openOrders'>> {
  const before = stored ? stateIn<PurchasesState>(since, isOrdersState) : null
  const known = await Purchases.read(system, 'v4', before, stored, signal)
  let [done, total]: [number, number | null] = [0, null]
  const after = before?.turn ?? ''
  let [left, turn] = [since === null ? 0 : Infinity, '']
  const query = { ...ITEMS.v4, top: Math.min(PAGE_ITEMS, system.options.page_size) }
  for await (const page of system.pages<OrderItemRow>(query, {}, signal)) {
    done += page.rows.length
    if (total === null) {
      total = page.total
      left = Math.min(left, Math.max(LEAST_IN_TURN, Math.ceil((total ?? 0) / TURNS)))
    }
    const open = page.rows.filter(isOpen)
    const inTurn = open.filter((item) => keyOf(item) > after).slice(0, left)
    if (inTurn.length) {
      left -= inTurn.length
      turn = left > 0 ? '' : keyOf(inTurn.at(-1)!)
    }
    const { items, kept } = known.split(open, inTurn)
    const { distance } = known
    const batch: SnapshotPage<'openOrders'> = {
      ...{ records: [], quarantined: [], done, total, kept },
    }
    const orders = items.map((item) => item.PurchaseOrder)
    const products = new Set(
      [...inTurn, ...items.filter(known.isBad)].flatMap(({ Material }) => Material ?? []),
    )
    const [gone, lines, headers, confirmedOf] = await Promise.all([
      goneOf(system, products, signal),
      readScheduleLines<ScheduleLineV4Row>(system, SCHEDULE_LINES_V4, orders, signal, distance),
      readHeaders(system, 'v4', orders, signal, distance),
      known.confirmedOf(system, orders, signal),
    ])
    for (const item of items) {
      const header = headers.get(item.PurchaseOrder)
      if (header?.isDeleted) continue
      const key = keyOf(item)
      const conversion = conversionOf(
        item.OrderItemQtyToBaseQtyNmrtr,
        item.OrderItemQtyToBaseQtyDnmntr,
      )
      const openOf = (line: ScheduleLineV4Row) => {
        const open = exactOf(line.OpenPurchaseOrderQuantity, 'OpenPurchaseOrderQuantity')
        return openInBase(open, orderedOf(line), conversion!)
      }
      const own = byDue(lines.get(key) ?? [])
      const received = () =>
        own.reduce((sum, line) => sum + inBase(orderedOf(line), conversion!) - openOf(line), 0n)
      const confirmed = confirmedOf(item, conversion, received, batch)
      addRecords(
        batch,
        own,
        (line) => {
          if (gone.has(item.Material!))
            return mapAbout(item.Material, item.Plant, () => {
              throw goneProduct(item.Material!)
            })
          return toOpenOrder(item, line, conversion && openOf(line), header, {
            conversion,
            confirmed,
          })
        },
        ({ ScheduleLine }) => `${SCHEDULE_LINES_V4.set}(${key}/${ScheduleLine})`,
      )
    }
    known.note(items, batch)
    yield { ...batch, notes: known.takeNotes() }
  }
  const notes = known.takeNotes()
  yield { records: [], quarantined: [], done, total, notes, ...known.cursorWith(turn) }
}
