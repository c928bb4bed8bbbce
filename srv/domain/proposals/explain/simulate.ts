// Simulates what another service target, lead time or budget would mean for service and stock value, before a rule is set.
import { LRUCache } from 'lru-cache'
import { type CostsInForce, spreadStock } from '../../../../engine/proposal/index.ts'
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
  type CostsFor,
  type Group,
  groupPairs,
  own,
  type PairOutcome,
  type Point,
  pointOf,
  type Scope,
  type SimulatedPairs,
  simulatePairs,
  type SupposedCosts,
} from './simulation-curve.ts'

interface SimulationQuery {
  target?: number | null
  changeDays?: number | null
  budget?: number | null
  by?: string | null
  supplier?: string | null
  location?: string | null
  skuGroup?: string | null
}

/** The targets of the curve. A rule's target may lie anywhere between the first and the last. */
const TARGETS = [0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.92, 0.94, 0.95, 0.96, 0.97, 0.98, 0.99]
const MOST_CHANGE_DAYS = 180

export interface SimulationGroup {
  /** Empty for the group of all others, or of pairs without a code. */
  code: string
  /** The source of its first pair, to look up the code's name. */
  source: number | null
  pairs: number
  rules: Point
  curve: Point[]
  /** The target at which this group makes the best use of the budget; null without a budget. */
  target: number | null
}

export interface SimulationBudget {
  /** The highest common target that the budget pays for; null if it does not even pay for the lowest. */
  target: number | null
  atTarget: Point | null
  /** With a target for each group, as `groups` states them. */
  spread: Point | null
}

export interface Simulation {
  asOf: string
  currency: string
  changeDays: number
  /** Pairs that can be simulated. */
  pairs: number
  /** Pairs that were simulated: fewer if they are a sample. */
  simulated: number
  /** Pairs without a unit cost, or a rate for its currency: they are in no sum. */
  withoutCost: number
  /** Pairs that are blocked, not forecast yet, or phased out. */
  withoutData: number
  /** The value of the stock on hand. */
  onHandValue: number
  /** With the present rules and lead times. */
  today: Point
  /** With the present rules and the asked lead times. */
  rules: Point
  /** With the asked target; null without one. */
  asked: Point | null
  curve: Point[]
  groups: SimulationGroup[]
  budget: SimulationBudget | null
}

/** Simulates the pairs that the user sees. Money is in the account's currency. Must be called outside of any transaction. */
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

/** Spends the budget on one target for all pairs, and on a target for each group. */
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
  const levelOf = new Map<PairOutcome, number>()
  groupPairs(outcomes, by).forEach(({ pairs }, nth) => {
    for (const pair of pairs) levelOf.set(pair, levels.indexOf(groups[nth]!.target!))
  })
  return pointOf(outcomes, null, (pair) => pair.at[levelOf.get(pair)!]!)
}

// What costs of being short and of carrying buy, for those who say them.

const NOW = { levels: [], changeDays: 0 }

interface SimulatedCosts {
  pairs: number
  /** With the rules as they are, and with the supposed costs. */
  now: Point
  then: Point
}

const scopeOfCosts = ({ skuGroup, abcClass }: CostsFor): Scope => ({
  ...(skuGroup !== null && { skuGroup }),
  ...(abcClass !== null && { abcClass }),
})

/** What pairs come to with other costs of all, of a group or of a class. */
export async function simulateCosts(
  { stockoutCostShare, carryingCostSharePerYear, unmetDemand }: CostsInForce,
  of: CostsFor,
  visible: Predicate | null,
): Promise<SimulatedCosts> {
  const scope = scopeOfCosts(of)
  const costs = {
    ...{ stockoutRate: stockoutCostShare, carryingRate: carryingCostSharePerYear },
    unmetDemand,
  }
  const now = await simulatedPairs({ ...NOW, scope }, visible)
  const then = await simulatedPairs({ ...NOW, scope, supposed: { costs, ...of } }, visible)
  return {
    pairs: countOf(now.outcomes),
    now: pointOf(now.outcomes, null, own),
    then: pointOf(then.outcomes, null, own),
  }
}

/** What all pairs, and those of each class or group, come to with their rules as they are. */
export async function simulateGroups(by: By, visible: Predicate | null) {
  const { outcomes } = await simulatedPairs({ ...NOW, scope: {} }, visible)
  const groups = groupPairs(outcomes, by).map(({ code, pairs }) => ({
    ...{ code, source: pairs[0]?.source ?? null, pairs: countOf(pairs) },
    buys: pointOf(pairs, null, own),
  }))
  const [pairs, simulated] = [countOf(outcomes), outcomes.length]
  return { pairs, simulated, buys: pointOf(outcomes, null, own), groups }
}

/** The unit cost of what is wanted on average, in the account's currency; null without any. */
export async function priceOfDemand(of: CostsFor, visible: Predicate | null) {
  const scope = scopeOfCosts(of)
  const { outcomes } = await simulatedPairs({ ...NOW, scope }, visible)
  const sum = (worthOf: (pair: PairOutcome) => number) =>
    outcomes.reduce((total, pair) => total + pair.weight * pair.own.demand * worthOf(pair), 0)
  const units = sum(() => 1)
  return units > 0 ? sum(({ unitCost }) => unitCost) / units : null
}

const countOf = (pairs: readonly PairOutcome[]) =>
  Math.round(pairs.reduce((sum, { weight }) => sum + weight, 0))

interface Work {
  scope: Scope
  levels: readonly number[]
  changeDays: number
  supposed?: SupposedCosts
}

/** The latest simulated pairs: another budget or grouping only adds them up differently. */
const kept = new LRUCache<string, Promise<SimulatedPairs>>({ max: 12, ttl: 600_000 })
/** Simulations run one after the other, so that a second call for the same finds the answer of the first. */
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

/** A text that changes with all that the answer depends on: syncs, rules, rates. */
async function dataVersion() {
  const [sync] = await readAs(
    SELECT.from(Syncs).columns('max(finishedAt) as at', 'count(*) as count') as never,
  )
  const [rules] = await readAs(
    SELECT.from(Policies).columns('max(updatedAt) as at', 'count(*) as count') as never,
  )
  return [sync, rules, await ratesVersion()]
}
