import { forecastHistory } from '../series/look-back.ts'
import type { LocationContext } from '../series/location-context.ts'
import { toFinest, unitsOf } from '../series/quantity.ts'
import { contextFor } from '../series/series-context.ts'
import { toSteps } from '../series/steps.ts'
import type { DemandHistory, EpochDay, Units } from '../types.ts'
import { winsorise } from './winsorise.ts'

/**
 * `out_of_stock`: nothing was there to sell, or it ran out on the day, so that usual demand counts if more. `closed`: the whole
 * location was closed out of its routine, or a closure was planned and nothing sold. `outlier`: a one-off bulk sale, of which a part
 * counts. `planned`: what a planned event or price raised or lowered is taken out.
 */
export type CleaningReason = 'out_of_stock' | 'closed' | 'outlier' | 'planned'

/** A day that a forecast does not take as it was. */
export interface CleanedDay {
  day: EpochDay
  booked: Units
  /** What the forecast takes instead; null: the day is left out, as those of a stockout that lasts are. */
  taken: Units | null
  reasons: CleaningReason[]
}

/** As {@link forecastPair} cleans the same history, ascending; nothing where demand is booked by week or month. */
export function cleanedDays(
  all: DemandHistory,
  asOf: EpochDay,
  locationContext: LocationContext,
): CleanedDay[] {
  const context = contextFor(all, asOf, locationContext)
  const history = forecastHistory(all, asOf, context)
  const {
    values,
    end,
    stepDays,
    stockouts = [],
    stockoutDays = 0,
    closed = [],
  } = toSteps(history, asOf, context)
  if (stepDays > 1) return []
  const start = end - values.length
  const capped = winsorise(values, new Float64Array(values.length))
  const booked = bookedBy(history, start)
  const runs = [...stockouts, { from: values.length, to: values.length + stockoutDays }]
  const empty = new Set(runs.flatMap(({ from, to }) => daysFrom(start + from, to - from)))
  const shut = new Set(closed)
  return daysFrom(start, values.length + stockoutDays).flatMap((day, t) => {
    const units = booked.get(day) ?? 0
    const taken = t < values.length ? capped[t]! : null
    const reasons: CleaningReason[] = []
    if (empty.has(day)) reasons.push('out_of_stock')
    if (shut.has(day)) reasons.push('closed')
    if (taken !== null && taken < values[t]!) reasons.push('outlier')
    if (!reasons.length && taken !== null && taken !== units)
      reasons.push(isPlanned(history, day) ? 'planned' : 'out_of_stock')
    return reasons.length ? [{ day, booked: units, taken, reasons }] : []
  })
}

function bookedBy({ days, quantities }: DemandHistory, start: EpochDay) {
  const sums = new Map<EpochDay, Units>()
  days.forEach((day, at) => {
    if (day >= start) sums.set(day, toFinest((sums.get(day) ?? 0) + unitsOf(quantities[at]!)))
  })
  return sums
}

const isPlanned = ({ effects = [] }: DemandHistory, day: EpochDay) =>
  effects.some(({ kind, from, to }) => kind !== 'promotion' && day >= from && day <= to)

const daysFrom = (first: EpochDay, length: number): EpochDay[] =>
  Array.from({ length }, (_, at) => first + at)
