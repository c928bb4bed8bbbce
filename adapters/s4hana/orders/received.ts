// What has been received of the open items, of which the V2 service says nothing. A whole read asks for the receipts of
// all orders with open items; later ones for those that have new ones, are new themselves, or whose turn it is.
import type { Cursor } from '../../adapter.ts'
import type { QuarantinedRow } from '../../errors.ts'
import type { Exact } from '../../rows/decimals.ts'
import { packLines, unpackLines } from '../../rows/packed.ts'
import { stateIn } from '../../rows/pages.ts'
import { LOOK_BACK_DAYS } from '../changes.ts'
import { addDays, dayText, earlier, later } from '../../rows/days.ts'
import type { OrderItemRow } from '../entities.ts'
import type { System } from '../system.ts'
import { distanceOf, itemKey } from './lines.ts'
import { newestDocument, readReceivingOrders } from './new-receipts.ts'
import { readReceipts } from './receipts.ts'

/** As many are asked for with one request. */
const LEAST_ORDERS = 130
/** The receipts of each open order are read again within this many reads. */
const TURNS = 12

/** The cursor. */
interface State {
  /** Receipts created from this day on are new. */
  from: string
  /** The orders after this one have the next turn. */
  turn: string
  /** Received of each open item, packed. */
  received: string
}

type Received = ReadonlyMap<string, Exact>

export interface ReceivedOfItems {
  received: Received
  /** The orders that receipts were asked for. */
  asked: ReadonlySet<string>
  quarantined: QuarantinedRow[]
  cursor: Cursor
}

/** @param began the ERP's clock when the items were read, milliseconds */
export async function readReceived(
  system: System,
  items: readonly OrderItemRow[],
  { since, began }: { since: Cursor | null; began: number },
  signal: AbortSignal,
): Promise<ReceivedOfItems> {
  const orders = new Set(items.map((item) => item.PurchaseOrder))
  const state = stateIn<State>(
    since,
    ({ from, received }) => Boolean(from) && received !== undefined,
  )
  const before = state && unpack(state.received)
  const { asked, from, turn } = before
    ? await ordersToAsk(system, items, { ...state, received: before }, began, signal)
    : { asked: orders, from: await firstDay(system, began, signal), turn: '' }
  const {
    received: found,
    unclear,
    quarantined,
  } = await readReceipts(system, asked, distanceOf(since), signal)
  const received = new Map<string, Exact>()
  const known = new Map<string, Exact>()
  for (const { PurchaseOrder: order, PurchaseOrderItem: item } of items) {
    const key = itemKey(order, item)
    const units = (asked.has(order) ? found.get(key) : before?.get(key)) ?? 0n
    received.set(key, units)
    if (!unclear.has(order)) known.set(key, units)
  }
  const cursor: Cursor = JSON.stringify({ from, turn, received: pack(known) } satisfies State)
  return { received, asked, quarantined, cursor }
}

async function ordersToAsk(
  system: System,
  items: readonly OrderItemRow[],
  { from, turn, received }: { from: string; turn: string; received: Received },
  began: number,
  signal: AbortSignal,
) {
  const { orders: receiving, newest } = await readReceivingOrders(system, from, signal)
  const inTurn = ordersOfTurn(items, turn)
  const asked = new Set(inTurn)
  for (const { PurchaseOrder: order, PurchaseOrderItem: item } of items) {
    if (receiving.has(order) || !received.has(itemKey(order, item))) asked.add(order)
  }
  const isLastTurn = inTurn.at(-1) === items.at(-1)?.PurchaseOrder
  const next = newest === null ? from : later(dayBefore(began, newest), from)
  return { asked, from: next, turn: isLastTurn ? '' : (inTurn.at(-1) ?? '') }
}

/** @param items in the order of their key */
function ordersOfTurn(items: readonly OrderItemRow[], turn: string): string[] {
  const orders = [...new Set(items.map((item) => item.PurchaseOrder))]
  const last = orders.indexOf(turn)
  const first = last < 0 ? orders.findIndex((order) => order > turn) : last + 1
  const start = first < orders.length ? Math.max(first, 0) : 0
  return orders.slice(start, start + Math.max(LEAST_ORDERS, Math.ceil(orders.length / TURNS)))
}

/** A day earlier than the earlier one: the ERP filters by day, and its clocks may differ. */
const dayBefore = (began: number, newest: string) => addDays(earlier(dayText(began), newest), -1)

/** From which day on receipts are new after a whole read, also where nothing was posted lately. */
async function firstDay(system: System, began: number, signal: AbortSignal): Promise<string> {
  const newest = await newestDocument(system, began, signal)
  return dayBefore(began, newest ?? addDays(dayText(began), -LOOK_BACK_DAYS))
}

/** Some four bytes for each item. */
const pack = (received: Received): string =>
  packLines([...received].map(([key, units]) => `${key} ${units || ''}`))

/** @returns null where it is none of this version's */
function unpack(packed: string): Received | null {
  const lines = unpackLines(packed)
  try {
    return (
      lines &&
      new Map(
        lines.map((line) => {
          const [key, units] = line.split(' ') as [string, string]
          return [key, BigInt(units)]
        }),
      )
    )
  } catch {
    return null
  }
}
