// node bench/inventory/perishables.ts: stock that expires, in a closed loop: today's shelf-life cap against stock by batch.
import { type Days, demandDistribution, predictQuantiles, type Units } from '../../engine/index.ts'
import { expectedWaste } from '../../engine/inventory/expiry.ts'
import { propose, type ProposalInput } from '../../engine/proposal/index.ts'
import { addDays } from '../../engine/proposal/dates.ts'
import { CARRYING_A_DAY } from './policies.ts'
import { loadSet, type Pair, SETS } from './sets.ts'

/** As shipped: a unit short costs 40 % of its value, one that is kept 25 % a year. One that expires costs all of it. */
const COSTS = { stockoutRate: 0.4, carryingRate: 0.25, unmetDemand: 'lost' } as const
const LEVELS = [0.7, 0.8, 0.85, 0.9, 0.93, 0.96, 0.99]
const PAIRS = Number(process.env.BENCH_PAIRS ?? 120)
const LEAD: Days = 3
const WARM_UP: Days = 70
const FIRST_DAY = '2025-01-01'

/** What an order is made from. */
interface Policy {
  name: string
  target: ProposalInput['policy']['target']
  /** Whether stock is known by batch. */
  byBatch: boolean
}

interface Batch {
  /** The first day on which it cannot be sold. */
  until: Days
  quantity: Units
  wasted: Units
  /** What was shown of it, at each review. */
  shown: Units[]
}

interface Outcome {
  demand: Units
  short: Units
  unitDays: number
  waste: Units
  /** Waste that was stated of stock at reviews, and that became of it. */
  stated: Units
  happened: Units
  /** Orders placed, and those on top of stock that lasts until the next one could come. */
  orders: number
  needless: number
}

const nothing = (): Outcome => ({
  ...{ demand: 0, short: 0, unitDays: 0, waste: 0, stated: 0, happened: 0, orders: 0, needless: 0 },
})

/** Day by day: what has expired leaves, receipts, an order at a review, demand, what expires first before the rest. */
function simulate({ demand, models }: Pair, start: Days, life: Days, policy: Policy): Outcome {
  const outcome = nothing()
  const review: Days = life < 14 ? 2 : 7
  const rate = demand.subarray(start - 56, start).reduce((sum, units) => sum + units, 0) / 56
  let stock: Batch[] = []
  const all: Batch[] = []
  let open = [{ day: start, quantity: Math.ceil(rate * (LEAD + review)) }]
  for (const [i, model] of models.entries()) {
    const day = start + i
    const isCounted = i >= WARM_UP
    for (const batch of stock.filter(({ until }) => until <= day)) {
      batch.wasted = batch.quantity
      if (isCounted) outcome.waste += batch.quantity
    }
    stock = stock.filter(({ until }) => until > day)
    for (const { quantity } of open.filter((order) => order.day === day)) {
      const batch = { until: day + life, quantity, wasted: 0, shown: [] }
      stock.push(batch)
      all.push(batch)
    }
    open = open.filter((order) => order.day > day)
    const onHand = stock.reduce((sum, { quantity }) => sum + quantity, 0)
    const forecast: ProposalInput['forecast'] = {
      at: (days) => predictQuantiles(model, days),
      distribution: (days) => demandDistribution(model, days),
    }
    if (i % review === 0) {
      const batches = stock.map((batch) => ({ ...batch, days: batch.until - day, of: batch }))
      if (isCounted)
        for (const { of, waste } of expectedWaste(forecast, batches)) of.shown.push(waste)
      const today = addDays(FIRST_DAY, i)
      const result = propose({
        asOf: today,
        forecast,
        position: {
          ...{ onHand, onOrder: 0, openProposals: 0 },
          receipts: open.map((order) => ({
            date: addDays(FIRST_DAY, order.day - start),
            quantity: order.quantity,
          })),
          ...(policy.byBatch && {
            batches: stock.map(({ until, quantity }) => ({
              expiresOn: addDays(FIRST_DAY, until - start - 1),
              quantity,
            })),
          }),
        },
        planning: {
          ...{ leadTimeDays: LEAD, reviewPeriodDays: review, moq: 1, lotSize: 1, supplier: null },
          shelfLifeDays: life,
        },
        policy: { reviewPeriodDays: review, target: policy.target, supplierRequired: false },
      })
      if (result.kind === 'order') {
        open.push({ day: day + LEAD, quantity: result.quantity })
        if (isCounted) {
          outcome.orders++
          if (isNeedless(result.calculation)) outcome.needless++
        }
      }
    }
    const wanted = demand[day]!
    let left = wanted
    for (const batch of stock) {
      const sold = Math.min(batch.quantity, left)
      batch.quantity -= sold
      left -= sold
    }
    stock = stock.filter(({ quantity }) => quantity > 0)
    if (!isCounted) continue
    outcome.demand += wanted
    outcome.short += left
    outcome.unitDays += stock.reduce((sum, { quantity }) => sum + quantity, 0)
  }
  // Batches whose day has come alone: of the others nobody knows.
  const end = start + models.length
  for (const { shown, wasted } of all.filter(({ until }) => until < end)) {
    outcome.stated += shown.reduce((sum, units) => sum + units, 0)
    outcome.happened += wasted * shown.length
  }
  return outcome
}

