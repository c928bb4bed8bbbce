// node bench/inventory/run.ts [--lost-sales]: what proposals would have cost on real demand.
import type { Days } from '../../engine/index.ts'
import { type DemandSet, loadSet, REVIEW, SETS } from './sets.ts'
import { type Outcome, type Policy, simulate, type Unserved, WARM_UP_WEEKS } from './simulate.ts'
import {
  CARRYING_A_DAY,
  clairvoyant,
  meanAndSigma,
  minMax,
  type Ratio,
  restock,
  shortageCost,
} from './policies.ts'

const RATIOS: Ratio[] = [4, 9, 19]
const LEAD_TIMES: Days[] = [7, 14]
const unserved: Unserved = process.argv.includes('--lost-sales') ? 'is lost' : 'waits'

const policiesFor = (ratio: Ratio): Policy[] => [
  restock(ratio),
  meanAndSigma(ratio, 90),
  meanAndSigma(ratio, 365),
  meanAndSigma(ratio, 90, true),
  meanAndSigma(ratio, 365, true),
  minMax(90),
  clairvoyant,
]

function outcomesOf(set: DemandSet, policy: Policy, leadTimeDays: Days): Outcome[] {
  return set.pairs
    .map((pair) => simulate(set, pair, policy, leadTimeDays, unserved))
    .filter(({ demand }) => demand > 0)
}

/** Carrying and shortage for 100 units wanted, in shares of a unit's cost. */
function costOf(outcomes: readonly Outcome[], ratio: Ratio): number {
  const [demand, short, unitDays] = sums(outcomes)
  return (100 * (unitDays * CARRYING_A_DAY + short * shortageCost(ratio))) / demand
}

/** The same with every pair counting alike: the median of their costs. */
function medianCost(outcomes: readonly Outcome[], ratio: Ratio): number {
  const costs = outcomes.map((outcome) => costOf([outcome], ratio)).sort((a, b) => a - b)
  return costs[costs.length >> 1]!
}

const sums = (outcomes: readonly Outcome[]) =>
  outcomes.reduce<[number, number, number]>(
    ([demand, short, unitDays], outcome) => [
      demand + outcome.demand,
      short + outcome.short,
      unitDays + outcome.unitDays,
    ],
    [0, 0, 0],
  )

function show(name: string, outcomes: readonly Outcome[], ratio: Ratio) {
  const [demand, short, unitDays] = sums(outcomes)
  const cells = [
    `${(100 * (1 - short / demand)).toFixed(1)} %`,
    (unitDays / demand).toFixed(1),
    costOf(outcomes, ratio).toFixed(2),
    medianCost(outcomes, ratio).toFixed(2),
  ]
  console.log(`    ${name.padEnd(36)}${cells.map((cell) => cell.padStart(9)).join('')}`)
}

const started = performance.now()
for (const rule of SETS) {
  const set = await loadSet(rule)
  const counted = set.weeks - WARM_UP_WEEKS
  console.log(`\n${set.name}: ${set.pairs.length} pairs, ${counted} weeks; demand ${unserved}`)
  for (const leadTimeDays of LEAD_TIMES)
    for (const ratio of RATIOS) {
      console.log(
        `\n  lead time ${leadTimeDays} days, a unit short costs ${ratio} times carrying it ${REVIEW} days`,
      )
      const heads = ['served', 'days', 'cost', 'median'].map((head) => head.padStart(9))
      console.log(`    ${''.padEnd(36)}${heads.join('')}`)
      for (const policy of policiesFor(ratio))
        show(policy.name, outcomesOf(set, policy, leadTimeDays), ratio)
    }
}
console.log(`\n${((performance.now() - started) / 1000).toFixed(0)} s`)
