import { FINEST } from '../series/quantity.ts'
import type { Days } from '../types.ts'
import type { Promotions } from './promotions.ts'
import { winsorised } from './winsorise.ts'

/** Demand in equal steps, oldest first, with the sums that all methods share. */
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
}

export function prepare(demand: Float64Array, stepDays: Days, promotions?: Promotions): Series {
  const unit = commonUnit(demand)
  const values = unit === 1 ? demand : demand.map((value) => Math.round(value / unit))
  const length = values.length
  const capped = winsorised(values)
  const sums = prefixSums(values)
  const mean = length ? sums[length]! / length : 0
  let squares = 0
  let sales = 0
  for (let t = 0; t < length; t++) {
    squares += (values[t]! - mean) ** 2
    if (values[t]! > 0) sales++
  }
  const dispersion = mean > 0 ? squares / length / mean : 1
  const cappedSums = capped === values ? sums : prefixSums(capped)
  const own = { stepDays, length, values, sums, capped, cappedSums, mean, dispersion, sales, unit }
  return promotions ? { ...own, promotions } : own
}

/** Mean demand of the steps that have any, one-off bulk sales cut down. */
export const meanSale = ({ cappedSums, length, sales }: Series) =>
  sales ? cappedSums[length]! / sales : 0

function prefixSums(values: Float64Array): Float64Array {
  const sums = new Float64Array(values.length + 1)
  let sum = 0
  for (let t = 0; t < values.length; t++) sums[t + 1] = sum += values[t]!
  return sums
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
