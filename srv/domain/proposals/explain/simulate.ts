// Service against stock value: what another target, lead time or budget would mean, before a rule is set.
import { LRUCache } from 'lru-cache'
import { spreadStock } from '../../../../engine/proposal/index.ts'
import type { Predicate } from '../../authority/index.ts'
import { settings } from '../../../base/settings/config.ts'
import { ratesVersion, readRates } from '../../money/index.ts'
import { Policies, readAs, Syncs } from '../../../base/database/entities.ts'
import { runDetached } from '../../../base/cap/context.ts'
import { rowsOfReader } from '../readers.ts'
import { today } from '../../../base/time/days.ts'
import { Refusal } from '../../../base/errors.ts'
import {
  BY,
  type By,
  choosePairs,
  type Group,
  groupPairs,
  own,
  type PairOutcome,
  type Point,
  pointOf,
  type Scope,
  type SimulatedPairs,
  simulatePairs,
} from './simulation-curve.ts'

export interface SimulationQuery {
  target?: number | null
  changeDays?: number | null
  budget?: number | null
  by?: string | null
  supplier?: string | null
  location?: string | null
  skuGroup?: string | null
}

/** Targets of the curve; those of rules are between the first and the last. */
export const TARGETS = [
  ...[0.5, 0.6, 0.7, 0.8, 0.85, 0.9],
  ...[0.92, 0.94, 0.95, 0.96, 0.97, 0.98, 0.99],
]
export const MOST_CHANGE_DAYS = 180

export interface SimulationGroup {
  /** Empty: all others, or those that name none. */
  code: string
  /** Of its first pair, for its name. */
  source: number | null
  pairs: number
  rules: Point
  curve: Point[]
  /** That the budget is best spent on; null without a budget. */
  target: number | null
}

export interface SimulationBudget {
  /** The highest one for all that the budget pays; null: not even the lowest. */
  target: number | null
  atTarget: Point | null
  /** With a target a group, as `groups` have them. */
  spread: Point | null
}

/** What other service targets, lead times and budgets would mean. Money is in the account's currency. */
export interface Simulation {
  asOf: string
  currency: string
  changeDays: number
  /** That could be simulated. */
  pairs: number
  /** Fewer where they are a sample. */
  simulated: number
  /** No unit cost, or no rate of its currency: in no sum. */
  withoutCost: number
  /** Blocked, not forecast yet, or phased out. */
  withoutData: number
  /** What is on hand now. */
  onHandValue: number
  /** Rules and lead times as they are. */
  today: Point
  /** Rules as they are, lead times as asked. */
  rules: Point
  /** Null without a target. */
  asked: Point | null
  curve: Point[]
  groups: SimulationGroup[]
  budget: SimulationBudget | null
}

/** Of the pairs that the user sees; read where no transaction of the caller is held. */
export async function simulate(query: SimulationQuery): Promise<Simulation> {
  const visible = await rowsOfReader()
  return runDetached('simulation', () => simulateVisible(query, visible))
}

async function simulateVisible(
  query: SimulationQuery,
  visible: Predicate | null,
): Promise<Simulation> {
  const { target, changeDays, budget, by } = checked(query)
  const scope = scopeOf(query)
  const levels = [...new Set([...TARGETS, ...(target === null ? [] : [target])])].sort(
    (a, b) => a - b,
  )
  const found = await simulatedPairs({ scope, levels, changeDays }, visible)
  const before = changeDays
    ? await simulatedPairs({ scope, levels: TARGETS, changeDays: 0 }, visible)
    : found
  const { outcomes } = found
  const curve = curveOf(outcomes, levels)
  const groups = groupPairs(outcomes, by).map((group) => toGroup(group, levels))
  const spent = budget === null ? null : spend(groups, curve, budget)
  return {
    ...{ asOf: today(), currency: settings().currency, changeDays },
    pairs: Math.round(outcomes.reduce((sum, { weight }) => sum + weight, 0)),
    simulated: outcomes.length,
    withoutCost: Math.round(found.withoutCost),
    withoutData: Math.round(found.withoutData),
    onHandValue: outcomes.reduce((sum, each) => sum + each.weight * each.unitCost * each.onHand, 0),
    today: pointOf(before.outcomes, null, own),
    rules: pointOf(outcomes, null, own),
    asked: curve.find((point) => point.target === target) ?? null,
    curve,
    groups,
    budget: spent && { ...spent, spread: spreadPoint(groups, levels, outcomes, by) },
  }
}

