// Chooses the pairs to simulate: all of them, or of very many those worth most and an even sample of the others.
import { setImmediate as turn } from 'node:timers/promises'
import { type AbcClass, byText } from '../../../../engine/index.ts'
import {
  type CostRates,
  type CycleOutcome,
  type ProposalInput,
  simulatePair,
} from '../../../../engine/proposal/index.ts'
import { PairPlanning, readAs } from '../../../base/database/entities.ts'
import { inChunks } from '../../../base/database/rows.ts'
import { settings } from '../../../base/settings/config.ts'
import type { Predicate } from '../../authority/index.ts'
import type { Rates } from '../../money/index.ts'
import { within } from '../reports/value-report.ts'
import { abcClassOf, type PlanningRow, readInputs, toInputs } from '../terms/pair-inputs.ts'
import { readSourceInputs } from '../terms/source-inputs.ts'

/** The most pairs that are simulated at a time. */
const MOST_PAIRS = 12_000
/** Of these the number of pairs that are worth most, and represent only themselves. */
const CERTAIN = 3_000

export interface Scope {
  supplier?: string
  location?: string
  skuGroup?: string
  abcClass?: AbcClass
}

export interface ChosenPair {
  series: number
  source: number
  /** How many pairs it represents. */
  weight: number
  /** Its position in the even sample; null if it represents only itself. */
  place: number | null
}

interface PairWorth {
  ID: number
  source_ID: number
  worth: number | string | null
}

export async function choosePairs(scope: Scope, visible: Predicate | null): Promise<ChosenPair[]> {
  const query = SELECT.from(PairPlanning)
    .columns('ID', 'source_ID', 'unitCost * (1 + onHand) as worth')
    .where({ ...scope, ledBy: null, purchasable: true })
  const rows = await readAs<PairWorth>(within(query, visible))
  const pairs = rows.map(({ ID, source_ID, worth }) => ({
    ...{ series: Number(ID), source: Number(source_ID), worth: Number(worth) },
  }))
  return sample(pairs, MOST_PAIRS)
}

/** Takes the pairs worth most, and every n-th of the others by worth, so that all are represented. */
export function sample(
  pairs: { series: number; source: number; worth: number }[],
  most: number,
): ChosenPair[] {
  const toChosen = ({ series, source }: (typeof pairs)[number], weight = 1) => ({
    ...{ series, source, weight },
  })
  if (pairs.length <= most) return pairs.map((pair) => ({ ...toChosen(pair), place: null }))
  const sorted = pairs.toSorted((a, b) => b.worth - a.worth || a.series - b.series)
  const certain = Math.min(CERTAIN, Math.floor(most / 2))
  const others = sorted.slice(certain)
  const count = most - certain
  const step = others.length / count
  return [
    ...sorted.slice(0, certain).map((pair) => ({ ...toChosen(pair), place: null })),
    ...Array.from({ length: count }, (_, place) => ({
      ...toChosen(others[Math.floor((place + 0.5) * step)]!, step),
      place,
    })),
  ]
}

// Calculates what each target means for each pair. A pair takes about a millisecond of pure arithmetic, so other work runs in
// between.

export interface PairOutcome extends ChosenPair {
  sku: string
  supplier: string | null
  location: string
  skuGroup: string | null
  abcClass: AbcClass | null
  /** The unit cost in the account's currency. */
  unitCost: number
  onHand: number
  own: CycleOutcome
  at: CycleOutcome[]
}

export interface SimulatedPairs {
  outcomes: PairOutcome[]
  /** Counts all pairs that the chosen ones without a cost represent. */
  withoutCost: number
  withoutData: number
}

/** For whom costs are: a group or an ABC class; all pairs where both are null. */
export interface CostsFor {
  skuGroup: string | null
  abcClass: AbcClass | null
}

/** Costs that are tried, as if the rule for these pairs said so. */
export interface SupposedCosts extends CostsFor {
  costs: CostRates
}

interface Question {
  levels: readonly number[]
  changeDays: number
  supposed?: SupposedCosts
}

const CHUNK = 500
const TURN_MS = 20

