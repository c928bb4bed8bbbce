// What customers have ordered and not received: sales orders.
import { DISTANCE } from '../../odata/keys.ts'
import { packLines, unpackLines } from '../../rows/packed.ts'
import { names } from '../../rows/names.ts'
import { Fatal, isUnreadable } from '../../errors.ts'
import { problemOf } from '../../rows/values.ts'
import { type Known, type SnapshotPage, stateIn, toQuarantinedRow } from '../../rows/pages.ts'
import type { SalesItemRow, SalesScheduleLineRow } from '../entities.ts'
import {
  firstState,
  isOrdersState,
  orderChanges,
  type OrderChanges,
  ordersInTurn,
  type OrdersState,
} from './changed-orders.ts'
import { itemKey, readScheduleLines } from './lines.ts'
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

const HEADERS = {
  service: SALES_ORDER,
  set: 'A_SalesOrder',
  key: ['SalesOrder'],
  select: ['SalesOrder', 'LastChangeDateTime'],
}

type Batch = SnapshotPage<'customerOrders'>

/** Items per page. */
const PAGE_ITEMS = 2_000

/** The cursor. */
interface State extends OrdersState {
  /** Items of which a part was delivered, packed. */
  partly: string
}

/**
 * The open items are read each time; of a later read the schedule lines of those alone that may have changed: new ones,
 * those with another delivery status, of changed orders, of pairs that were delivered from, and some in turn.
 * @throws Fatal that says what is not known without sales orders
 */
export async function* readCustomerOrders(
  system: System,
  signal: AbortSignal,
  { since, stored }: Known,
): AsyncGenerator<Batch> {
  const before = stored ? stateIn<State>(since, isOrdersState) : null
  const { items, due, next, kept, ...read } = await readItems(
    system,
    before,
    before ? await stored!() : [],
    signal,
  ).catch((error: unknown) => {
    throw withMeaning(error)
  })
  const total = items.length
  yield { records: [], quarantined: [], done: total - due.length, total, kept }
  const bad = new Set<string>()
  for (let at = 0; at < due.length; at += PAGE_ITEMS) {
    const part = due.slice(at, at + PAGE_ITEMS)
    const done = total - due.length + at + part.length
    const batch: Batch = { records: [], quarantined: [], done, total }
    for (const item of part) {
      const lines = read.linesOf(item)
      try {
        batch.records.push(...toCustomerOrders(item, lines, read.conversions(unitOf(item, lines))))
      } catch (error) {
        const place = `${SALES_ITEMS.set}(${keyOf(item)})`
        batch.quarantined.push(toQuarantinedRow(place, { ...item, lines }, problemOf(error)))
        bad.add(item.SalesOrder)
      }
    }
    yield { ...batch, quarantined: await nameGoneProducts(system, batch.quarantined, signal) }
  }
  const partly = packLines(items.filter(isPartly).map(keyOf))
  const cursor = next && JSON.stringify({ ...next, partly, bad: [...bad] } satisfies State)
  yield { records: [], quarantined: [], done: total, total, ...(cursor && { cursor }) }
}

/** The open items, and those that are due with their schedule lines, all at once: a product's unit is asked for once. */
async function readItems(
  system: System,
  before: State | null,
  stored: Record<string, string>[],
  signal: AbortSignal,
) {
  const changes = before && (await orderChanges(system, HEADERS, before, signal))
  const first = changes ? null : await firstState(system, HEADERS, signal)
  const items = (await system.all<SalesItemRow>(SALES_ITEMS, signal)).filter(isOpen)
  const [inTurn, turn] = ordersInTurn(
    items.map(({ SalesOrder }) => SalesOrder),
    before?.turn ?? '',
  )
  const byItem = Map.groupBy(stored, ({ document, line }) => itemKey(document!, itemOf(line!)))
  const isDue = changes ? dueOf(changes, before, byItem) : () => true
  const due = items.filter((item) => inTurn.has(item.SalesOrder) || isDue(item))
  const orders = new Set(due.map(({ SalesOrder }) => SalesOrder))
  const kept = items
    .filter(({ SalesOrder }) => !orders.has(SalesOrder))
    .flatMap((item) => byItem.get(keyOf(item)) ?? [])
    .map(({ document, line }) => ({ document: document!, line: line! }))
  const lines = await readScheduleLines<SalesScheduleLineRow>(
    system,
    SCHEDULE_LINES,
    orders,
    signal,
    changes ? DISTANCE.consecutive : DISTANCE.dense,
  )
  const linesOf = (item: SalesItemRow) => lines.get(keyOf(item)) ?? []
  const all = items.filter(({ SalesOrder }) => orders.has(SalesOrder))
  const units = all.map((item) => unitOf(item, linesOf(item)))
  const conversions = await readConversions(system, units, signal)
  const from = changes?.next ?? first
  const next = from && { ...from, turn: changes ? turn : '' }
  return { items, due: all, kept, linesOf, conversions, next }
}

/** Whether an item may have other schedule lines than are stored. */
function dueOf(
  { orders, documents }: OrderChanges,
  before: State,
  stored: ReadonlyMap<string, unknown>,
): (item: SalesItemRow) => boolean {
  const bad = new Set(before.bad)
  const partly = new Set(unpackLines(before.partly))
  const delivered = new Set(
    documents
      .flatMap((document) => document.to_MaterialDocumentItem)
      .filter(({ GoodsMovementType }) => GoodsMovementType.startsWith('6'))
      .map(({ Material, Plant }) => `${Material}\n${Plant}`),
  )
  return (item) =>
    !stored.has(keyOf(item)) ||
    partly.has(keyOf(item)) !== isPartly(item) ||
    orders.has(item.SalesOrder) ||
    bad.has(item.SalesOrder) ||
    (isPartly(item) && delivered.has(`${item.Material}\n${item.ProductionPlant}`))
}

const keyOf = ({ SalesOrder, SalesOrderItem }: SalesItemRow) => itemKey(SalesOrder, SalesOrderItem)

/** Of a stored line `item/schedule line`. */
const itemOf = (line: string) => line.slice(0, line.lastIndexOf('/'))

/** B: a part is delivered, A: nothing. */
const isPartly = ({ DeliveryStatus }: SalesItemRow) => DeliveryStatus === 'B'

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
