import { FINEST } from '../series/quantity.ts'
import type { Days } from '../types.ts'
import type { Promotions } from './promotions.ts'
import { winsorise } from './winsorise.ts'
import { seasonIndex, type Year } from './yearly.ts'

/**
 * Demand in equal steps, oldest first, with the sums that all methods share. Where the year of its location is known, the
 * season is taken out of all of them: they tell of the level, and of nothing that comes back each year.
 */
export interface Series {
  /** A step's length: 1, or more where a location books weekly or monthly. */
  stepDays: Days
  length: number
  /** Demand a step, in multiples of {@link unit}. */
  values: Float64Array
  /** `sums[t]` = demand before step t, so that any window's demand is one subtraction. */
  sums: Float64Array
  /** The same of the demand without one-off bulk sales, from which levels are learnt. */
  capped: Float64Array
  cappedSums: Float64Array
  /** Mean demand a step, and variance over mean. */
  mean: number
  dispersion: number
  /** Steps with demand. */
  sales: number
  /** The largest quantity that divides every demand: packs of 12 are forecast in packs. */
  unit: number
  promotions?: Promotions
  year?: Year
}

/** What is known beside the demand. */
export type Covariates = Pick<Series, 'promotions' | 'year'>

/** Where the arrays of one series are put, and then those of the next: for those who need but one. */
export interface SeriesBuffers {
  values: Float64Array
  capped: Float64Array
  sums: Float64Array
  cappedSums: Float64Array
}

export const createBuffers = (steps: number): SeriesBuffers => ({
  values: new Float64Array(steps),
  capped: new Float64Array(steps),
  sums: new Float64Array(steps + 1),
  cappedSums: new Float64Array(steps + 1),
})

/**
 * Of a sale so large that it says nothing of spread either: a slip of the pen, or what comes once. It would make so wide a
 * distribution of the usual demand that its median falls far below the level.
 */
const FREAK = 20

/** @param buffers of as many steps at least; the series then holds until `buffers` is given again */
export function prepareSeries(
  demand: Float64Array,
  stepDays: Days,
  covariates: Covariates = {},
  buffers: SeriesBuffers = createBuffers(demand.length),
): Series {
  const unit = commonUnit(demand)
  const inTheirUnit = unit === 1 ? demand : inUnits(demand, unit, buffers.values)
  const seasonless = withoutSeason(inTheirUnit, stepDays, covariates, buffers.values)
  const values = winsorise(seasonless, buffers.values, FREAK)
  const length = values.length
  const capped = winsorise(values, buffers.capped)
  const sums = prefixSums(values, buffers.sums)
  const mean = length ? sums[length]! / length : 0
  let squares = 0
  let sales = 0
  for (let t = 0; t < length; t++) {
    squares += (values[t]! - mean) ** 2
    if (values[t]! > 0) sales++
  }
  const dispersion = mean > 0 ? squares / length / mean : 1
  const cappedSums = capped === values ? sums : prefixSums(capped, buffers.cappedSums)
  const own = { stepDays, length, values, sums, capped, cappedSums, mean, dispersion, sales, unit }
  return { ...own, ...covariates }
}

/** Mean demand of the steps that have any, one-off bulk sales cut down. */
export const meanSale = ({ cappedSums, length, sales }: Series) =>
  sales ? cappedSums[length]! / sales : 0

function inUnits(demand: Float64Array, unit: number, into: Float64Array): Float64Array {
  for (let t = 0; t < demand.length; t++) into[t] = Math.round(demand[t]! / unit)
  return into.subarray(0, demand.length)
}

function withoutSeason(
  values: Float64Array,
  stepDays: Days,
  { year }: Covariates,
  into: Float64Array,
): Float64Array {
  const { length } = values
  const index = year && seasonIndex(year, year.end - length * stepDays, length, stepDays)
  if (!index) return values
  for (let t = 0; t < length; t++) into[t] = values[t]! / index[t]!
  return into.subarray(0, length)
}

function prefixSums(values: Float64Array, into: Float64Array): Float64Array {
  let sum = 0
  into[0] = 0
  for (let t = 0; t < values.length; t++) into[t + 1] = sum += values[t]!
  return into.subarray(0, values.length + 1)
}

function commonUnit(values: Float64Array): number {
  let unit = 0
  for (let t = 0; t < values.length && unit !== 1; t++) {
    const value = values[t]!
    if (value === 0) continue
    if (!Number.isInteger(value)) return 1 / FINEST
    unit = greatestCommonDivisor(value, unit)
  }
  return unit || 1
}

function greatestCommonDivisor(a: number, b: number): number {
  while (b) [a, b] = [b, a % b]
  return a
}
