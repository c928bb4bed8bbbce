// node bench/inventory/run.ts [ratio]…: what proposals would have cost on real demand, against a textbook policy whose
// safety factor is chosen when all is known.
import type { Days } from '../../engine/index.ts'
import { type DemandSet, loadSet, REVIEW, SETS } from './sets.ts'
import { type Outcome, type Policy, simulate, type Unserved, warmUpWeeks } from './simulate.ts'
import {
  CARRYING_A_DAY,
  clairvoyant,
  meanAndSigma,
  type Ratio,
  restock,
  shortageCost,
  SINGLE_UNITS,
  weeklyLots,
} from './policies.ts'

const asked: Ratio[] = process.argv.slice(2).map(Number)
const RATIOS: Ratio[] = asked.length ? asked : [4, 19, 83]
const LEAD_TIMES: Days[] = [7, 14, 28, 90, 150]
const UNSERVED: Unserved[] = ['waits', 'is lost']
const LOTS = { 'single units': SINGLE_UNITS, 'lots of a week, two at least': weeklyLots }
const WINDOWS: Days[] = [90, 365]
const SAFETY_FACTORS = Array.from({ length: 29 }, (_, i) => i / 4 - 1)
/** Weeks that must be left to count once the first orders have come. */
const FEWEST_WEEKS = 12

interface Cell {
  set: DemandSet
  leadTimeDays: Days
  ratio: Ratio
  unserved: Unserved
  lots: keyof typeof LOTS
}

function costOf(policy: Policy, cell: Cell) {
  const { set, leadTimeDays, unserved } = cell
  const outcomes = set.pairs
    .map((pair) => {
      const lots = LOTS[cell.lots](pair, set.start)
      return simulate(set, pair, policy, { leadTimeDays, unserved, lots })
    })
    .filter(({ demand }) => demand > 0)
  const { demand, short, unitDays } = sumOf(outcomes)
  const carrying = unitDays * CARRYING_A_DAY
  const cost = (100 * (carrying + short * shortageCost(cell.ratio))) / demand
  return { cost, fillRate: 1 - short / demand }
}

const sumOf = (outcomes: readonly Outcome[]) =>
  outcomes.reduce((sum, { demand, short, unitDays }) => ({
    demand: sum.demand + demand,
    short: sum.short + short,
    unitDays: sum.unitDays + unitDays,
  }))

/** The cheapest of all windows and safety factors, for this very cell. */
function bestInHindsight(cell: Cell) {
  return WINDOWS.flatMap((window) =>
    SAFETY_FACTORS.map((k) => {
      const policy = meanAndSigma(window, k)
      return { ...costOf(policy, cell), name: policy.name }
    }),
  ).reduce((best, one) => (one.cost < best.cost ? one : best))
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`
const started = performance.now()
const shares: number[] = []
for (const rule of SETS) {
  const set = await loadSet(rule)
  for (const unserved of UNSERVED)
    for (const lots of Object.keys(LOTS) as (keyof typeof LOTS)[]) {
      console.log(`\n${set.name}, ${set.pairs.length} pairs; demand ${unserved}; ${lots}\n`)
      console.log(
        '| lead time | a unit short | restock | fill rate | best in hindsight | fill rate | its factor | share | perfect |',
      )
      console.log('|---|---|---|---|---|---|---|---|---|')
      for (const leadTimeDays of LEAD_TIMES) {
        if (set.weeks - warmUpWeeks(leadTimeDays) < FEWEST_WEEKS) continue
        for (const ratio of RATIOS) {
          const cell = { set, leadTimeDays, ratio, unserved, lots }
          const own = costOf(restock(ratio), cell)
          const best = bestInHindsight(cell)
          shares.push(own.cost / best.cost)
          const cells = [
            ...[leadTimeDays, `${ratio} : 1`, own.cost.toFixed(2), percent(own.fillRate)],
            ...[best.cost.toFixed(2), percent(best.fillRate), best.name],
            ...[(own.cost / best.cost).toFixed(2), costOf(clairvoyant, cell).cost.toFixed(2)],
          ]
          console.log(`| ${cells.join(' | ')} |`)
        }
      }
    }
}
const count = (most: number) => shares.filter((share) => share <= most).length
console.log(
  `\n${shares.length} cells: ${count(0.9)} at least 10 % cheaper, ${count(1)} cheaper; a unit short costs so many times ` +
    `carrying it ${REVIEW} days. ${((performance.now() - started) / 1000).toFixed(0)} s`,
)
