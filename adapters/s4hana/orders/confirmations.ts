// What suppliers confirm of purchase orders: order acknowledgements. Shipping notifications are none, and are in another service.
import type { RecordOf } from '../../records.ts'
import { type Exact, toThreePlaces } from '../../rows/decimals.ts'
import { names } from '../../rows/names.ts'
import { type Batch, toQuarantinedRow } from '../../rows/pages.ts'
import { BadValue, dayOrNull, numberOf, orBad, unitsOf } from '../../rows/values.ts'
import { reads } from '../auth.ts'
import { firstFrom, readChanges } from '../changes.ts'
import type { ConfirmationItemRow, ConfirmationLineRow, OrderItemRow } from '../entities.ts'
import { withRemedy } from '../optional.ts'
import { CONFIRMATION } from '../services.ts'
import type { System } from '../system.ts'
import { type Conversion, inBase } from '../units.ts'
import { itemKey } from './lines.ts'

const ITEM_KEY = ['SupplierConfirmation', 'SupplierConfirmationItem']

export const CONFIRMATIONS = {
  service: CONFIRMATION,
  set: 'Confirmation',
  key: ['SupplierConfirmation'],
  select: names('SupplierConfirmation SuplrConfRefPurchaseOrder LastChangeDateTime'),
}

const ITEMS = {
  service: CONFIRMATION,
  set: 'ConfirmationItem',
  key: ITEM_KEY,
  select: [
    ...ITEM_KEY,
    ...names('SuplrConfRefPurchaseOrder SuplrConfRefPurchaseOrderItem ItemIsRejectedBySupplier'),
  ],
}

const LINES = {
  service: CONFIRMATION,
  set: 'ConfirmationLine',
  key: [...ITEM_KEY, 'SupplierConfirmationLine'],
  select: [
    ...ITEM_KEY,
    ...names('SupplierConfirmationLine DeliveryDate ConfirmedQuantity PurchaseOrderQuantityUnit'),
  ],
}

type Share = Pick<RecordOf<'openOrders'>, 'confirmedOn' | 'confirmedQuantity'>

/** What is confirmed of an open quantity of an item, in base units; asked for its schedule lines, the earliest first. */
export type ShareOf = (open: Exact) => Share

/**
 * @param received base units
 * @param batch gets the rejected row of what cannot be used
 * @returns undefined where nothing is known to be confirmed
 */
export type ConfirmedOf = (
  item: OrderItemRow,
  conversion: Conversion | null,
  received: () => Exact,
  batch: Batch<'openOrders'>,
) => ShareOf | undefined

export interface Confirmations {
  /** Orders of which something was confirmed anew, or otherwise, since the last read. */
  orders: ReadonlySet<string>
  /** From where the next read looks, milliseconds; null where confirmations are not read. */
  next: number | null
  notes: string[]
}

const notRead = (...notes: string[]): Confirmations => ({ orders: new Set(), next: null, notes })

/** Orders are read without them. @throws an error that does not say that they may not be read */
export const withoutConfirmations = (error: unknown): Confirmations =>
  notRead(withRemedy(error, 'confirmations').message)

/**
 * It must be called before items are read. Where confirmations may not be read, orders are read without them.
 * @param since where the last read said that this one looks; null in a read of all orders
 */
export async function findConfirmations(
  system: System,
  since: number | null,
  signal: AbortSignal,
): Promise<Confirmations> {
  if (!reads('confirmations', system.options)) return notRead()
  try {
    if (since === null) {
      const began = (await system.probe(CONFIRMATIONS, signal)).getTime()
      return { ...notRead(), next: await firstFrom(system, CONFIRMATIONS, began, signal) }
    }
    type Row = { SuplrConfRefPurchaseOrder: string; LastChangeDateTime: string | null }
    const { rows, from } = await readChanges<Row>(system, CONFIRMATIONS, since, signal)
    const orders = new Set(rows.map((row) => row.SuplrConfRefPurchaseOrder))
    return { orders, next: from, notes: [] }
  } catch (error) {
    return withoutConfirmations(error)
  }
}

