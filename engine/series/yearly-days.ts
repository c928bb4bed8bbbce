// Single days that come again every year, such as the Friday after Thanksgiving: many times the usual in both of the last two years.
import type { Days, EpochDay, PlannedEffect, Units } from '../types.ts'
import { inNextYear } from './calendar.ts'

const YEAR: Days = 364
/** Such a day sells so many times what the days around it do, so many deviations more, and so many units at least. */
const LARGE = { times: 5, deviations: 6, units: 8 }
/** Days on either side that tell what is usual; those next to it may belong to it. */
const AROUND: { days: Days; beside: Days } = { days: 28, beside: 3 }
/** Days from such a weekday to the one a year later. */
const WEEKS: readonly Days[] = [YEAR, YEAR - 7, YEAR + 7]
/** One of both years is no more times as large as the other. */
const ALIKE = 2.5
/** Share of the large days of a year that come again, at least. */
const COMES_AGAIN = 0.5
/** Large days of a year, at most: more of them raise the level by themselves. */
const MOST_LARGE = 6
/** No day counts as more days than this, and of what hardly sells otherwise as no more than that. */
const MOST = { usually: 1_000, hardly: 50 }
/** What hardly sells: fewer units in four weeks. */
const FEWEST_UNITS: Units = 20

interface Past {
  /** Units a day, the latest last. */
  values: Float64Array
  /** 1 on days with a promotion, which is what made them large. */
  promo?: Uint8Array | undefined
  /** The first day that nothing is known of. */
  end: EpochDay
}

interface LargeDay {
  day: EpochDay
  units: Units
  usual: Units
}

/**
 * Single days that come again a year later: on the same weekday of the week, or on the same day of the calendar. There are none where
 * most large days of the latest year had none before: then the others are chance; nor where there are many.
 */
export function yearlyDays({ values, promo, end }: Past, asOf: EpochDay): PlannedEffect[] {
  if (values.length < YEAR + 1) return []
  const large = largeDays(values, promo, end)
  const latest = large.filter(({ day }) => day >= end - YEAR - 1)
  const again = latest.flatMap((each) => againOf(each, large) ?? [])
  if (again.length < COMES_AGAIN * latest.length || latest.length > MOST_LARGE) return []
  return again.filter(({ from }) => from >= asOf)
}

function againOf(latest: LargeDay, large: readonly LargeDay[]): PlannedEffect | null {
  const { day, units, usual } = latest
  const isAlike = (each: LargeDay) => Math.max(each.units / units, units / each.units) <= ALIKE
  const onDate = large.find((each) => inNextYear(each.day) === day && isAlike(each))
  const inWeek = large.find((each) => WEEKS.includes(day - each.day) && isAlike(each))
  const before = onDate ?? inWeek
  if (!before) return null
  const next = onDate ? inNextYear(day) : day + YEAR
  const times = (units + before.units) / (usual + before.usual)
  const most = 28 * usual < FEWEST_UNITS ? MOST.hardly : MOST.usually
  const factor = Math.min(most, Math.round(100 * times) / 100)
  return { kind: 'event', from: next, to: next, factor }
}

function largeDays(values: Float64Array, promo: Uint8Array | undefined, end: EpochDay): LargeDay[] {
  const found: LargeDay[] = []
  const { length } = values
  const [sums, squares] = [sumsOf(values), sumsOf(values.map((units) => units * units))]
  for (let at = 0; at < length; at++) {
    const units = values[at]!
    if (units < LARGE.units || promo?.[at]) continue
    const [from, to] = [Math.max(0, at - AROUND.days), Math.min(length, at + AROUND.days + 1)]
    const [left, right] = [
      Math.max(0, at - AROUND.beside),
      Math.min(length, at + AROUND.beside + 1),
    ]
    const count = to - from - (right - left)
    const mean = (of: Float64Array) => (of[to]! - of[from]! - (of[right]! - of[left]!)) / count
    const usual = mean(sums)
    const deviation = Math.sqrt(Math.max(usual, mean(squares) - usual ** 2))
    const least = Math.max(LARGE.times * usual, usual + LARGE.deviations * deviation)
    if (usual > 0 && units >= least) found.push({ day: end - length + at, units, usual })
  }
  return found
}

/** The sum of all before each place. */
function sumsOf(values: Float64Array): Float64Array {
  const sums = new Float64Array(values.length + 1)
  values.forEach((value, at) => (sums[at + 1] = sums[at]! + value))
  return sums
}
