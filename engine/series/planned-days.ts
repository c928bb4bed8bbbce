import { MAX_HORIZON_DAYS } from '../horizon.ts'
import { toFinest } from './quantity.ts'
import type { Days, DemandHistory, EpochDay } from '../types.ts'

/** Whether it is known when promotions will run. */
export const knowsPlan = (
  { plan, plannedUntil = Infinity }: DemandHistory,
  asOf: EpochDay,
): boolean => plan !== undefined && plannedUntil > asOf

/** In {@link comingPromotions}: none runs whose effect is learnt, also where the plan does not know of other days. */
const NONE = 2

/**
 * 1 for each of the days from `asOf` on with a planned promotion whose effect is learnt, and of how many days it is known that
 * there is no other; null where none is planned and nothing known.
 */
export function comingPromotions(
  history: DemandHistory,
  asOf: EpochDay,
): { coming: Uint8Array | null; known?: Days } {
  const { plan, plannedUntil, effects = [] } = history
  const isComing = plan?.some((day) => day >= asOf && day < asOf + MAX_HORIZON_DAYS)
  if (!knowsPlan(history, asOf) && !isComing) return { coming: null }
  const coming = new Uint8Array(MAX_HORIZON_DAYS)
  for (const day of plan!) if (day >= asOf && day < asOf + MAX_HORIZON_DAYS) coming[day - asOf] = 1
  for (const { kind, from, to } of effects)
    if (kind === 'promotion')
      coming.fill(NONE, Math.max(0, from - asOf), Math.max(0, to + 1 - asOf))
  return { coming, ...(plannedUntil !== undefined && { known: Math.max(0, plannedUntil - asOf) }) }
}

/**
 * Takes what was planned out of past demand, in place: what such a day raised or lowered is usual demand again, so that
 * days to come can be told apart. Promotions stay, they are learnt from.
 * @param start the day of the first value
 * @returns positions of days that say nothing of demand: those on which none was possible
 */
export function takeOutEffects(
  { effects }: DemandHistory,
  values: Float64Array,
  start: EpochDay,
): number[] {
  const closed: number[] = []
  for (const { kind, factor, ...days } of effects ?? []) {
    if (kind === 'promotion') continue
    const from = Math.max(0, days.from - start)
    const to = Math.min(values.length - 1, days.to - start)
    if (factor > 0) divide(values, from, to, factor)
    else for (let t = from; t <= to; t++) if (values[t] === 0) closed.push(t)
  }
  return closed
}

/**
 * Does the same to demand that is booked by period, promotions included, which are not learnt from there: each value over
 * the mean factor of its days. A period that its factors leave less than one day stays as it is, unless nothing was booked:
 * then it has the demand of the one before.
 * @param startOf the first day of the period at a position
 */
export function takeOutOfPeriods(
  { effects }: DemandHistory,
  values: Float64Array,
  startOf: (t: number) => EpochDay,
): void {
  if (!effects?.length) return
  const [first, end] = [startOf(0), startOf(values.length)]
  const factors = new Float64Array(Math.max(0, end - first)).fill(1)
  for (const { factor, from, to } of effects)
    for (let day = Math.max(from, first); day <= Math.min(to, end - 1); day++)
      factors[day - first]! *= factor
  let rest = 0
  values.forEach((value, t) => {
    const days = factors.subarray(startOf(t) - first, startOf(t + 1) - first)
    const sum = days.reduce((all, factor) => all + factor, 0)
    if (sum < 1) {
      if (value === 0 && t > 0) values[t] = values[t - 1]!
      return
    }
    rest = divideOne(values, t, sum / days.length, rest)
  })
}

/** Whole demand stays whole: what rounding leaves goes over to the next day. */
function divide(values: Float64Array, from: number, to: number, by: number): void {
  let rest = 0
  for (let t = from; t <= to; t++) rest = divideOne(values, t, by, rest)
}

/** @returns what rounding leaves */
function divideOne(values: Float64Array, t: number, by: number, rest: number): number {
  const value = values[t]!
  const exact = value / by + rest
  const rounded = Number.isInteger(value) ? Math.round(exact) : toFinest(exact)
  values[t] = Math.max(0, rounded)
  return exact - values[t]
}
