import { MAX_HORIZON_DAYS } from '../horizon.ts'
import type { Days, EpochDay, ForecastAnswer, PlanKind, Quantiles, Units } from '../types.ts'
import { countSteps } from './step-calendar.ts'
import type { Driver } from './drivers.ts'
import { type Counts, countsOf } from './counts.ts'
import { type Distribution, USUAL_TAIL } from './distribution.ts'
import { STEEP } from './tail.ts'
import { missingData } from './missing-data.ts'
import type { ForecastModel } from './model.ts'
import { dayFactors, kindsIn } from './planned-effects.ts'

/**
 * The forecast of the total demand over the next `horizon` days, whole and in order.
 * @throws RangeError for a horizon that is not a whole number of 1..90
 */
export function predictDemand(model: ForecastModel, horizon: Days): ForecastAnswer {
  const span = spanOf(model, horizon)
  return {
    ...quantilesOver(model, span),
    confidence: model.confidence[indexOf(model, span.steps)] ?? 'low',
    drivers: driversFor(model, horizon),
    censoredShare: model.censoredShare ?? 0,
    missing: model.known ? missingData(model.known, horizon) : [],
  }
}

/** Days of a horizon on which the SKU is asked for, where it is phased out on a day; null: it is not. */
export const daysUntil = ({ asOf }: ForecastModel, horizon: Days, endsOn: EpochDay | null): Days =>
  endsOn === null ? horizon : Math.min(horizon, Math.max(0, endsOn - asOf))

/** As {@link predictDemand}; with the day on which the SKU is phased out nothing is asked for any more. */
export function predictUntil(
  model: ForecastModel,
  horizon: Days,
  endsOn: EpochDay | null,
): ForecastAnswer {
  const days = daysUntil(model, horizon, endsOn)
  return days > 0
    ? predictDemand(model, days)
    : { ...predictDemand(model, 1), ...{ p10: 0, p50: 0, p90: 0, drivers: [], missing: [] } }
}

/** As {@link predictDemand}, for whoever only reckons with it. */
export const predictQuantiles = (model: ForecastModel, horizon: Days): Quantiles =>
  quantilesOver(model, spanOf(model, horizon))

/** What the days of a horizon come to. */
interface Span {
  /** Steps of usual demand. */
  steps: number
  /** Steps that planned effects add beyond that; they are as sure as a month's demand is. */
  added: number
}

/** Days whose demand tells that of a day that is added. */
const MONTH: Days = 28

/** @param effects those that count */
function spanOf(model: ForecastModel, horizon: Days, effects = model.effects): Span {
  if (!Number.isInteger(horizon) || horizon < 1 || horizon > MAX_HORIZON_DAYS)
    throw new RangeError(`horizon must be a whole number of 1..${MAX_HORIZON_DAYS}`)
  const { calendar } = model
  const runs = runsOf(model, horizon)
  const stepsBefore = (day: Days) => (day ? countSteps(calendar, day) : 0)
  const steps = runs.reduce(
    (sum, { from, to, share }) => sum + share * (stepsBefore(to) - stepsBefore(from)),
    0,
  )
  if (!effects?.length || calendar.kind !== 'daily') return { steps, added: 0 }
  const factors = dayFactors(effects)
  let [less, added] = [0, 0]
  for (const { from, to, share } of runs)
    for (let day = from; day < to; day++) {
      const by = share * (factors[day]! - 1) * (calendar.weekdays?.[day % 7] ?? 1)
      if (by < 0) less -= by
      else added += by
    }
  return { steps: Math.max(0, steps - less), added }
}

/** Days of a horizon, counted from its first one, with the share of their demand that is asked for. */
interface Run {
  from: Days
  to: Days
  share: number
}

function runsOf({ asOf, startsOn, shares }: ForecastModel, horizon: Days): Run[] {
  const before = shares ?? (startsOn === undefined ? [] : [[startsOn, 0] as const])
  if (!before.length) return [{ from: 0, to: horizon, share: 1 }]
  const runs: Run[] = []
  let from = 0
  for (const [day, share] of [...before, [Infinity, 1] as const]) {
    const to = Math.min(horizon, Math.max(from, day - asOf))
    if (share && to > from) runs.push({ from, to, share })
    from = to
  }
  return runs
}

/** Those of the horizon on which there is demand; of shared ones their share. */
const daysOf = (model: ForecastModel, horizon: Days): Days =>
  runsOf(model, horizon).reduce((sum, { from, to, share }) => sum + share * (to - from), 0)

const quantilesOver = (model: ForecastModel, span: Span): Quantiles => ({
  p10: Math.round(over(model, model.p10, span)),
  p50: Math.round(over(model, model.p50, span)),
  p90: Math.round(over(model, model.p90, span)),
})

/** The first of the step counts with at least so many steps. */
function indexOf({ stepCounts }: ForecastModel, steps: number): number {
  let index = 0
  while (index < stepCounts.length - 1 && stepCounts[index]! < steps) index++
  return index
}

