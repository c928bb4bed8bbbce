import { MAX_HORIZON_DAYS } from '../horizon.ts'
import type { Days, ForecastAnswer, Quantiles, Units } from '../types.ts'
import { countSteps } from './step-calendar.ts'
import type { Driver } from './drivers.ts'
import { type Counts, countsOf } from './counts.ts'
import { type Distribution, USUAL_TAIL } from './distribution.ts'
import type { ForecastModel } from './model.ts'

/**
 * The forecast of the total demand over the next `horizon` days, whole and in order.
 * @throws RangeError for a horizon that is not a whole number of 1..90
 */
export function predictDemand(model: ForecastModel, horizon: Days): ForecastAnswer {
  const steps = stepsOf(model, horizon)
  const quantiles = quantilesOver(model, steps)
  return {
    ...quantiles,
    confidence: model.confidence[indexOf(model, steps)] ?? 'low',
    drivers: driversFor(model, quantiles.p50, steps, horizon),
    censoredShare: model.censoredShare ?? 0,
  }
}

/** As {@link predictDemand}, for whoever only reckons with it. */
export const predictQuantiles = (model: ForecastModel, horizon: Days): Quantiles =>
  quantilesOver(model, stepsOf(model, horizon))

function stepsOf(model: ForecastModel, horizon: Days): number {
  if (!Number.isInteger(horizon) || horizon < 1 || horizon > MAX_HORIZON_DAYS)
    throw new RangeError(`horizon must be a whole number of 1..${MAX_HORIZON_DAYS}`)
  const { calendar } = model
  const before = horizon - daysOf(model, horizon)
  return countSteps(calendar, horizon) - (before ? countSteps(calendar, before) : 0)
}

/** Those of the horizon on which there is demand. */
const daysOf = ({ asOf, startsOn = asOf }: ForecastModel, horizon: Days): Days =>
  Math.max(0, horizon - Math.max(0, startsOn - asOf))

const quantilesOver = (model: ForecastModel, steps: number): Quantiles => ({
  p10: valueAt(model, model.p10, steps),
  p50: valueAt(model, model.p50, steps),
  p90: valueAt(model, model.p90, steps),
})

/** The first of the step counts with at least so many steps. */
function indexOf({ stepCounts }: ForecastModel, steps: number): number {
  let index = 0
  while (index < stepCounts.length - 1 && stepCounts[index]! < steps) index++
  return index
}

/** Those of any horizon, and the weekdays and planned promotions where they move this P50. */
function driversFor(model: ForecastModel, p50: Units, steps: number, horizon: Days): string[] {
  const own: string[] = []
  const { calendar, drivers } = model
  if (calendar.kind === 'daily' && calendar.weekdays) {
    const flat = valueAt(model, model.p50, daysOf(model, horizon))
    if (moves(p50 - flat, flat)) own.push('weekly_seasonality')
  }
  const { yearly, promotion } = model.amounts ?? {}
  for (const [driver, amounts] of [
    ['annual_seasonality', yearly],
    ['promotion', promotion],
  ] as const) {
    const moved = amounts ? between(model, amounts, steps) : 0
    if (moves(moved, p50 - moved)) own.push(driver)
  }
  if (!own.length) return [...drivers]
  const at = drivers.findIndex((driver) => !FIRST.has(driver))
  return drivers.toSpliced(at < 0 ? drivers.length : at, 0, ...(own as Driver[]))
}

/** What is worth naming: a unit or more, and 5 %. */
const moves = (by: number, from: number) => Math.abs(by) >= 1 && Math.abs(by) >= 0.05 * from

const FIRST: ReadonlySet<string> = new Set(['level', 'trend_up', 'trend_down'])

/** A part of the P50, in whole units. */
export interface DriverShare {
  code: 'level' | 'annual_seasonality' | 'learnt' | 'promotion' | 'weekly_seasonality'
  amount: Units
}

/**
 * What the P50 of {@link predictDemand} is made of; the amounts add up to it. `level` is what the methods say,
 * `learnt` what the tenant's past taught beyond them.
 * @throws RangeError for a horizon that is not a whole number of 1..90
 */
export function splitByDriver(model: ForecastModel, horizon: Days): DriverShare[] {
  const { p50 } = predictQuantiles(model, horizon)
  const { amounts, calendar } = model
  if (!amounts) return [{ code: 'level', amount: p50 }]
  const flat = calendar.kind === 'daily' ? daysOf(model, horizon) : stepsOf(model, horizon)
  const total = between(model, model.p50, flat)
  const level = between(model, amounts.level, flat)
  const yearly = amounts.yearly ? between(model, amounts.yearly, flat) : 0
  const promotion = amounts.promotion ? between(model, amounts.promotion, flat) : 0
  const upTo: [DriverShare['code'], number][] = [
    ['level', Math.round(level)],
    ['annual_seasonality', Math.round(level + yearly)],
    ['learnt', Math.round(total - promotion)],
    ['promotion', Math.round(total)],
    ['weekly_seasonality', p50],
  ]
  return upTo
    .map(([code, sum], i) => ({ code, amount: sum - (upTo[i - 1]?.[1] ?? 0) }))
    .filter(({ code, amount }) => amount !== 0 || code === 'level')
}

const valueAt = (model: ForecastModel, quantiles: Units[], steps: number): Units =>
  Math.round(between(model, quantiles, steps))

/** Straight between two stepCounts and from nothing at no step. */
function between(model: ForecastModel, quantiles: Units[], steps: number): number {
  const { stepCounts } = model
  if (!stepCounts.length) return 0
  const upper = indexOf(model, steps)
  const left = upper ? stepCounts[upper - 1]! : 0
  const below = upper ? quantiles[upper - 1]! : 0
  const share = Math.min(1, (steps - left) / (stepCounts[upper]! - left))
  return below + (quantiles[upper]! - below) * share
}

/** The whole distribution of the total demand over the next `horizon` days, unrounded. */
export function demandDistribution(model: ForecastModel, horizon: Days): Distribution {
  const steps = stepsOf(model, horizon)
  const counts = countsOver(model, steps)
  return {
    p10: between(model, model.p10, steps),
    p50: between(model, model.p50, steps),
    p90: between(model, model.p90, steps),
    ...(model.p75 && { p75: between(model, model.p75, steps) }),
    tail: tailOver(model, steps),
    ...(counts && { counts }),
  }
}

/** Straight between two step counts; before the first one as for that one. */
function tailOver({ tail, stepCounts }: ForecastModel, steps: number): number {
  if (!tail?.length) return USUAL_TAIL
  const upper = stepCounts.findIndex((count) => count >= steps)
  if (upper < 1) return tail.at(upper)!
  const [left, right] = [stepCounts[upper - 1]!, stepCounts[upper]!]
  const share = (steps - left) / (right - left)
  return tail[upper - 1]! + (tail[upper]! - tail[upper - 1]!) * share
}

function countsOver(model: ForecastModel, steps: number): Counts | null {
  if (!model.counts || !steps) return null
  const { pack, mean, variance } = model.counts
  return countsOf({
    pack,
    mean: between(model, mean, steps),
    variance: between(model, variance, steps),
  })
}
