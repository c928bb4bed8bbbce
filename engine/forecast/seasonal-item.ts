// What sells for a part of the year alone, such as Christmas articles: the level of other weeks says nothing of it.
import type { Days, Units } from '../types.ts'
import type { Amounts } from './model.ts'
import { gammaQuantileOverMean } from './numeric/gamma.ts'

const YEAR: Days = 364
const WEEKS = 52
/** Weeks of a year in which it sells, at least and at most, in one of two years. */
const SEASON = { least: 3, most: 30 }
/** Weeks on end in which it sells in neither year: what is booked once a quarter sells all year. */
const SILENCE = 16
/** Share of these weeks in which it sold in both years. */
const ALIKE = 0.6
/** What the latest year counts. */
const LATEST = 0.6
/** A season begins up to so many days earlier or later than a year before. */
const SHIFTS: readonly Days[] = [-4, -2, 0, 2, 4]
/** Squared coefficient of variation of a season's size from one year to the next. */
const YEARLY = 0.25 ** 2

interface History {
  /** Units a step, the latest last. */
  values: Float64Array
  stepDays: Days
  /** Days before the last one of which the location knows, and in which this one sold nothing where it has no value. */
  known: Days
}

/** Demand of the next steps in each of the last two years; null for what sells all year, or is not known for two. */
function seasonsOf({ values, stepDays, known }: History) {
  if (known < 2 * YEAR || YEAR % stepDays !== 0) return null
  const { length } = values
  const year = YEAR / stepDays
  const sum = (from: number, to: number) => {
    let units = 0
    for (let t = Math.max(0, from); t < Math.min(length, to); t++) units += values[t]!
    return units
  }
  const week = 7 / stepDays
  const soldIn = (week0: number) => sum(length - (week0 + 1) * week, length - week0 * week) > 0
  let [both, any, silent, longest] = [0, 0, 0, 0]
  // Twice round, since a silence may last over the year's end.
  for (let w = 0; w < 2 * WEEKS; w++) {
    const [now, before] = [soldIn(w % WEEKS), soldIn((w % WEEKS) + WEEKS)]
    silent = now || before ? 0 : silent + 1
    longest = Math.max(longest, silent)
    if (w >= WEEKS) continue
    if (now || before) any++
    if (now && before) both++
  }
  if (longest < SILENCE || any > SEASON.most) return null
  if (both < SEASON.least || both < ALIKE * any) return null
  return (steps: number): [latest: Units, before: Units] => {
    const ago = (years: number) => {
      const from = length - years * year
      const shifted = SHIFTS.map((days) => {
        const by = Math.round(days / stepDays)
        return sum(from + by, Math.min(length, from + by + steps))
      })
      return shifted.reduce((total, each) => total + each, 0) / SHIFTS.length
    }
    return [ago(1), ago(2)]
  }
}

/** Writes what came in the same days of both years over the forecast, in place. */
export function writeSeasonalItem(
  history: History,
  stepCounts: readonly number[],
  quantiles: Float64Array,
  amounts: Amounts,
): boolean {
  const seasons = seasonsOf(history)
  if (!seasons) return false
  stepCounts.forEach((steps, i) => {
    const [latest, before] = seasons(steps)
    const mean = LATEST * latest + (1 - LATEST) * before
    const variance = mean + YEARLY * mean * mean + ((latest - before) / 2) ** 2
    const shape = mean > 0 ? (mean * mean) / variance : 0
    for (let level = 0; level < 3; level++)
      quantiles[3 * i + level] = shape > 0 ? mean * gammaQuantileOverMean(shape, level) : 0
    const p50 = quantiles[3 * i + 1]!
    amounts.yearly ??= stepCounts.map(() => 0)
    amounts.yearly[i] = p50 - amounts.level[i]!
    if (amounts.promotion) amounts.promotion[i] = 0
  })
  return true
}
