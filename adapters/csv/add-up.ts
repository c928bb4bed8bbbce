// Rows of one key that add up: invoice lines of a day, bins of a stock, deliveries of an order line.
import type { RecordKind, RecordOf } from '../records.ts'

/** The record of two rows of one key; null where they are about different goods. */
export type Add<K extends RecordKind> = (one: RecordOf<K>, other: RecordOf<K>) => RecordOf<K> | null

/** A sum of binary fractions: 0.1 and 0.2 are 0.3. */
const plus = (one: number, other: number) => Number((one + other).toFixed(6))

const earlier = (one: string | null = null, other: string | null = null) =>
  one === null || (other !== null && other < one) ? other : one

interface Line {
  sku: string
  location: string
  quantity: number
  due: string | null
}

/** The day of two rows of a line. */
type Due = (one: string | null, other: string | null) => string | null

function addLines<L extends Line>(one: L, other: L, due: Due): L | null {
  if (one.sku !== other.sku || one.location !== other.location) return null
  const quantity = plus(one.quantity, other.quantity)
  return { ...one, quantity, due: due(one.due, other.due) }
}

/** What is wanted without a day is wanted now. */
const addWanted = <L extends Line>(one: L, other: L) =>
  addLines(one, other, (a, b) => (a === null || b === null ? null : earlier(a, b)))

function addOrders<
  L extends Line & {
    reference?: string | null
    supplier?: string | null
    orderedOn?: string | null
    draft?: string | null
    confirmedOn?: string | null
    confirmedQuantity?: number | null
  },
>(one: L, other: L): L | null {
  const sum = addLines(one, other, earlier)
  return (
    sum && {
      ...sum,
      reference: one.reference ?? other.reference,
      supplier: one.supplier ?? other.supplier,
      draft: one.draft ?? other.draft,
      orderedOn: earlier(one.orderedOn, other.orderedOn),
      ...('confirmedOn' in one && confirmedOf(one, other)),
    }
  )
}

/** Of two deliveries of which one is confirmed, that one is; the day is the later one, on which all of it is there. */
function confirmedOf<
  L extends Line & { confirmedOn?: string | null; confirmedQuantity?: number | null },
>(one: L, other: L) {
  const units = ({ quantity, confirmedOn, confirmedQuantity }: L) =>
    confirmedQuantity ?? (confirmedOn ? quantity : null)
  const [first, second] = [units(one), units(other)]
  const days = [one.confirmedOn, other.confirmedOn].flatMap((day) => day ?? []).sort()
  return {
    confirmedOn: days.at(-1) ?? null,
    confirmedQuantity: first === null && second === null ? null : plus(first ?? 0, second ?? 0),
  }
}

/** A price is that of a unit on average. */
function addPrices(one: RecordOf<'demand'>, other: RecordOf<'demand'>): number | null {
  if (one.price === null || other.price === null) return one.price ?? other.price
  const units = one.quantity + other.quantity
  if (!units) return one.price
  return (one.price * one.quantity + other.price * other.quantity) / units
}

function addDemand(one: RecordOf<'demand'>, other: RecordOf<'demand'>): RecordOf<'demand'> {
  const isUnknown = one.promo === null && other.promo === null
  return {
    ...one,
    quantity: plus(one.quantity, other.quantity),
    price: addPrices(one, other),
    promo: isUnknown ? null : Boolean(one.promo) || Boolean(other.promo),
  }
}

function addStock(one: RecordOf<'stock'>, other: RecordOf<'stock'>): RecordOf<'stock'> {
  const inInspection = plus(one.inInspection ?? 0, other.inInspection ?? 0)
  const isUnknown = one.inInspection === undefined && other.inInspection === undefined
  return {
    ...one,
    onHand: plus(one.onHand, other.onHand),
    ...(!isUnknown && { inInspection }),
  }
}

/** Bins of one batch; what is said to expire on two days is no batch. */
const addBatches: Add<'batches'> = (one, other) =>
  one.expiresOn === other.expiresOn
    ? { ...one, quantity: plus(one.quantity, other.quantity) }
    : null

/** The kinds of records whose rows add up. */
export const ADD: { [K in RecordKind]?: Add<K> } = {
  demand: addDemand,
  stock: addStock,
  batches: addBatches,
  stockHistory: (one, other) => ({ ...one, onHand: plus(one.onHand, other.onHand) }),
  openOrders: addOrders,
  customerOrders: addWanted,
  reservations: addWanted,
  receipts: addOrders,
}
