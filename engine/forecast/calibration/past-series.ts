import type { Activity } from '../../series/activity.ts'
import type { SeasonSpread } from '../../series/season-spread.ts'
import type { LocationContext } from '../../series/location-context.ts'
import { LEARNING_DAYS, rowsSince } from '../../series/look-back.ts'
import type { Posting } from '../../series/posting.ts'
import { recurringDays } from '../../series/recurring-days.ts'
import { contextFor } from '../../series/series-context.ts'
import { inWeeks } from '../../series/spread-bookings.ts'
import { withoutStrayStart } from '../../series/stray-start.ts'
import { maxSteps, toSteps } from '../../series/steps.ts'
import { knowsPlan } from '../../series/planned-days.ts'
import type { Days, DemandHistory, EpochDay } from '../../types.ts'
import { prepareSeries, createBuffers, type Series } from '../series.ts'

export interface SampledSeries {
  history: DemandHistory
  context: LocationContext
}

/** A series with its past origins: each of them sees no more than the steps before it. */
export interface PastSeries {
  /** Without what is large on days that come again. */
  values: Float64Array
  stepDays: Days
  /** How it is booked; null: by day. */
  every: Posting['every'] | null
  promo: Uint8Array | undefined
  /** Whether promotions to come are known, as they are for the forecast. */
  hasPlan: boolean
  /** What its location does in a year. */
  activity: Activity | null
  seasons: SeasonSpread | null
  /** The first day with any row of its location. */
  knownFrom: EpochDay
  /** The day after the last step. */
  end: EpochDay
  /** Steps that a forecast looks back, at most. */
  most: number
}

/** As far as origins go. */
export const LOOK_BACK: Days = 1120

export function pastSeries(
  { history, context: shared }: SampledSeries,
  asOf: EpochDay,
): PastSeries {
  const context = contextFor(history, asOf, shared)
  const every = context.posting?.every ?? null
  const booked = inWeeks(rowsSince(history, asOf - LEARNING_DAYS), context.posting ?? null)
  const known = withoutStrayStart(booked, asOf)
  const steps = toSteps(known, asOf, context, LOOK_BACK)
  const { stepDays, promo, end } = steps
  const values = (every ? null : recurringDays(steps, asOf))?.rest ?? steps.values
  const most = maxSteps(context.posting ?? null)
  const hasPlan = knowsPlan(history, asOf)
  const { activity = null, seasons = null, knownFrom } = context
  const of = { activity, seasons, knownFrom: knownFrom ?? -Infinity }
  return { values, stepDays, every, promo, hasPlan, ...of, end, most }
}

/** What was known before the step `end`. */
export const knownAt = ({ values, most }: PastSeries, end: number): Float64Array =>
  values.subarray(Math.max(0, end - most), end)

const buffers = createBuffers(Math.max(maxSteps(null), maxSteps({ every: 'week', on: 0 })))

/**
 * The series as it was known before the step `end`; a plan of promotions where one is given for the
 * future too. Its arrays are good until the next call.
 */
export function seriesAt(past: PastSeries, end: number, steps: number): Series {
  const { promo, hasPlan, activity, seasons, most, stepDays } = past
  const promotions = promo && {
    past: promo.subarray(Math.max(0, end - most), end),
    coming: hasPlan ? promo.subarray(end, end + steps) : null,
  }
  const day = past.end - Math.round((past.values.length - end) * stepDays)
  const covariates = {
    ...(promotions && { promotions }),
    ...(activity && { year: { activity, day, end: day, seasons } }),
  }
  return prepareSeries(knownAt(past, end), stepDays, covariates, buffers)
}
