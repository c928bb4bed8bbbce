// node bench/inventory/order-or-wait.ts: what suppliers' orders cost where an order costs something whatever its lines:
// without that cost, with it, and by textbook policies that are chosen when all is known.
import type { Days, Units } from '../../engine/index.ts'
import { fillSupplierOrder, propose, supplierLine } from '../../engine/proposal/index.ts'
import { Shelf } from '../../engine/replay/index.ts'
import {
  CARRYING_A_DAY,
  inputOf,
  past,
  type Ratio,
  shortageCost,
  SINGLE_UNITS,
} from './policies.ts'
import { type DemandSet, loadSet, type Pair, REVIEW, SETS } from './sets.ts'
import { firstStock, type Moment, warmUpWeeks } from './simulate.ts'

const LEAD_TIME: Days = Number(process.env.LEAD_TIME ?? 14)
const SKUS_A_SUPPLIER = 10
const RATIOS: Ratio[] = [19, 83]
const ORDER_COSTS = [0, 10, 50, 200]
/** Of a line: counted alike for all of them. */
const LINE_COST = 0.2

/** What to order of each line of a supplier. */
type JointPolicy = (lines: readonly Moment[]) => Units[]

interface Totals {
  demand: number
  short: number
  unitDays: number
  orders: number
  lines: number
}

const restock =
  (ratio: Ratio, orderCost: number): JointPolicy =>
  (lines) => {
    const own = lines.map((moment, i) => {
      const input = inputOf(moment, ratio)
      input.planning.unitCost = 1
      const result = propose(input)
      if (result.kind === 'blocked') throw new Error(`blocked: ${JSON.stringify(result.missing)}`)
      return supplierLine(String(i), input, result)
    })
    const filled = fillSupplierOrder(own, { orderCost })
    const isWaiting = filled.orderOrWait?.decision === 'wait'
    return filled.lines.map(({ quantity }) => (isWaiting ? 0 : quantity))
  }

/** Every so many weeks each line up to mean + k·sigma of lead time and interval. */
const periodic =
  (window: Days, k: number, weeks: number): JointPolicy =>
  (lines) =>
    lines.map((moment) => {
      if (moment.week % weeks !== 0) return 0
      return upTo(moment, level(moment, window, k, LEAD_TIME + weeks * REVIEW))
    })

/** (s, c, S): where a line is at s or below, all at c or below are ordered up to S. */
const canOrder =
  (window: Days, k: number, join: number, weeks: number): JointPolicy =>
  (lines) => {
    const mean = (moment: Moment) => past(moment, window).mean * REVIEW
    const must = lines.map((moment) => level(moment, window, k, LEAD_TIME + REVIEW))
    const position = ({ onHand, onOrder }: Moment) => onHand + onOrder
    if (!lines.some((moment, i) => position(moment) < must[i]!)) return lines.map(() => 0)
    return lines.map((moment, i) =>
      position(moment) < must[i]! + join * mean(moment)
        ? upTo(moment, must[i]! + (weeks - 1) * mean(moment))
        : 0,
    )
  }

function level(moment: Moment, window: Days, k: number, days: Days): Units {
  const { mean, deviation } = past(moment, window)
  return mean * days + k * deviation * Math.sqrt(days)
}

const upTo = ({ onHand, onOrder }: Moment, units: Units) =>
  Math.max(0, Math.round(units - onHand - onOrder))