/** Whether what sells before its date, and what is under way, was enough already. */
function isNeedless({ targetStock, lostBeforeArrival = 0, ...terms }: Calculated): boolean {
  const { onHand, expiring = 0, onOrder, coveredLater = 0, quantity } = terms
  const need = targetStock - coveredLater - lostBeforeArrival
  return quantity > Math.max(0, need - (onHand - expiring) - onOrder) + 1
}
type Calculated = Extract<ReturnType<typeof propose>, { kind: 'order' }>['calculation']

/** Lives of 5 to 60 days, the same in each run. */
function lifeOf(at: number): Days {
  let seed = (at + 1) * 0x9e3779b9
  seed = Math.imul(seed ^ (seed >>> 16), 0x45d9f3b)
  seed = Math.imul(seed ^ (seed >>> 16), 0x45d9f3b)
  return 5 + (((seed ^ (seed >>> 16)) >>> 0) % 56)
}

const add = (sum: Outcome, one: Outcome) =>
  Object.fromEntries(
    Object.entries(sum).map(([name, value]) => [name, value + one[name as keyof Outcome]]),
  ) as unknown as Outcome

const costOf = ({ unitDays, short, waste }: Outcome) =>
  unitDays * CARRYING_A_DAY + short * COSTS.stockoutRate + waste
const fillOf = ({ demand, short }: Outcome) => 1 - short / demand

interface Point {
  cost: number
  fill: number
}

/** What the cap would cost at this fill rate: straight between the two levels around it. */
function costAt(fill: number, capped: Point[]): number {
  const sorted = capped.toSorted((a, b) => a.fill - b.fill)
  const above = sorted.findIndex((point) => point.fill >= fill)
  if (above <= 0) return NaN
  const [low, high] = [sorted[above - 1]!, sorted[above]!]
  return low.cost + ((high.cost - low.cost) * (fill - low.fill)) / (high.fill - low.fill)
}

console.log('| set | policy | cost | fill rate | waste | stated : happened | orders | needless |')
console.log('|---|---|---|---|---|---|---|---|')
for (const rule of SETS) {
  const set = await loadSet(rule, { every: 1, most: PAIRS })
  const run = (policy: Policy): Point => {
    const sum = set.pairs
      .map((pair, at) => simulate(pair, set.start, lifeOf(at), policy))
      .reduce(add, nothing())
    const cost = (100 * costOf(sum)) / sum.demand
    const cells = [
      ...[set.name, policy.name, cost.toFixed(2), `${(100 * fillOf(sum)).toFixed(1)} %`],
      `${((100 * sum.waste) / sum.demand).toFixed(1)} %`,
      ...[(sum.stated / sum.happened).toFixed(2), sum.orders, sum.needless],
    ]
    console.log(`| ${cells.join(' | ')} |`)
    return { cost, fill: fillOf(sum) }
  }
  const capped = LEVELS.map((quantile) =>
    run({ name: `cap, P${Math.round(100 * quantile)}`, target: { quantile }, byBatch: false }),
  )
  const { cost, fill } = run({ name: 'by batch, its costs', target: COSTS, byBatch: true })
  const share = (cost / costAt(fill, capped)).toFixed(2)
  console.log(`\n${set.name}: ${share} of what the cap costs at the same fill rate\n`)
}
