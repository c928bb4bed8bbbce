import { smallestOrder } from '../inventory/limits.ts'
import { ceilTo, floorTo, wholeStep } from '../inventory/lots.ts'
import type { SupplierLine } from './supplier-line.ts'
import type { Days, Units } from '../types.ts'

/** What so many units of a line count; a line is not raised where that counts no more. */
export type Measure = (line: SupplierLine, quantity: Units) => number

/** What a day counts that a line reaches beyond its target; a line without is not raised. */
export type Weight = (line: SupplierLine) => number | null

type Goal = { atLeast: number } | { atMost: number }

export function totalOf(lines: readonly SupplierLine[], quantities: Units[], measure: Measure) {
  return lines.reduce((sum, line, i) => sum + measure(line, quantities[i]!), 0)
}

const HALVINGS = 60

/** More days than any supply lasts. */
const FAR: Days = 1e7

/**
 * Raises lines lot by lot, each lot to the line whose supply then reaches least far beyond its
 * target: up to the first lot that meets `atLeast`, or the last one that keeps to `atMost`. All
 * that can be had where that is not enough. The level of days is found by halving, not lot by lot.
 * @param most days beyond its target that no line is raised above
 * @param weight by which the days of lines are compared
 */
export function fillTo(
  lines: readonly SupplierLine[],
  from: Units[],
  measure: Measure,
  goal: Goal,
  most: Days = FAR,
  weight: Weight = evenly,
): Units[] {
  const at = (level: Days) =>
    lines.map((line, i) => {
      const own = weight(line)
      if (own === null) return from[i]!
      const farthest = reaching(line, from[i]!, Math.min(most, level / own))
      return countingMost(line, from[i]!, farthest, measure)
    })
  const total = (quantities: Units[]) => totalOf(lines, quantities, measure)
  const bound = 'atLeast' in goal ? goal.atLeast : goal.atMost
  const enough = (quantities: Units[]) =>
    'atLeast' in goal ? total(quantities) >= bound - 1e-6 : total(quantities) > bound + 1e-6
  if ('atLeast' in goal && enough(from)) return from
  let [low, high] = [-FAR, FAR]
  if (!enough(at(high))) return at(high)
  for (let i = 0; i < HALVINGS; i++) {
    const middle = (low + high) / 2
    if (enough(at(middle))) high = middle
    else low = middle
  }
  // Several lines may step at this very level: one after the other, as far as needed or allowed.
  const [result, above] = [at(low), at(high)]
  lines.forEach((_, i) => {
    if (result[i] === above[i]) return
    const stepped = result.with(i, above[i]!)
    const take = 'atLeast' in goal ? !enough(result) : !enough(stepped)
    if (take) result[i] = above[i]!
  })
  return result
}

const evenly = () => 1

/** The most of a line, from what it has, whose supply reaches no further beyond the target. */
export function reaching(line: SupplierLine, from: Units, level: Days): Units {
  const { dailyDemand, daysAboveTarget, most } = line
  if (!(dailyDemand > 0)) return from
  const step = wholeStep(line.lotSize) ?? 1
  const units = Math.min((level - daysAboveTarget) * dailyDemand, most ?? Infinity)
  const quantity = floorTo(units, step)
  return quantity > from && quantity >= smallestOrder(line) ? quantity : from
}

/**
 * The quantity between these two that counts most, the least of equal ones: what is just below a price break may be
 * worth more than what is above it. So what counts never falls as lines reach farther.
 */
function countingMost(line: SupplierLine, from: Units, most: Units, measure: Measure): Units {
  const step = wholeStep(line.lotSize) ?? 1
  const least = Math.max(from, smallestOrder(line))
  const belowBreaks = (line.priceBreaks ?? [])
    .map((priceBreak) => ceilTo(priceBreak.from, step) - step)
    .filter((quantity) => quantity >= least && quantity < most)
  return [...belowBreaks, most].reduce(
    (best, each) => (measure(line, each) > measure(line, best) ? each : best),
    from,
  )
}
