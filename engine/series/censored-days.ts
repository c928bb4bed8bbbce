import type { Days, DemandHistory, EpochDay, StockHistory } from '../types.ts'
import type { LocationContext } from './location-context.ts'
import { unitsOf } from './quantity.ts'
import type { ZeroRun } from './stockouts.ts'

/** Of a longer stockout the days after these count as days without demand: the SKU is no longer kept. */
const LONGEST: Days = 182
/** Demand that is booked on so large a share of the usual selling days does not need stock. */
const SOLD_ANYWAY = 0.3
/** Selling days to be expected, from which on a series speaks for itself. */
const ENOUGH = 3
const FEWEST_OUTSIDE: Days = 28

/** Days of a series that stock kept from showing demand, by position in the series. */
export interface CensoredDays {
  /** Days without stock and without a sale. */
  runs: ZeroRun[]
  /** Days on which the stock ran out or came in: sales are the least that was wanted. */
  partly: number[]
}

/** Selling days during stockouts, and how many would be expected of as many other days. */
export interface SalesWithoutStock {
  sold: number
  expected: number
}

/**
 * @param values demand by day
 * @param start the day of the first value
 */
export function censoredDays(
  values: Float64Array,
  start: EpochDay,
  { empty }: StockHistory,
): CensoredDays {
  const censored: CensoredDays = { runs: [], partly: [] }
  for (const spell of spellsOf(empty)) {
    const [from, to] = [Math.max(0, spell.from - start), Math.min(values.length, spell.to - start)]
    if (to < 0 || from > values.length) continue
    // Without a sale on the first day, not even on the as-of date itself, it ran out the day before.
    if (from > 0 && !(values[from]! > 0) && values[from - 1]! > 0) censored.partly.push(from - 1)
    let silent = from
    for (let t = from; t <= to; t++) {
      if (t < to && values[t] === 0) continue
      if (t > silent) censored.runs.push({ from: silent, to: t })
      if (t < to) censored.partly.push(t)
      silent = t + 1
    }
  }
  return censored
}

/**
 * Whether a series sells although there is no stock, as with orders that are booked before they are
 * delivered: then a silent day is one without demand, whatever the stock.
 * @param others what is known of its location's series, for one that sells too little to tell
 */
export function sellsWithoutStock(
  { sold, expected }: SalesWithoutStock,
  others: boolean | undefined,
): boolean {
  if (expected >= ENOUGH) return sold > SOLD_ANYWAY * expected
  return others === true || sold > 0
}

/** Of all rows before `asOf`; the first and the last day of a stockout may have had stock. */
export function salesWithoutStock(
  { days, quantities, stock }: DemandHistory,
  asOf: EpochDay,
): SalesWithoutStock {
  const nothing = { sold: 0, expected: 0 }
  if (!stock?.empty.length) return nothing
  const selling = new Set<EpochDay>()
  let first = asOf
  for (let i = 0; i < days.length; i++) {
    if (days[i]! >= asOf || unitsOf(quantities[i]!) === 0) continue
    selling.add(days[i]!)
    if (days[i]! < first) first = days[i]!
  }
  let [within, sold, inner, soldInner] = [0, 0, 0, 0]
  for (const spell of spellsOf(stock.empty)) {
    const [from, to] = [Math.max(first, spell.from), Math.min(asOf, spell.to)]
    for (let day = from; day < to; day++) {
      const sells = selling.has(day) ? 1 : 0
      within++
      sold += sells
      if (day === spell.from || day === spell.to - 1) continue
      inner++
      soldInner += sells
    }
  }
  const outside = asOf - first - within
  const share = outside >= FEWEST_OUTSIDE ? (selling.size - sold) / outside : 0
  return { sold: soldInner, expected: inner * share }
}

/** Stockouts that lie end to end are one. */
function spellsOf(empty: Int32Array): ZeroRun[] {
  const spells: ZeroRun[] = []
  for (let i = 0; i < empty.length; i += 2) {
    const [from, to] = [empty[i]!, empty[i + 1]! + 1]
    const last = spells.at(-1)
    if (last && from <= last.to) last.to = Math.max(last.to, to)
    else spells.push({ from, to })
  }
  for (const spell of spells) spell.to = Math.min(spell.to, spell.from + LONGEST)
  return spells
}

/** Whether some of the days say too little of demand to measure a forecast by. */
export function isCensored(
  history: DemandHistory,
  [from, to]: [from: EpochDay, to: EpochDay],
  { sellsWithoutStock: others }: Pick<LocationContext, 'sellsWithoutStock'> = {},
): boolean {
  const { stock } = history
  if (!stock || !spellsOf(stock.empty).some((spell) => spell.from < to && spell.to > from))
    return false
  return !sellsWithoutStock(salesWithoutStock(history, to), others)
}

/** Whether stock was seen on at least half of some days, and on none of them found to be gone. */
export function wasInStock({ seen, empty }: StockHistory, from: EpochDay, to: EpochDay): boolean {
  for (let i = 0; i < empty.length; i += 2)
    if (empty[i]! < to && empty[i + 1]! >= from) return false
  let days = 0
  for (const day of seen) if (day >= from && day < to) days++
  return 2 * days >= to - from
}