/** What is confirmed of the items of the orders. @param distance see {@link DISTANCE} */
export async function readConfirmed(
  system: System,
  orders: Iterable<string>,
  signal: AbortSignal,
  distance?: number,
): Promise<ConfirmedOf> {
  const wanted = new Set(orders)
  const field = 'SuplrConfRefPurchaseOrder'
  const found = await system.allOf<ConfirmationItemRow>(ITEMS, field, wanted, signal, distance)
  const items = found.filter((item) => wanted.has(item.SuplrConfRefPurchaseOrder))
  const numbers = new Set(items.map((item) => item.SupplierConfirmation))
  const keyOf = (row: ConfirmationItemRow | ConfirmationLineRow) =>
    itemKey(row.SupplierConfirmation, row.SupplierConfirmationItem)
  const lines = Map.groupBy(
    await system.allOf<ConfirmationLineRow>(LINES, ITEM_KEY[0]!, numbers, signal, distance),
    keyOf,
  )
  const confirmed = new Map<string, ConfirmationLineRow[]>()
  for (const item of items) {
    const own = item.ItemIsRejectedBySupplier ? [] : lines.get(keyOf(item))
    const key = keyOfItem(item.SuplrConfRefPurchaseOrder, item.SuplrConfRefPurchaseOrderItem)
    if (own) confirmed.set(key, [...(confirmed.get(key) ?? []), ...own])
  }
  return (item, conversion, received, batch) => {
    const rows = confirmed.get(keyOfItem(item.PurchaseOrder, item.PurchaseOrderItem))
    if (!rows || !conversion) return undefined
    const unit = item.PurchaseOrderQuantityUnit ?? ''
    const lines = orBad(() => rows.map((row) => toConfirmed(row, unit, conversion)))
    if (!(lines instanceof BadValue)) return sharesOf(lines, received)
    // Without a pair: the order itself is good, and counts as if nothing was confirmed.
    const place = `${LINES.set}(${itemKey(item.PurchaseOrder, item.PurchaseOrderItem)})`
    batch.quarantined.push(toQuarantinedRow(place, rows, lines))
    return undefined
  }
}

/** Versions of the services spell the number of an item with zeros before it, or without. */
const keyOfItem = (order: string, item: string): string => itemKey(order, item.replace(/^0+/, ''))

/**
 * Shares out what is confirmed of an item to its open schedule lines. A supplier confirms the whole item, so what was
 * received is the earliest of it. A share's day is that on which all of it is there.
 */
function sharesOf(confirmed: ReturnType<typeof toConfirmed>[], received: () => Exact): ShareOf {
  const lines = confirmed.toSorted((a, b) => byText(a.day ?? NO_DAY, b.day ?? NO_DAY))
  let isBegun = false
  const take = (most: Exact) => {
    let [taken, on]: [Exact, string | null] = [0n, null]
    for (const line of lines) {
      const part = least(line.left, most - taken)
      if (part <= 0n) continue
      line.left -= part
      taken += part
      on = line.day ?? on
    }
    return { taken, on }
  }
  return (open) => {
    if (!isBegun) take(received())
    isBegun = true
    const { taken, on } = take(open)
    const confirmedQuantity = numberOf(toThreePlaces(taken), 'ConfirmedQuantity')
    return { confirmedOn: on, confirmedQuantity }
  }
}

function toConfirmed(row: ConfirmationLineRow, unit: string, conversion: Conversion) {
  if (row.PurchaseOrderQuantityUnit !== unit) {
    const rule = `is ${row.PurchaseOrderQuantityUnit} of a confirmation, not the order's ${unit}`
    throw new BadValue('PurchaseOrderQuantityUnit', rule, 'unit_conversion')
  }
  const quantity = unitsOf(row.ConfirmedQuantity, 'ConfirmedQuantity')
  return { day: dayOrNull(row.DeliveryDate), left: inBase(quantity, conversion) }
}

/** Sorted after all days. */
const NO_DAY = '~'
const byText = (a: string, b: string) => (a === b ? 0 : a < b ? -1 : 1)
const least = (one: Exact, other: Exact) => (one < other ? one : other)
