// What customers have ordered and not received: sales orders.
import type { Cursor } from '../../adapter.ts'
import { names } from '../../rows/names.ts'
import { Fatal, isUnreadable } from '../../errors.ts'
import { problemOf } from '../../rows/values.ts'
import { type Known, type SnapshotPage, toQuarantinedRow } from '../../rows/pages.ts'
import type { SalesItemRow, SalesScheduleLineRow } from '../entities.ts'
import { distanceOf, itemKey, readScheduleLines } from './lines.ts'
import { nameGoneProducts } from './gone-products.ts'
import { SALES_ORDER } from '../services.ts'
import type { System } from '../system.ts'
import { toCustomerOrders } from './to-customer-order.ts'
import { readConversions } from '../units.ts'

export const SALES_ITEMS = {
  service: SALES_ORDER,
  set: 'A_SalesOrderItem',
  key: ['SalesOrder', 'SalesOrderItem'],
  select: names(
    'SalesOrder SalesOrderItem Material ProductionPlant SalesDocumentRjcnReason DeliveryStatus',
  ),
  // C: delivered; blank: nothing is to be delivered.
  filter: "SalesDocumentRjcnReason eq '' and DeliveryStatus ne 'C' and DeliveryStatus ne ''",
}

const SCHEDULE_LINES = {
  service: SALES_ORDER,
  set: 'A_SalesOrderScheduleLine',
  key: ['SalesOrder', 'SalesOrderItem', 'ScheduleLine'],
  select: names(
    `SalesOrder SalesOrderItem ScheduleLine RequestedDeliveryDate OrderQuantityUnit
     ScheduleLineOrderQuantity DeliveredQtyInOrderQtyUnit`,
  ),
}

type Batch = SnapshotPage<'customerOrders'>

/** Items per page. */
const PAGE_ITEMS = 2_000

/** @throws Fatal that says what is not known without sales orders */
export async function* readCustomerOrders(
  system: System,
  signal: AbortSignal,
  { since }: Known,
): AsyncGenerator<Batch> {
  const { items, linesOf, conversions } = await readItems(system, since, signal).catch(
    (error: unknown) => {
      throw withMeaning(error)
    },
  )
  const total = items.length
  yield { records: [], quarantined: [], done: 0, total }
  for (let at = 0; at < total; at += PAGE_ITEMS) {
    const part = items.slice(at, at + PAGE_ITEMS)
    const batch: Batch = { records: [], quarantined: [], done: at + part.length, total }
    for (const item of part) {
      const lines = linesOf(item)
      try {
        batch.records.push(...toCustomerOrders(item, lines, conversions(unitOf(item, lines))))
      } catch (error) {
        const place = `${SALES_ITEMS.set}(${itemKey(item.SalesOrder, item.SalesOrderItem)})`
        batch.quarantined.push(toQuarantinedRow(place, { ...item, lines }, problemOf(error)))
      }
    }
    yield { ...batch, quarantined: await nameGoneProducts(system, batch.quarantined, signal) }
  }
}

/** The open items with their schedule lines, all at once: a product's unit is asked for once. */
async function readItems(system: System, since: Cursor | null, signal: AbortSignal) {
  const items = (await system.all<SalesItemRow>(SALES_ITEMS, signal)).filter(isOpen)
  const orders = items.map(({ SalesOrder }) => SalesOrder)
  const lines = await readScheduleLines<SalesScheduleLineRow>(
    system,
    SCHEDULE_LINES,
    orders,
    signal,
    distanceOf(since),
  )
  const linesOf = ({ SalesOrder, SalesOrderItem }: SalesItemRow) =>
    lines.get(itemKey(SalesOrder, SalesOrderItem)) ?? []
  const units = items.map((item) => unitOf(item, linesOf(item)))
  return { items, linesOf, conversions: await readConversions(system, units, signal) }
}

const isOpen = (row: SalesItemRow): boolean =>
  !row.SalesDocumentRjcnReason &&
  Boolean(row.DeliveryStatus && row.DeliveryStatus !== 'C') &&
  Boolean(row.Material && row.ProductionPlant)

/** The lines of an item have one unit. */
const unitOf = (item: SalesItemRow, lines: readonly SalesScheduleLineRow[]) => ({
  sku: item.Material ?? '',
  unit: lines[0]?.OrderQuantityUnit ?? '',
})

function withMeaning(error: unknown): unknown {
  if (!isUnreadable(error)) return error
  const meaning =
    'Proposals do not know what customers have ordered: backorders and large orders are missing ' +
    'in them. Grant the service, or set the option sales_orders=false.'
  return new Fatal(error.code, `${error.message} ${meaning}`, error.target)
}