export async function simulatePairs(
  chosen: ChosenPair[],
  question: Question,
  rates: Rates,
): Promise<SimulatedPairs> {
  const found: SimulatedPairs = { outcomes: [], withoutCost: 0, withoutData: 0 }
  for (const [source, pairs] of Map.groupBy(chosen, (pair) => pair.source)) {
    const sourceInputs = await readSourceInputs(source)
    const bySeries = new Map(pairs.map((pair) => [pair.series, pair]))
    for (const chunk of inChunks([...bySeries.keys()].sort(byNumber), CHUNK)) {
      let began = Date.now()
      for (const row of await readInputs(chunk)) {
        const pair = bySeries.get(Number(row.ID))
        // A range of series is read, which may contain pairs that were not chosen.
        if (pair) add(found, pair, row, () => toInputs(row, sourceInputs).input?.(0) ?? null)
        if (Date.now() - began < TURN_MS) continue
        await turn()
        began = Date.now()
      }
    }
  }
  return found

  function add(
    sums: SimulatedPairs,
    pair: ChosenPair,
    row: PlanningRow,
    inputOf: () => Parameters<typeof simulatePair>[0] | null,
  ) {
    const unitCost = costOf(row, rates)
    if (unitCost === null) return void (sums.withoutCost += pair.weight)
    const given = inputOf()
    const input = given && question.supposed ? suppose(given, row, question.supposed) : given
    const simulated = input && simulatePair(input, question.levels, question.changeDays)
    if (!simulated) return void (sums.withoutData += pair.weight)
    const { supplier, skuGroup } = row
    const abcClass = abcClassOf(row)
    sums.outcomes.push({
      ...{ ...pair, sku: String(row.sku), location: String(row.location), supplier, skuGroup },
      ...{ abcClass, unitCost, onHand: Math.max(0, Number(row.onHand)) },
      ...{ own: simulated.own, at: simulated.at },
    })
  }
}

const byNumber = (a: number, b: number) => a - b

/** The input with the supposed costs, where no more specific rule says others. */
function suppose(
  input: ProposalInput,
  { location, skuGroup, abcClass }: PlanningRow,
  { costs, ...of }: SupposedCosts,
): ProposalInput {
  if (of.skuGroup !== null && skuGroup !== of.skuGroup) return input
  if (of.abcClass !== null && abcClass !== of.abcClass) return input
  const { rules = {}, policy } = input
  const isOfAll = of.skuGroup === null && of.abcClass === null
  const gives = [
    ...[undefined, 'configured', 'policy:default'],
    ...(isOfAll ? [] : [`policy:location ${location}`, `policy:class ${abcClass}`]),
    ...(of.skuGroup === null ? [] : [`policy:group ${of.skuGroup}`]),
  ]
  if (!gives.includes(rules.target_quantile)) return input
  const own = policy.costs ?? costs
  const target = {
    stockoutRate: gives.includes(rules.stockout_cost) ? costs.stockoutRate : own.stockoutRate,
    carryingRate: gives.includes(rules.carrying_cost) ? costs.carryingRate : own.carryingRate,
    unmetDemand: gives.includes(rules.unmet_demand) ? costs.unmetDemand : own.unmetDemand,
  }
  return { ...input, policy: { ...policy, target, costs: target } }
}

/** @returns null if it is unknown, or no rate leads to the account's currency */
export function costOf(
  { unitCost, currency }: { unitCost: unknown; currency: string | null },
  rates: Rates,
): number | null {
  if (unitCost === null || currency === null) return null
  const rate = rates.between(currency, settings().currency)
  return rate && (Number(unitCost) * Number(rate.numerator)) / Number(rate.denominator)
}

// Exchange curves: sums over the simulated pairs, for all and by group.

/** The long-run consequences of a target. */
export interface Point {
  /** Null if each pair has the target of its own rules. */
  target: number | null
  /** Mean stock on hand. */
  stockValue: number
  /** Its standard error; 0 where no pair was left out of the sample. */
  stockError: number
  /** Percent of demand, by value, that is served from stock; null without demand. */
  fillRate: number | null
  /** Chance of a stockout in a replenishment cycle, in percent; the mean of the pairs. */
  stockoutChance: number
  /** Demand that is not served from stock. */
  shortPerYear: number
}

