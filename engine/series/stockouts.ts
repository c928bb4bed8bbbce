import type { Days } from '../types.ts'

/** Days of zero demand, from the first up to but without the last, by position in the series. */
export interface ZeroRun {
  from: number
  to: number
}

/** Fewer days may always come by chance. */
const SHORTEST: Days = 3
/** A longer silence is a season, or a SKU taken off the shelf. */
const LONGEST: Days = 21
/** Days before and after a run that say what was usual then. */
const AROUND: Days = 56
const FEWEST_AROUND: Days = 28
/** Share of zero days around, up to which a run of them can be told from slow demand. */
const MOST_ZEROS = 0.3
/** A weekday with this share of zero days is one that does not sell. */
const IDLE_WEEKDAY = 0.5
/** How often such a run may come by chance in the whole history. */
const BY_CHANCE = 0.01

/**
 * Runs of days without demand that the demand around them makes improbable: then there was nothing to
 * sell, and these days say nothing of demand. The run that the series ends with is not among them: it
 * may be that nobody buys any more.
 */
export function stockoutRuns(values: Float64Array): ZeroRun[] {
  if (values.length < 2 * FEWEST_AROUND) return []
  const runs: ZeroRun[] = []
  let isCounted = false
  for (let from = 0; from < values.length;) {
    let to = from
    while (to < values.length && values[to] === 0) to++
    const length = to - from
    if (length >= SHORTEST && length <= LONGEST && to < values.length) {
      if (!isCounted) countZeros(values)
      isCounted = true
      if (isImprobable(values, from, to)) runs.push({ from, to })
    }
    from = to + 1
  }
  return runs
}

/** `zerosBefore[t + 7]` = zero days among t, t − 7, t − 14 … of the series that was counted last. */
let zerosBefore = new Int32Array(2048)

function countZeros(values: Float64Array): void {
  if (zerosBefore.length < values.length + 7) zerosBefore = new Int32Array(2 * values.length + 7)
  for (let t = 0; t < values.length; t++)
    zerosBefore[t + 7] = zerosBefore[t]! + (values[t] === 0 ? 1 : 0)
}

/** Whether a weekday sells, by the days around. */
const sells = new Uint8Array(7)

function isImprobable(values: Float64Array, from: number, to: number): boolean {
  const start = Math.max(0, from - AROUND)
  const end = Math.min(values.length, to + AROUND)
  let count = 0
  let without = 0
  for (let weekday = 0; weekday < 7; weekday++) {
    const first = start + weekday
    const days = daysUpTo(first, from) + daysUpTo(to + ((((first - to) % 7) + 7) % 7), end)
    const zeros = zerosIn(first, from) + zerosIn(to + ((((first - to) % 7) + 7) % 7), end)
    const doesSell = zeros < IDLE_WEEKDAY * days
    sells[first % 7] = doesSell ? 1 : 0
    if (!doesSell) continue
    count += days
    without += zeros
  }
  if (count < FEWEST_AROUND || without > MOST_ZEROS * count) return false
  let alone = 0
  let sum = 0
  let squares = 0
  for (let t = start; t < end; t++) {
    if (t === from) t = to
    if (sells[t % 7] === 0) continue
    const value = values[t]!
    sum += value
    squares += value * value
    if (value === 0 && values[t - 1] !== 0 && values[t + 1] !== 0) alone++
  }
  let length = 0
  for (let t = from; t < to; t++) if (sells[t % 7]) length++
  const mean = sum / count
  const dispersion = Math.max(1.01, (squares / count - mean * mean) / mean)
  /** Of a zero day: as often as lone ones around it, and as a negative binomial count would have it. */
  const often = Math.log((alone + 0.5) / (count + 1))
  const counted = (-mean * Math.log(dispersion)) / (dispersion - 1)
  return length * Math.max(often, counted) < Math.log(BY_CHANCE / values.length)
}

/** How many of `first`, `first` + 7 … lie before `end`, and how many of them are zero days. */
const daysUpTo = (first: number, end: number) =>
  first < end ? Math.floor((end - 1 - first) / 7) + 1 : 0
const zerosIn = (first: number, end: number) =>
  first < end ? zerosBefore[first + 7 * daysUpTo(first, end)]! - zerosBefore[first]! : 0

/** Each day of the runs takes the demand of the same weekday before it, or else after it; in place. */
export function fillRuns(values: Float64Array, runs: readonly ZeroRun[]): void {
  fillMissing(values, daysOf(runs))
}

/** Each missing day takes the demand of the same weekday before it, or else after it; in place. */
export function fillMissing(values: Float64Array, missing: ReadonlySet<number>): void {
  for (const t of missing)
    if (t >= 0 && t < values.length) values[t] = usualDemand(values, missing, t, 1)
}

/** The demand of a day so many weeks before, or of the next one before or after it that is not missing. */
export function usualDemand(
  values: Float64Array,
  missing: ReadonlySet<number>,
  t: number,
  weeks: number,
): number {
  const donor = (at: number, step: number) => {
    while (missing.has(at)) at += step
    return values[at]
  }
  return donor(t - 7 * weeks, -7) ?? donor(t - 7, -7) ?? donor(t + 7, 7) ?? 0
}

export function daysOf(runs: readonly ZeroRun[]): Set<number> {
  const days = new Set<number>()
  for (const { from, to } of runs) for (let t = from; t < to; t++) days.add(t)
  return days
}
