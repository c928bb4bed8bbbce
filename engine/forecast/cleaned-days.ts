import { forecastHistory } from '../series/look-back.ts'
import type { LocationContext } from '../series/location-context.ts'
import { contextFor } from '../series/series-context.ts'
import { toSteps } from '../series/steps.ts'
import type { DemandHistory, EpochDay } from '../types.ts'
import { winsorise } from './winsorise.ts'

/** Days that a forecast does not take as they were. */
export interface CleanedDays {
  /** Nothing to sell, so that they say nothing of demand. */
  outOfStock: EpochDay[]
  /** The whole location was closed out of its routine, or a closure was planned and nothing sold; ascending. */
  closed: EpochDay[]
  /** One-off bulk sales, of which a part counts. */
  outliers: EpochDay[]
}

/** As {@link forecastPair} cleans the same history; nothing where demand is booked by week or month. */
export function cleanedDays(
  all: DemandHistory,
  asOf: EpochDay,
  locationContext: LocationContext,
): CleanedDays {
  const context = contextFor(all, asOf, locationContext)
  const steps = toSteps(forecastHistory(all, asOf, context), asOf, context)
  const { values, end, stepDays, stockouts = [], stockoutDays = 0, closed = [] } = steps
  if (stepDays > 1) return { outOfStock: [], closed: [], outliers: [] }
  const start = end - values.length
  const last = { from: values.length, to: values.length + stockoutDays }
  const capped = winsorise(values, new Float64Array(values.length))
  return {
    outOfStock: [...stockouts, last].flatMap(({ from, to }) => daysFrom(start + from, to - from)),
    closed: [...new Set(closed)].filter((day) => day >= start && day < asOf).sort((a, b) => a - b),
    outliers: daysFrom(start, values.length).filter((_, t) => capped[t]! < values[t]!),
  }
}

const daysFrom = (first: EpochDay, length: number): EpochDay[] =>
  Array.from({ length }, (_, at) => first + at)