/** @throws Refusal invalid_parameter that names the field and what is allowed */
function checked({ target = null, changeDays, budget = null, by }: SimulationQuery) {
  const refuse = (field: string, rule: string) => {
    throw new Refusal('invalid_parameter', `${field}: ${rule}`, { target: field })
  }
  if (target !== null && !(target >= 0.5 && target <= 0.99 && isHundredth(target)))
    refuse('target', 'must be a number from 0.5 to 0.99 with two decimals')
  const days = changeDays ?? 0
  if (!Number.isInteger(days) || Math.abs(days) > MOST_CHANGE_DAYS)
    refuse('changeDays', `must be an integer from -${MOST_CHANGE_DAYS} to ${MOST_CHANGE_DAYS}`)
  if (budget !== null && !(budget > 0)) refuse('budget', 'must be an amount above 0')
  if (by != null && !BY.includes(by as By)) refuse('by', `must be one of ${BY.join(', ')}`)
  return { target, changeDays: days, budget, by: (by ?? 'abc') as By }
}

const isHundredth = (target: number) => Math.abs(target * 100 - Math.round(target * 100)) < 1e-9

const scopeOf = ({ supplier, location, skuGroup }: SimulationQuery): Scope => ({
  ...(supplier && { supplier }),
  ...(location && { location }),
  ...(skuGroup && { skuGroup }),
})

const curveOf = (pairs: readonly PairOutcome[], levels: readonly number[]): Point[] =>
  levels.map((level, at) => pointOf(pairs, level, (pair) => pair.at[at]!))

const toGroup = ({ code, pairs }: Group, levels: readonly number[]): SimulationGroup => ({
  ...{ code, source: pairs[0]?.source ?? null, target: null },
  pairs: Math.round(pairs.reduce((sum, { weight }) => sum + weight, 0)),
  rules: pointOf(pairs, null, own),
  curve: curveOf(pairs, levels),
})

/** One target for all, and a target a group, within the budget. */
function spend(groups: SimulationGroup[], curve: Point[], budget: number) {
  const affordable = curve.filter(({ stockValue }) => stockValue <= budget).at(-1) ?? null
  const curves = groups.map((group) => ({
    stock: group.curve.map(({ stockValue }) => stockValue),
    short: group.curve.map(({ shortPerYear }) => shortPerYear),
  }))
  const chosen = spreadStock(curves, budget)
  chosen?.forEach((at, nth) => (groups[nth]!.target = groups[nth]!.curve[at]!.target))
  return { target: affordable?.target ?? null, atTarget: affordable }
}

function spreadPoint(
  groups: SimulationGroup[],
  levels: readonly number[],
  outcomes: readonly PairOutcome[],
  by: By,
): Point | null {
  if (groups.some(({ target }) => target === null)) return null
  const places = new Map<PairOutcome, number>()
  groupPairs(outcomes, by).forEach(({ pairs }, nth) => {
    for (const pair of pairs) places.set(pair, levels.indexOf(groups[nth]!.target!))
  })
  return pointOf(outcomes, null, (pair) => pair.at[places.get(pair)!]!)
}

interface Work {
  scope: Scope
  levels: readonly number[]
  changeDays: number
}

/** The latest answers: another budget or grouping is a matter of sums. */
const kept = new LRUCache<string, Promise<SimulatedPairs>>({ max: 6, ttl: 600_000 })
/** One after the other: what is asked for twice is simulated once. */
let last: Promise<unknown> = Promise.resolve()

async function simulatedPairs(work: Work, visible: Predicate | null): Promise<SimulatedPairs> {
  const key = JSON.stringify([work, visible, today(), await dataVersion()])
  const known = kept.get(key)
  if (known) return known
  const result = last.then(async () => {
    const chosen = await choosePairs(work.scope, visible)
    return simulatePairs(chosen, work, await readRates())
  })
  last = result.catch(() => kept.delete(key))
  kept.set(key, result)
  return result
}

/** Changes with whatever the answer depends on: syncs, rules, rates. */
async function dataVersion() {
  const [sync] = await readAs(
    SELECT.from(Syncs).columns('max(finishedAt) as at', 'count(*) as count') as never,
  )
  const [rules] = await readAs(
    SELECT.from(Policies).columns('max(updatedAt) as at', 'count(*) as count') as never,
  )
  return [sync, rules, await ratesVersion()]
}
