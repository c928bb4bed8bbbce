import type { Days } from '../types.ts'

/** When promotions ran, and when they will where that is planned; a step is a day. */
export interface Promotions {
  /** 1 for each past day with a promotion, aligned with the demand. */
  past: Uint8Array
  /** The same from the as-of date on, 2 for a day that surely has none; null where no plan is known. */
  coming: Uint8Array | null
  /** Days from the as-of date on of which the plan knows that there is no other; absent: all. */
  known?: Days
}

/** What promotions did to a series in the past year. */
export interface PromotionHabit {
  /** Demand of a day with a promotion over that of a day without. */
  uplift: number
  /** Share of the days with one, in the past year and in the past four weeks. */
  share: number
  recentShare: number
}

const YEAR = 364
const MONTH = 28
/** How many times the noise the difference must be, squared, before it counts at all. */
const HARDNESS = 4

/** The habit, its uplift moved to none as far as the difference could be noise (James-Stein). */
export function promotionHabit(demand: Float64Array, past: Uint8Array): PromotionHabit {
  const start = Math.max(0, demand.length - YEAR)
  const length = demand.length - start
  const days = [0, 0]
  const sums = [0, 0]
  let squares = 0
  let recentDays = 0
  for (let t = start; t < demand.length; t++) {
    const ran = past[t]!
    days[ran]!++
    sums[ran]! += demand[t]!
    squares += demand[t]! ** 2
    if (ran && t >= demand.length - MONTH) recentDays++
  }
  const [usualDays, promotedDays] = days as [number, number]
  const share = promotedDays / Math.max(1, length)
  const recentShare = recentDays / Math.min(MONTH, Math.max(1, length))
  const usual = sums[0]! / usualDays
  const difference = sums[1]! / promotedDays - usual
  if (!(usual > 0) || !Number.isFinite(difference)) return { uplift: 1, share, recentShare }
  const within =
    (squares - usualDays * usual ** 2 - promotedDays * (usual + difference) ** 2) / length
  const noise = Math.max(within, 1e-9) * (1 / usualDays + 1 / promotedDays)
  const believed = Math.max(0, 1 - (HARDNESS * noise) / difference ** 2)
  return { uplift: 1 + (believed * difference) / usual, share, recentShare }
}

/**
 * Share of the next `horizon` days with a promotion, where the plan does not know as in the past; NaN where it knows nothing.
 * @param usual the share in the past
 */
export function comingShare(
  { coming, known = Infinity }: Promotions,
  horizon: Days,
  usual: number,
): number {
  if (!coming) return NaN
  let unknown = 0
  for (let t = known; t < horizon; t++) if (!coming[t]) unknown++
  let days = unknown * usual
  for (let t = 0; t < horizon; t++) if (coming[t] === 1) days++
  return days / horizon
}

/** Demand under the share of promotions to come over demand under the past one; 1 if none is known. */
export function promotionFactor({ uplift, share }: PromotionHabit, coming: number): number {
  if (Number.isNaN(coming)) return 1
  return (1 + coming * (uplift - 1)) / (1 + share * (uplift - 1))
}

/** By how much the promotions to come raise or lower what the methods say of a series. */
export function promotionFactorOf(
  { capped, promotions }: { capped: Float64Array; promotions?: Promotions },
  horizon: Days,
): number {
  if (!promotions?.coming) return 1
  const habit = promotionHabit(capped, promotions.past)
  return promotionFactor(habit, comingShare(promotions, horizon, habit.share))
}
