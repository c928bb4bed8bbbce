// node bench/inventory/daily.ts: a run every day and a buyer who approves what is due: order lines, cost, and stockouts
// that nobody was told of.
import { type Days, demandDistribution, predictQuantiles, type Units } from '../../engine/index.ts'
import { openOrderMessages, propose, type ProposalInput } from '../../engine/proposal/index.ts'
import { addDays } from '../../engine/proposal/dates.ts'
import { CARRYING_A_DAY } from './policies.ts'
import { type DemandSet, loadSet, type Pair, REVIEW, SETS } from './sets.ts'

const LEAD_TIMES: Days[] = [7, 14, 28]
/** As shipped: a unit short costs 40 % of its value, one that is kept 25 % a year. */
const COSTS = { stockoutRate: 0.4, carryingRate: 0.25 }
const PAIRS = 60
const FIRST_DAY = '2025-01-01'

/** What the buyer approves of a day's lines. */
const BUYERS = {
  'all that is proposed': () => true,
  'what is due before the next review': ({ urgency }: Line) => urgency !== 'ahead',
  'what is due today': ({ orderBy }: Line, today: string) => orderBy !== null && orderBy <= today,
}
type Buyer = keyof typeof BUYERS
type Line = Extract<ReturnType<typeof propose>, { kind: 'order' }>

interface Outcome {
  demand: Units
  short: Units
  unitDays: number
  lines: number
  /** Lines less than a review period after the last one. */
  soonAgain: number
  stockouts: number
  /** Stockouts that the median forecast of the day before foresaw, and no line or message of a lead time before told of. */
  untold: number
}

const nothing = (): Outcome => ({
  ...{ demand: 0, short: 0, unitDays: 0, lines: 0, soonAgain: 0, stockouts: 0, untold: 0 },
})

/** Day by day: receipts, a run and its approvals, demand. */
function simulate(
  { start }: DemandSet,
  { demand, models }: Pair,
  leadTimeDays: Days,
  approves: (typeof BUYERS)[Buyer],
): Outcome {
  const outcome = nothing()
  const counted = start + leadTimeDays + 28
  const rate = demand.subarray(start - 56, start).reduce((sum, units) => sum + units, 0) / 56
  let onHand = Math.ceil(rate * (leadTimeDays + REVIEW))
  let open: { day: Days; quantity: Units }[] = []
  let lastOrder = -Infinity
  let told = -Infinity
  let isOut = false
  for (const [i, model] of models.entries()) {
    const day = start + i
    const today = addDays(FIRST_DAY, i)
    onHand += open.filter((order) => order.day === day).reduce((sum, o) => sum + o.quantity, 0)
    open = open.filter((order) => order.day > day)
    const input: ProposalInput = {
      asOf: today,
      forecast: {
        at: (days) => predictQuantiles(model, days),
        distribution: (days) => demandDistribution(model, days),
      },
      daysSinceOrder: Number.isFinite(lastOrder) ? day - lastOrder : null,
      position: {
        onHand,
        onOrder: 0,
        openProposals: 0,
        receipts: open.map(({ day: due, quantity }) => ({
          date: addDays(FIRST_DAY, due - start),
          quantity,
        })),
      },
      planning: { leadTimeDays, reviewPeriodDays: REVIEW, moq: 1, lotSize: 1, supplier: null },
      policy: { reviewPeriodDays: REVIEW, target: COSTS, supplierRequired: false },
    }
    const result = propose(input)
    if (result.kind === 'order') told = day
    else if (
      result.kind === 'none' &&
      openOrderMessages(input, result.calculation.targetQuantile).some(
        ({ kind }) => kind === 'expedite',
      )
    )
      told = day
    const isForeseen = predictQuantiles(model, 1).p50 > Math.max(0, onHand)
    if (result.kind === 'order' && approves(result, today)) {
      open.push({ day: day + leadTimeDays, quantity: result.quantity })
      if (day >= counted) {
        outcome.lines++
        if (day - lastOrder < REVIEW) outcome.soonAgain++
      }
      lastOrder = day
    }
    const wanted = demand[day]!
    const short = Math.max(0, wanted - Math.max(0, onHand))
    onHand -= wanted
    if (day >= counted) {
      outcome.demand += wanted
      outcome.short += short
      outcome.unitDays += Math.max(0, onHand)
      if (short > 0 && !isOut) {
        outcome.stockouts++
        if (isForeseen && day - told > leadTimeDays) outcome.untold++
      }
    }
    isOut = short > 0
  }
  return outcome
}

const add = (sum: Outcome, one: Outcome): Outcome => ({
  demand: sum.demand + one.demand,
  short: sum.short + one.short,
  unitDays: sum.unitDays + one.unitDays,
  lines: sum.lines + one.lines,
  soonAgain: sum.soonAgain + one.soonAgain,
  stockouts: sum.stockouts + one.stockouts,
  untold: sum.untold + one.untold,
})

const HEAD = [
  'set',
  'lead time',
  'the buyer approves',
  'cost',
  'fill rate',
  'lines a pair and year',
]
console.log(`| ${[...HEAD, 'of them soon again', 'stockouts', 'untold'].join(' | ')} |`)
console.log(`|${'---|'.repeat(HEAD.length + 3)}`)
for (const rule of SETS) {
  const set = await loadSet(rule, { every: 1, most: PAIRS })
  for (const leadTimeDays of LEAD_TIMES)
    for (const buyer of Object.keys(BUYERS) as Buyer[]) {
      const sum = set.pairs
        .map((pair) => simulate(set, pair, leadTimeDays, BUYERS[buyer]))
        .reduce(add, nothing())
      const years = (set.pairs.length * (set.weeks * 7 - leadTimeDays - 28)) / 365
      const cost = sum.unitDays * CARRYING_A_DAY + sum.short * COSTS.stockoutRate
      const cells = [
        ...[set.name, leadTimeDays, buyer, ((100 * cost) / sum.demand).toFixed(2)],
        `${(100 * (1 - sum.short / sum.demand)).toFixed(1)} %`,
        ...[(sum.lines / years).toFixed(1), sum.soonAgain, sum.stockouts, sum.untold],
      ]
      console.log(`| ${cells.join(' | ')} |`)
    }
}
