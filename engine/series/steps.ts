import type { Days, DemandHistory, EpochDay, StockHistory } from '../types.ts'
import { censoredDays, salesWithoutStock, sellsWithoutStock, wasInStock } from './censored-days.ts'
import type { LocationContext } from './location-context.ts'
import { takeOutEffects, takeOutOfPeriods } from './planned-days.ts'
import {
  daysOf,
  fillMissing,
  fillRuns,
  stockoutRuns,
  usualDemand,
  type ZeroRun,
} from './stockouts.ts'
import { toFinest, unitsOf } from './quantity.ts'
import {
  endOf,
  indexOf,
  isOnSchedule,
  latestDayOf,
  periodsOf,
  type Posting,
  stepDaysOf,
} from './posting.ts'

/** No method gains from more than two years of days, or five of months. */
const MAX_STEPS = { day: 730, week: 104, month: 60 }

/** Steps that a forecast looks back, at most. */
export const maxSteps = (posting: Posting | null): number => MAX_STEPS[posting?.every ?? 'day']

/** Demand in equal steps, oldest first, from the first sale to the as-of date or the last known day. */
export interface Steps {
  /** Units a step. Empty where nothing was ever sold. */
  values: Float64Array
  /** 1, or the length of a booking period. */
  stepDays: Days
  /** The first day that nothing is known of: the as-of date, or before it where rows are missing. */
  end: EpochDay
  /** 1 for a day with a promotion; absent where none ran, or where a step is longer than a day. */
  promo?: Uint8Array
  /** Runs of days that were filled because there was nothing to sell; absent where a step is longer. */
  stockouts?: ZeroRun[]
  /** Days on which the location was closed or the plan names a closure; absent where a step is longer. */
  closed?: EpochDay[]
  /** Days before the as-of date that are left out, because there has been nothing to sell since. */
  stockoutDays?: Days
}

/**
 * Adds the rows up by day, or by booking period. Rows on or after `asOf` and quantities that are no
 * positive number are not read; rows may come in any order.
 * @param more days before those that a forecast looks back
 */
export function toSteps(
  history: DemandHistory,
  asOf: EpochDay,
  context: LocationContext,
  more: Days = 0,
): Steps {
  const posting = context.posting ?? null
  const stepDays = stepDaysOf(posting)
  const most = maxSteps(posting) + Math.ceil(more / stepDays)
  if (posting) return { ...byPeriod(history, asOf, posting, most), stepDays }
  const known = Math.min(asOf, context.knownUntil ?? asOf)
  const demand = byDay(history, known, most)
  const start = known - demand.length
  const { values, stockouts, closed } = fillDays(demand, start, history, context)
  const stockoutDays = demand.length - values.length
  const end = known - stockoutDays
  const promo = promoDays(history, end, values.length)
  const days = { stockouts, stockoutDays, closed: closed.map((t) => start + t) }
  return { values, stepDays, end, ...days, ...(promo && { promo }) }
}

/**
 * Fills the days that say nothing of demand, in place. A stockout that the series ends with is cut off
 * instead: what was known before it is what is known now.
 * @param start the day of the first value
 */
function fillDays(
  demand: Float64Array,
  start: EpochDay,
  history: DemandHistory,
  context: LocationContext,
): { values: Float64Array; stockouts: ZeroRun[]; closed: number[] } {
  const { stock } = history
  const closed = [
    ...context.closedDays.map((day) => day - start),
    ...takeOutEffects(history, demand, start),
  ]
  if (!stock?.empty.length || sellsAnyway(history, start + demand.length, context)) {
    if (closed.length) fillMissing(demand, new Set(closed))
    const known = stock?.empty.length ? undefined : stock
    return { values: demand, stockouts: fillGuessed(demand, start, known), closed }
  }
  const { runs, partly } = censoredDays(demand, start, stock)
  const isCut = runs.at(-1)?.to === demand.length
  const values = isCut ? demand.subarray(0, runs.pop()!.from) : demand
  const missing = daysOf(runs)
  for (const t of [...partly, ...closed]) missing.add(t)
  for (const { from, to } of runs) {
    const weeks = Math.ceil((to - from) / 7)
    for (let t = from; t < to; t++) values[t] = usualDemand(values, missing, t, weeks)
  }
  for (const t of closed)
    if (t >= 0 && t < values.length) values[t] = usualDemand(values, missing, t, 1)
  for (const t of partly) values[t] = Math.max(values[t]!, usualDemand(values, missing, t, 1))
  return { values, stockouts: [...runs, ...fillGuessed(values, start, stock)], closed }
}

