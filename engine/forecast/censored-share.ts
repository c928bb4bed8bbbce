import type { Steps } from '../series/steps.ts'
import type { ZeroRun } from '../series/stockouts.ts'
import type { Days } from '../types.ts'

const YEAR: Days = 365

/** Days of some runs from a step on. */
export const daysWithin = (runs: readonly ZeroRun[], start = 0): Days =>
  runs.reduce((days, { from, to }) => days + Math.max(0, to - Math.max(from, start)), 0)

/** Share of the past year's days that say nothing of demand, because there was nothing to sell. */
export function censoredShareOf({ values, stockouts = [], stockoutDays = 0 }: Steps): number {
  const length = values.length + stockoutDays
  const start = Math.max(0, length - YEAR)
  const days = daysWithin(stockouts, start) + stockoutDays
  return Math.round((1000 * days) / Math.max(1, length - start)) / 1000
}