/** Day by day as in `simulate`, all lines of a supplier at once. */
function simulateSupplier(set: DemandSet, pairs: readonly Pair[], policy: JointPolicy): Totals {
  const { start, weeks } = set
  const counted = start + warmUpWeeks(LEAD_TIME) * REVIEW
  const totals = { demand: 0, short: 0, unitDays: 0, orders: 0, lines: 0 }
  const shelves = pairs.map((pair) => new Shelf(firstStock(pair, start, LEAD_TIME), true))
  for (let day = start; day < start + weeks * REVIEW; day++) {
    for (const shelf of shelves) shelf.receive(day)
    if ((day - start) % REVIEW === 0) {
      const moments = pairs.map((pair, i): Moment => {
        const { net: onHand, onOrder } = shelves[i]!
        const lots = SINGLE_UNITS()
        return {
          ...{ pair, day, week: (day - start) / REVIEW, leadTimeDays: LEAD_TIME, lots },
          ...{ unserved: 'waits', onHand, onOrder },
        }
      })
      const quantities = policy(moments)
      quantities.forEach((quantity, i) => shelves[i]!.order(day, quantity, LEAD_TIME))
      const lines = quantities.filter((quantity) => quantity > 0).length
      if (day >= counted) {
        totals.lines += lines
        totals.orders += lines > 0 ? 1 : 0
      }
    }
    pairs.forEach((pair, i) => {
      const demand = pair.demand[day]!
      const short = shelves[i]!.serve(demand)
      if (day < counted) return
      totals.demand += demand
      totals.short += short
      totals.unitDays += shelves[i]!.onHand
    })
  }
  return totals
}

function simulateAll(set: DemandSet, policy: JointPolicy): Totals {
  const suppliers = Math.floor(set.pairs.length / SKUS_A_SUPPLIER)
  const all = Array.from({ length: suppliers }, (_, s) =>
    simulateSupplier(
      set,
      set.pairs.filter((_, i) => i % suppliers === s),
      policy,
    ),
  )
  return all.reduce((sum, each) => ({
    ...{ demand: sum.demand + each.demand, short: sum.short + each.short },
    unitDays: sum.unitDays + each.unitDays,
    ...{ orders: sum.orders + each.orders, lines: sum.lines + each.lines },
  }))
}

const costOf = ({ demand, short, unitDays, orders, lines }: Totals, ratio: Ratio, cost: number) =>
  (100 *
    (unitDays * CARRYING_A_DAY + short * shortageCost(ratio) + orders * cost + lines * LINE_COST)) /
  demand

const FACTORS = Array.from({ length: 13 }, (_, i) => i / 2 - 1)
const WEEKS = [1, 2, 3, 4, 6, 8, 10, 13]

function textbook(set: DemandSet): { name: string; totals: Totals }[] {
  const windows: Days[] = [90, 365]
  return windows.flatMap((window) =>
    FACTORS.flatMap((k) =>
      WEEKS.flatMap((weeks) => [
        { name: `(R,S) ${weeks}w`, totals: simulateAll(set, periodic(window, k, weeks)) },
        ...[0.5, 1, 2, 4]
          .filter((join) => join < weeks)
          .map((join) => ({
            name: `(s,c,S) ${join}w, ${weeks}w`,
            totals: simulateAll(set, canOrder(window, k, join, weeks)),
          })),
      ]),
    ),
  )
}

const started = performance.now()
console.log(
  '| set | a unit short | order costs | without | orders | with | orders | fill rate | in hindsight | its policy | against without | against hindsight |',
)
console.log('|---|---|---|---|---|---|---|---|---|---|---|---|')
for (const rule of SETS.filter(({ name }) => !process.env.SET || name === process.env.SET)) {
  const set = await loadSet(rule)
  const books = textbook(set)
  for (const ratio of RATIOS) {
    const without = simulateAll(set, restock(ratio, 0))
    for (const orderCost of ORDER_COSTS) {
      const own = simulateAll(set, restock(ratio, orderCost))
      const cost = costOf(own, ratio, orderCost)
      const before = costOf(without, ratio, orderCost)
      const [best] = books
        .map(({ name, totals }) => ({ name, cost: costOf(totals, ratio, orderCost) }))
        .sort((a, b) => a.cost - b.cost)
      const cells = [
        ...[set.name, `${ratio} : 1`, orderCost, before.toFixed(2), without.orders],
        ...[cost.toFixed(2), own.orders, `${(100 * (1 - own.short / own.demand)).toFixed(1)} %`],
        ...[best!.cost.toFixed(2), best!.name],
        ...[(cost / before).toFixed(2), (cost / best!.cost).toFixed(2)],
      ]
      console.log(`| ${cells.join(' | ')} |`)
    }
  }
}
console.log(`\n${((performance.now() - started) / 1000).toFixed(0)} s`)