const sellsAnyway = (history: DemandHistory, asOf: EpochDay, context: LocationContext) =>
  sellsWithoutStock(salesWithoutStock(history, asOf), context.sellsWithoutStock)

/** Fills the runs that look like stockouts, unless stock was seen on their days. */
function fillGuessed(values: Float64Array, start: EpochDay, stock?: StockHistory): ZeroRun[] {
  const found = stockoutRuns(values)
  const runs = stock
    ? found.filter(({ from, to }) => !wasInStock(stock, start + from, start + to))
    : found
  if (runs.length) fillRuns(values, runs)
  return runs
}

function promoDays(
  { days, promo, plan }: DemandHistory,
  end: EpochDay,
  length: number,
): Uint8Array | undefined {
  if (!promo && !plan?.length) return undefined
  const byDay = new Uint8Array(length)
  let hasAny = false
  const mark = (day: EpochDay) => {
    const at = day - end + length
    if (at < 0 || at >= length) return
    byDay[at] = 1
    hasAny = true
  }
  if (promo) for (let i = 0; i < days.length; i++) if (promo[i]) mark(days[i]!)
  if (plan) for (const day of plan) mark(day)
  return hasAny ? byDay : undefined
}

function byDay(history: DemandHistory, end: EpochDay, most: number): Float64Array {
  const first = firstSale(history, end)
  const length = Math.min(most, end - first)
  return addUp(history, length, (day) => (day < end ? day - end + length : -1))
}

/** A period that is not booked yet at `asOf` is left out: it is no period without demand. */
function byPeriod(
  history: DemandHistory,
  asOf: EpochDay,
  posting: Posting,
  most: number,
): Pick<Steps, 'values' | 'end'> {
  const last = lastBooked(history, asOf, posting)
  const first = indexOf(posting, firstSale(history, asOf))
  const length = Math.min(most, last + 1 - first)
  const at = (day: EpochDay) => (day < asOf ? indexOf(posting, day) - last - 1 + length : -1)
  const values = addUp(history, length, at)
  takeOutOfPeriods(history, values, (t) => endOf(posting, last - values.length + t))
  return { values, end: endOf(posting, last) }
}

/**
 * The last period that is booked: by the series itself, by others of its location, or since nothing can come any more.
 * Where it is known until when others have booked, a period without any is late for as long as one lasts.
 */
function lastBooked(history: DemandHistory, asOf: EpochDay, posting: Posting): number {
  let last = indexOf(posting, asOf)
  const until = posting.until != null && posting.until < asOf ? posting.until : null
  const waits = until === null ? 0 : periodsOf(posting) * stepDaysOf(posting)
  const latest = Math.max(lastSale(history, asOf), until ?? -Infinity)
  const isRunning = !isOnSchedule(posting, latest) && latest > asOf - 2 * stepDaysOf(posting)
  const own = indexOf(posting, latest) - (isRunning ? 1 : 0)
  while (last > own && latestDayOf(posting, last) + waits >= asOf) last--
  return last
}

function addUp(
  { days, quantities }: DemandHistory,
  length: number,
  at: (day: EpochDay) => number,
): Float64Array {
  const values = new Float64Array(length > 0 ? length : 0)
  for (let i = 0; i < days.length; i++) {
    const units = unitsOf(quantities[i]!)
    if (units === 0) continue
    const step = at(days[i]!)
    if (step >= 0 && step < length) values[step] = toFinest(values[step]! + units)
  }
  return values
}

/** −Infinity where nothing was sold before `asOf`. */
function lastSale({ days, quantities }: DemandHistory, asOf: EpochDay): EpochDay {
  let last = -Infinity
  for (let i = 0; i < days.length; i++)
    if (days[i]! > last && days[i]! < asOf && unitsOf(quantities[i]!) > 0) last = days[i]!
  return last
}

/** Infinity where nothing was sold before `asOf`. */
function firstSale({ days, quantities }: DemandHistory, asOf: EpochDay): EpochDay {
  let first = Infinity
  for (let i = 0; i < days.length; i++)
    if (days[i]! < first && days[i]! < asOf && unitsOf(quantities[i]!) > 0) first = days[i]!
  return first
}
