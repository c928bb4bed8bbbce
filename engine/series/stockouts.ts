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
  for (let from = 0; from < values.length;) {
    let to = from
    while (to < values.length && values[to] === 0) to++
    const length = to - from
    const within = length >= SHORTEST && length <= LONGEST && to < values.length
    if (within && isImprobable(values, from, to)) runs.push({ from, to })
    from = to + 1
  }
  return runs
}

function isImprobable(values: Float64Array, from: number, to: number): boolean {
  const days = new Float64Array(7)
  const zeros = new Float64Array(7)
  let [count, without, alone, sum, squares] = [0, 0, 0, 0, 0]
  for (let t = Math.max(0, from - AROUND); t < Math.min(values.length, to + AROUND); t++) {
    if (t >= from && t < to) continue
    days[t % 7]!++
    if (values[t] === 0) zeros[t % 7]!++
  }
  const sells = (t: number) => zeros[t % 7]! < IDLE_WEEKDAY * days[t % 7]!
  for (let t = Math.max(0, from - AROUND); t < Math.min(values.length, to + AROUND); t++) {
    if ((t >= from && t < to) || !sells(t)) continue
    const value = values[t]!
    count++
    sum += value
    squares += value * value
    if (value !== 0) continue
    without++
    if (values[t - 1] !== 0 && values[t + 1] !== 0) alone++
  }
  if (count < FEWEST_AROUND || without > MOST_ZEROS * count) return false
  let length = 0
  for (let t = from; t < to; t++) if (sells(t)) length++
  const mean = sum / count
  const dispersion = Math.max(1.01, (squares / count - mean * mean) / mean)
  /** Of a zero day: as often as lone ones around it, and as a negative binomial count would have it. */
  const often = Math.log((alone + 0.5) / (count + 1))
  const counted = (-mean * Math.log(dispersion)) / (dispersion - 1)
  return length * Math.max(often, counted) < Math.log(BY_CHANCE / values.length)
}

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
