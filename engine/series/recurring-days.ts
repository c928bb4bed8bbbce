// Single days that come again every month or every few weeks, such as the first, the last working day or each second Monday: many times the usual.
import { MAX_HORIZON_DAYS } from '../horizon.ts'
import type { Days, EpochDay, PlannedEffect, Units } from '../types.ts'
import { DAY_RULES, type DayRule, rulesOn } from './day-rules.ts'

/** What is looked at: a year, of which so many days at least must be known. */
const LOOK_BACK: { most: Days; least: Days } = { most: 365, least: 150 }
/** Such a day sells so many times what the others do, so many deviations more, and so many units at least. */
const LARGE = { times: 3, deviations: 4, units: 8 }
/** At least so many times the mean of all days, these among them. */
const ABOVE_ALL = 2.4
/** Large days of that year: fewer tell of no month, more are no single days. */
const LARGE_DAYS = { fewest: 5, most: 27 }
/** Share of a rule's days that were large, at least, and share of the large days that the rules explain. */
const HIT = 0.8
const EXPLAINED = 0.6
/** Such as the first and the fifteenth. */
const MOST_RULES = 2
/** Large days of a rule. */
const FEWEST_HITS = 5
/** Standard deviation of the large days' demand over its mean, at most. */
const SPREAD = 0.5
/** What the other days of four weeks sell, at least: less is no measure. */
const FEWEST_UNITS: Units = 5
/** No weekday counts as less of a day, and no day as more days. */
const LEAST_WEEKDAY = 0.1
const MOST = 1_000

interface Past {
  /** Units a day, the latest last. */
  values: Float64Array
  /** 1 on days with a promotion, which is what made them large. */
  promo?: Uint8Array | undefined
  /** The first day that nothing is known of. */
  end: EpochDay
}

export interface RecurringDays {
  /** The same demand with a usual one on these days. */
  rest: Float64Array
  /** Those from the as-of date on, and how many times the mean of all others they sell. */
  coming: EpochDay[]
  times: number
}

/** The days of every month or every few weeks that are many times as large as the others; null where there are none. */
export function recurringDays(past: Past, asOf: EpochDay): RecurringDays | null {
  const { values, end } = past
  const first = end - values.length
  const from = Math.max(0, values.length - LOOK_BACK.most)
  if (values.length < LOOK_BACK.least) return null
  const large = largeDays(past, from)
  if (!large) return null
  const rules = rulesOf(new Set(large.at.map((at) => first + at)), first + from, end)
  const days = new Set(rules.flatMap((rule) => rule(first, end)))
  const isIts = (at: number) => days.has(first + at)
  const its = large.at.filter(isIts)
  if (its.length < EXPLAINED * large.at.length) return null
  const size = sizeOf(its.map((at) => values[at]!))
  const isLarge = (at: number) => values[at]! >= large.least && isIts(at)
  const rest = values.map((units, at) => (isLarge(at) ? usualOn(values, at, isLarge) : units))
  const usual = meanOf(rest.subarray(from))
  if (size === null || usual * 28 < FEWEST_UNITS) return null
  const coming = rules.flatMap((rule) => rule(asOf, asOf + MAX_HORIZON_DAYS))
  return { rest, coming: [...new Set(coming)], times: size / usual }
}

/**
 * What they do, over a day of their weekday.
 * @param weekdays what is sold on the weekday of the as-of date and of the six days after it, over any; absent: the same on all
 */
export const eventsOf = (
  { coming, times }: RecurringDays,
  asOf: EpochDay,
  weekdays?: readonly number[],
): PlannedEffect[] =>
  coming.map((day) => {
    const share = Math.max(LEAST_WEEKDAY, weekdays?.[(day - asOf) % 7] ?? 1)
    const factor = Math.round(100 * Math.min(MOST, times / share)) / 100
    return { kind: 'event', from: day, to: day, factor }
  })

/** The mean of the large days; null where they are of every size. */
function sizeOf(sizes: readonly Units[]): Units | null {
  const mean = meanOf(sizes)
  const deviation = Math.sqrt(meanOf(sizes.map((size) => (size - mean) ** 2)))
  return deviation > SPREAD * mean ? null : mean
}

/** Where they are in the year looked at, and the least demand that is one; null where there are too few or too many. */
function largeDays({ values, promo }: Past, from: number): { at: number[]; least: Units } | null {
  const { length } = values
  const mean = sumsBelow(values, from, Infinity)[0] / (length - from)
  const high = Math.max(LARGE.units, ABOVE_ALL * mean)
  let count = 0
  for (let at = from; at < length; at++) if (values[at]! >= high) count++
  if (count < LARGE_DAYS.fewest || count > LARGE_DAYS.most) return null
  const [restSum, restSquares] = sumsBelow(values, from, high)
  const rest = length - from - count
  const usual = restSum / rest
  const deviation = Math.sqrt(Math.max(usual, restSquares / rest - usual ** 2))
  const least = Math.max(high, LARGE.times * usual, usual + LARGE.deviations * deviation)
  const at: number[] = []
  for (let each = from; each < length; each++)
    if (values[each]! >= least && !promo?.[each]) at.push(each)
  return at.length < LARGE_DAYS.fewest ? null : { at, least }
}

/** Sum and sum of squares of the values below a limit. */
function sumsBelow(values: Float64Array, from: number, limit: number): [number, number] {
  let [sum, squares] = [0, 0]
  for (let at = from; at < values.length; at++) {
    const value = values[at]!
    if (value >= limit) continue
    sum += value
    squares += value * value
  }
  return [sum, squares]
}

/** The rules that name the most of the large days, one after the other; none where none names enough of its days. */
function rulesOf(large: ReadonlySet<EpochDay>, from: EpochDay, end: EpochDay): DayRule[] {
  const rules: DayRule[] = []
  let left = large
  while (rules.length < MOST_RULES) {
    const rule = ruleOf(left, from, end)
    if (!rule) break
    rules.push(rule)
    const its = new Set(rule(from, end))
    left = new Set([...left].filter((day) => !its.has(day)))
  }
  return rules
}

/** The simplest of those that name the most. */
function ruleOf(large: ReadonlySet<EpochDay>, from: EpochDay, end: EpochDay): DayRule | null {
  const hits = new Uint16Array(DAY_RULES.length)
  for (const day of large) for (const rule of rulesOn(day)) hits[rule]!++
  let best: DayRule | null = null
  let most = FEWEST_HITS - 1
  for (const [at, rule] of DAY_RULES.entries()) {
    if (hits[at]! <= most) continue
    const isHit = rule(from, end).map((day) => large.has(day))
    if (hits[at]! < HIT * isHit.length || !isHit.slice(-2).includes(true)) continue
    best = rule
    most = hits[at]!
  }
  return best
}

/** What was sold a week before, or else a week after: as on a day of that weekday. */
function usualOn(values: Float64Array, at: number, isLarge: (at: number) => boolean): Units {
  const weeks = [at - 7, at + 7, at - 14, at + 14]
  const usual = weeks.find((each) => each >= 0 && each < values.length && !isLarge(each))
  return usual === undefined ? values[at]! : values[usual]!
}

const meanOf = (values: ArrayLike<number>) => {
  let sum = 0
  for (let at = 0; at < values.length; at++) sum += values[at]!
  return values.length ? sum / values.length : 0
}
