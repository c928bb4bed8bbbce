// Sums over simulated pairs: exchange curves, for all and by group.
import type { SimulationPoint } from '#cds-models/ProposalsService'
import { byText } from '../../../engine/index.ts'
import type { CycleOutcome } from '../../../engine/proposal/index.ts'
import type { ServiceRow } from '../../store/service-row.ts'
import type { PairOutcome } from './simulate-pairs.ts'

export type Point = ServiceRow<SimulationPoint>

const DAYS = 365

/** What pairs come to, each with the outcome that is asked for. */
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
 * Of a sum over an even sample in the order of worth, by the differences of neighbours; pairs that stand for themselves
 * add nothing to it. Source: Wolter, Introduction to Variance Estimation, 2nd ed., ch. 8.
 */
export function standardError(
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

/** More are one group together. */
const MOST_GROUPS = 40
/** Shares of the value of demand up to which pairs are of class A, and B. */
const ABC = { a: 0.8, b: 0.95 }

/** What is worth most first; classes in their order. */
export function groupPairs(pairs: readonly PairOutcome[], by: By): Group[] {
  if (by === 'abc') return classes(pairs)
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

function classes(pairs: readonly PairOutcome[]): Group[] {
  const valued = pairs
    .map((pair) => ({ pair, value: pair.weight * pair.unitCost * pair.own.demand }))
    .sort(
      (a, b) => b.value / b.pair.weight - a.value / a.pair.weight || a.pair.series - b.pair.series,
    )
  const total = valued.reduce((sum, { value }) => sum + value, 0)
  let before = 0
  const classOf = Map.groupBy(valued, ({ value }) => {
    const share = before
    before += value
    return share < ABC.a * total ? 'A' : share < ABC.b * total ? 'B' : 'C'
  })
  return (['A', 'B', 'C'] as const).flatMap((code) => {
    const those = classOf.get(code)?.map(({ pair }) => pair)
    return those ? [{ code, pairs: those }] : []
  })
}