const DAYS = 365

/** Adds up the asked outcome of each pair. */
export function pointOf(
  pairs: readonly PairOutcome[],
  target: number | null,
  outcomeOf: (pair: PairOutcome) => CycleOutcome,
): Point {
  const sum = { stock: 0, demand: 0, short: 0, chance: 0, pairs: 0 }
  for (const pair of pairs) {
    const { stock, demand, short, stockoutChance } = outcomeOf(pair)
    const worth = pair.weight * pair.unitCost
    sum.stock += worth * stock
    sum.demand += worth * demand
    sum.short += worth * short
    sum.chance += pair.weight * stockoutChance
    sum.pairs += pair.weight
  }
  return {
    target,
    stockValue: sum.stock,
    stockError: standardError(pairs, (pair) => pair.unitCost * outcomeOf(pair).stock),
    fillRate: sum.demand > 0 ? 100 * (1 - sum.short / sum.demand) : null,
    stockoutChance: sum.pairs ? (100 * sum.chance) / sum.pairs : 0,
    shortPerYear: DAYS * sum.short,
  }
}

/**
 * The standard error of a sum over an even sample in the order of worth, from the differences of neighbours. Pairs that
 * represent only themselves add nothing. Source: Wolter, Introduction to Variance Estimation, 2nd ed., ch. 8.
 */
function standardError(
  pairs: readonly PairOutcome[],
  valueOf: (pair: PairOutcome) => number,
): number {
  const sampled = pairs
    .filter(({ place }) => place !== null)
    .sort((a, b) => a.place! - b.place!)
    .map((pair) => ({ weight: pair.weight, value: valueOf(pair) }))
  const count = sampled.length
  if (count < 2) return 0
  let squares = 0
  for (let at = 1; at < count; at++) squares += (sampled[at]!.value - sampled[at - 1]!.value) ** 2
  const { weight } = sampled[0]!
  return Math.sqrt(count * weight * (weight - 1) * (squares / (2 * (count - 1))))
}

export const BY = ['abc', 'supplier', 'group', 'location'] as const
export type By = (typeof BY)[number]

export interface Group {
  code: string
  pairs: PairOutcome[]
}

/** The most groups; all others form one more. */
const MOST_GROUPS = 40

/** Groups the pairs: classes in their own order, other codes by worth, most first. */
export function groupPairs(pairs: readonly PairOutcome[], by: By): Group[] {
  if (by === 'abc') return groupByClass(pairs)
  const codeOf = (pair: PairOutcome) =>
    (by === 'supplier' ? pair.supplier : by === 'group' ? pair.skuGroup : pair.location) ?? ''
  const groups = [...Map.groupBy(pairs, codeOf)].map(([code, those]) => ({ code, pairs: those }))
  const worth = new Map(groups.map((group) => [group, pointOf(group.pairs, null, own).stockValue]))
  groups.sort((a, b) => worth.get(b)! - worth.get(a)! || byText(a.code, b.code))
  const named = groups.filter(({ code }) => code).slice(0, MOST_GROUPS)
  const others = groups.filter((group) => !named.includes(group)).flatMap((group) => group.pairs)
  return others.length ? [...named, { code: '', pairs: others }] : named
}

export const own = (pair: PairOutcome) => pair.own

const groupByClass = (pairs: readonly PairOutcome[]): Group[] =>
  classesOf(pairs).map(([code, those]) => ({ code, pairs: those }))

/** As the pairs are classified within their source, A first; last, without a code, those that have no class. */
export function classesOf<Pair extends { abcClass: string | null }>(
  pairs: readonly Pair[],
): [code: string, pairs: Pair[]][] {
  const classes = [...Map.groupBy(pairs, ({ abcClass }) => abcClass ?? '')]
  return classes.sort(([a], [b]) => Number(!a) - Number(!b) || byText(a, b))
}
