import {
  type EpochDay,
  PLAN_KINDS,
  type PlannedEffect,
  type SeriesPlan,
} from '../../engine/index.ts'
import { sharedFloats, sharedInts } from './shared-arrays.ts'

/** Plans of many pairs in shared memory; those of pair i are `starts[i]` up to but not including `starts[i + 1]`. */
export interface SharedPlans {
  /** The day after the last one with a promotion; null where the plan names none. */
  until: EpochDay | null
  starts: Int32Array
  days: Int32Array
  effectStarts: Int32Array
  /** Of each effect its kind's place in the list, first and last day, and factor. */
  effects: Float64Array
}

const COLUMNS = 4

export function sharePlans(plans: readonly SeriesPlan[], until: EpochDay | null): SharedPlans {
  const starts = sharedInts(plans.length + 1)
  const effectStarts = sharedInts(plans.length + 1)
  plans.forEach(({ plan, effects }, i) => {
    starts[i + 1] = starts[i]! + (plan?.length ?? 0)
    effectStarts[i + 1] = effectStarts[i]! + (effects?.length ?? 0)
  })
  const days = sharedInts(starts[plans.length]!)
  const effects = sharedFloats(COLUMNS * effectStarts[plans.length]!)
  plans.forEach((own, i) => {
    if (own.plan) days.set(own.plan, starts[i])
    effects.set(own.effects?.flatMap(toNumbers) ?? [], COLUMNS * effectStarts[i]!)
  })
  return { until, starts, days, effectStarts, effects }
}

const toNumbers = ({ kind, from, to, factor }: PlannedEffect) => [
  ...[PLAN_KINDS.indexOf(kind), from, to, factor],
]

export function planOf(plans: SharedPlans, pair: number): SeriesPlan {
  const { until, starts, days, effectStarts } = plans
  const [from, to] = [effectStarts[pair]!, effectStarts[pair + 1]!]
  return {
    ...(until !== null && {
      plan: days.subarray(starts[pair], starts[pair + 1]),
      plannedUntil: until,
    }),
    ...(to > from && {
      effects: Array.from({ length: to - from }, (_, i) => effectAt(plans, from + i)),
    }),
  }
}

function effectAt({ effects }: SharedPlans, at: number): PlannedEffect {
  const [kind, from, to, factor] = effects.subarray(COLUMNS * at, COLUMNS * (at + 1))
  return { kind: PLAN_KINDS[kind!]!, from: from!, to: to!, factor: factor! }
}
