import type { Activity } from '../../series/activity.ts'
import type { LocationContext } from '../../series/context.ts'
import { mostSteps, toSteps } from '../../series/steps.ts'
import type { Days, DemandHistory, EpochDay } from '../../types.ts'
import { prepare, roomFor, type Series } from '../series.ts'

export interface SampledSeries {
  history: DemandHistory
  context: LocationContext
}

/** A series with its past origins: each of them sees no more than the steps before it. */
export interface PastSeries {
  values: Float64Array
  stepDays: Days
  promo: Uint8Array | undefined
  /** Whether promotions to come are known, as they are for the forecast. */
  planned: boolean
  /** What its location does in a year. */
  activity: Activity | null
  /** The day after the last step. */
  end: EpochDay
  /** Steps that a forecast looks back, at most. */
  most: number
}

/** As far as origins go. */
export const LOOK_BACK: Days = 1120

export function pastSeries({ history, context }: SampledSeries, asOf: EpochDay): PastSeries {
  const { values, stepDays, promo, end } = toSteps(history, asOf, context, LOOK_BACK)
  const most = mostSteps(context.posting ?? null)
  const planned = history.plan !== undefined
  return { values, stepDays, promo, planned, activity: context.activity ?? null, end, most }
}

/** What was known before the step `end`. */
export const knownAt = ({ values, most }: PastSeries, end: number): Float64Array =>
  values.subarray(Math.max(0, end - most), end)

const room = roomFor(Math.max(mostSteps(null), mostSteps({ every: 'week', on: 0 })))

/**
 * The series as it was known before the step `end`; a plan of promotions where one is given for the
 * future too. Its arrays are good until the next call.
 */
export function seriesAt(past: PastSeries, end: number, steps: number): Series {
  const { promo, planned, activity, most, stepDays } = past
  const promotions = promo && {
    past: promo.subarray(Math.max(0, end - most), end),
    coming: planned ? promo.subarray(end, end + steps) : null,
  }
  const day = past.end - Math.round((past.values.length - end) * stepDays)
  const surroundings = {
    ...(promotions && { promotions }),
    ...(activity && { year: { activity, day, end: day } }),
  }
  return prepare(knownAt(past, end), stepDays, surroundings, room)
}