/** Those of any horizon, and the weekdays and what is planned where they move this P50. */
function driversFor(model: ForecastModel, horizon: Days): string[] {
  const { calendar, drivers } = model
  const own: string[] = []
  const plain = spanOf(model, horizon, [])
  const p50 = Math.round(over(model, model.p50, plain))
  if (calendar.kind === 'daily' && calendar.weekdays) {
    const flat = Math.round(between(model, model.p50, daysOf(model, horizon)))
    if (moves(p50 - flat, flat)) own.push('weekly_seasonality')
  }
  const { yearly, promotion } = model.amounts ?? {}
  for (const [driver, amounts] of [
    ['annual_seasonality', yearly],
    ['promotion', promotion],
  ] as const) {
    const moved = amounts ? between(model, amounts, plain.steps) : 0
    if (moves(moved, p50 - moved)) own.push(driver)
  }
  let before = p50
  for (const [kind, sum] of sumsByKind(model, horizon)) {
    if (moves(sum - before, before) && !own.includes(kind)) own.push(kind)
    before = sum
  }
  if (!own.length) return [...drivers]
  const at = drivers.findIndex((driver) => !FIRST.has(driver))
  return drivers.toSpliced(at < 0 ? drivers.length : at, 0, ...(own as Driver[]))
}

/** The P50 with the planned effects of a kind and of those before it, kind by kind. */
const sumsByKind = (model: ForecastModel, horizon: Days): [PlanKind, Units][] =>
  kindsIn(model.effects ?? []).map((kind, i, kinds) => {
    const upTo = model.effects!.filter(([each]) => kinds.indexOf(each) <= i)
    return [kind, Math.round(over(model, model.p50, spanOf(model, horizon, upTo)))]
  })

/** What is worth naming: a unit or more, and 5 %. */
const moves = (by: number, from: number) => Math.abs(by) >= 1 && Math.abs(by) >= 0.05 * from

const FIRST: ReadonlySet<string> = new Set(['level', 'trend_up', 'trend_down'])

/** A part of the P50, in whole units. */
export interface DriverShare {
  code: 'level' | 'annual_seasonality' | 'learnt' | 'weekly_seasonality' | PlanKind
  amount: Units
}

/**
 * What the P50 of {@link predictDemand} is made of; the amounts add up to it. `level` is what the methods say,
 * `learnt` what the tenant's past taught beyond them.
 * @throws RangeError for a horizon that is not a whole number of 1..90
 */
export function splitByDriver(model: ForecastModel, horizon: Days): DriverShare[] {
  const plain = spanOf(model, horizon, [])
  const p50 = Math.round(over(model, model.p50, plain))
  const planned = sumsByKind(model, horizon)
  const { amounts, calendar } = model
  if (!amounts) return sharesOf([['level', p50], ...planned])
  const flat = calendar.kind === 'daily' ? daysOf(model, horizon) : plain.steps
  const total = between(model, model.p50, flat)
  const level = between(model, amounts.level, flat)
  const yearly = amounts.yearly ? between(model, amounts.yearly, flat) : 0
  const promotion = amounts.promotion ? between(model, amounts.promotion, flat) : 0
  return sharesOf([
    ['level', Math.round(level)],
    ['annual_seasonality', Math.round(level + yearly)],
    ['learnt', Math.round(total - promotion)],
    ['promotion', Math.round(total)],
    ['weekly_seasonality', p50],
    ...planned,
  ])
}

/** @param sums with each code and all before it */
function sharesOf(sums: [DriverShare['code'], Units][]): DriverShare[] {
  const shares = new Map<DriverShare['code'], Units>()
  sums.forEach(([code, sum], i) => {
    const amount = sum - (sums[i - 1]?.[1] ?? 0)
    shares.set(code, (shares.get(code) ?? 0) + amount)
  })
  return [...shares]
    .map(([code, amount]) => ({ code, amount }))
    .filter(({ code, amount }) => amount !== 0 || code === 'level')
}

/**
 * The steps of a horizon as so many of usual demand: by the season, promotions and what else is planned, and by no noise of the
 * past. 0 at 0 days.
 */
export function demandPace(model: ForecastModel, horizon: Days): number {
  if (horizon < 1) return 0
  const { steps, added } = spanOf(model, Math.min(MAX_HORIZON_DAYS, Math.round(horizon)))
  const { level, yearly, promotion } = model.amounts ?? {}
  const usual = level ? between(model, level, steps) : 0
  if (!(usual > 0)) return steps + added
  const moved = [yearly, promotion].reduce(
    (sum, part) => sum + (part ? between(model, part, steps) : 0),
    0,
  )
  return Math.max(0, (steps * (usual + moved)) / usual) + added
}

const over = (model: ForecastModel, values: Units[], { steps, added }: Span): number =>
  between(model, values, steps) + (added && (added * between(model, values, MONTH)) / MONTH)

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
  const span = spanOf(model, horizon)
  const counts = countsOver(model, span)
  return {
    p10: over(model, model.p10, span),
    p50: over(model, model.p50, span),
    p90: over(model, model.p90, span),
    ...(model.p75 && { p75: over(model, model.p75, span) }),
    tail: tailOver(model, span.steps),
    ...(model.tail?.length && { steep: STEEP }),
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

function countsOver(model: ForecastModel, span: Span): Counts | null {
  if (!model.counts || !span.steps) return null
  const { pack, mean, variance } = model.counts
  return countsOf({
    pack,
    mean: over(model, mean, span),
    variance: over(model, variance, span),
  })
}
