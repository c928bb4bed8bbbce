import { MAX_HORIZON_DAYS } from '../horizon.ts'
import { PLAN_KINDS } from '../series/plan-book.ts'
import type { Days, DemandHistory, EpochDay, PlanKind } from '../types.ts'

/** From the first to the last day, counted from the as-of date: demand over that of the same days without it. */
export type DayEffect = [kind: PlanKind, from: Days, to: Days, factor: number]

/** Those that move the days of a forecast, in the order of their kinds; undefined for none. */
export function effectsFrom(
  { effects }: Pick<DemandHistory, 'effects'>,
  asOf: EpochDay,
): DayEffect[] | undefined {
  const found = effects?.flatMap(({ kind, factor, ...days }): DayEffect[] => {
    const from = Math.max(0, days.from - asOf)
    const to = Math.min(days.to - asOf, MAX_HORIZON_DAYS - 1)
    return from > to || factor === 1 ? [] : [[kind, from, to, factor]]
  })
  return found?.length ? found : undefined
}

/** Demand of each day over what it would be without these effects. */
export function dayFactors(effects: readonly DayEffect[]): Float64Array {
  const factors = new Float64Array(MAX_HORIZON_DAYS).fill(1)
  for (const [, from, to, factor] of effects)
    for (let day = from; day <= to; day++) factors[day]! *= factor
  return factors
}

/** The kinds among them, in the order in which their amounts are told. */
export const kindsIn = (effects: readonly DayEffect[]): PlanKind[] =>
  PLAN_KINDS.filter((each) => effects.some(([kind]) => kind === each))
