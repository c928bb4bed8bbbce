// Made-up companies: what was wanted, how they ordered, what they had, and what their systems wrote down of it.
import { type Days, toEpochDay, type Units } from '../../engine/index.ts'
import { Shelf } from '../../engine/replay/index.ts'
import {
  type OrderLine,
  type Past,
  type PastPair,
  StockLevels,
  toOrderLines,
} from '../../cli/pilot/past.ts'
import { toHistories } from '../../cli/offline/histories.ts'
import { HistoryRows } from '../../cli/offline/history-rows.ts'

export const FIRST_DAY = toEpochDay('2024-01-01')
/** Days before the first half-year. */
export const BEFORE: Days = 420
export const HALF_YEAR: Days = 182
const DAYS = BEFORE + 2 * HALF_YEAR

export interface WorldPair {
  sku: string
  supplier: number
  leadTimeDays: Days
  lotSize: Units
  unitCost: number
  /** What was wanted by day. */
  demand: Float64Array
  /** What became of it. */
  sold: Float64Array
  stock: Float64Array
  short: Float64Array
  orders: { day: Days; takes: Days; quantity: Units }[]
}

export interface World {
  seed: number
  pairs: WorldPair[]
  habit: Habit
}

export const COSTS = { stockoutRate: 0.4, carryingRate: 0.25, unmetDemand: 'lost' as const }

export function randomFrom(seed: number): () => number {
  let state = Math.imul(seed + 1, 0x9e3779b1) | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** How a company orders: up to the mean of its lead time and review with so many standard deviations, or days of cover instead. */
export interface Habit {
  name: string
  factor: number
  coverDays?: Days
  /** Over how many days it looks back, and how often it orders. */
  window: Days
  review: Days
}

/** Companies that act otherwise than their costs say. */
export const HABITS: Habit[] = [
  { name: '0.5 σ, weekly', factor: 0.5, window: 56, review: 7 },
  { name: '10 σ, weekly', factor: 10, window: 91, review: 7 },
  { name: '1 σ, every 14 days', factor: 1, window: 28, review: 14 },
  { name: '90 days of cover', factor: 0, coverDays: 90, window: 56, review: 14 },
  { name: '1 σ, weekly', factor: 1, window: 28, review: 7 },
]

/** Near to what costs of 83 : 1 say. */
export const NEAR_BEST: Habit = { name: '4 σ, weekly', factor: 4, window: 91, review: 7 }

export function makeWorld(
  seed: number,
  count: number,
  habit = HABITS[seed % HABITS.length]!,
): World {
  const random = randomFrom(seed)
  const pairs = Array.from({ length: count }, (_, i) => makePair(i, random))
  for (const pair of pairs) orderAsUsual(pair, habit, random)
  return { seed, pairs, habit }
}

function makePair(number: number, random: () => number): WorldPair {
  const rate = Math.exp(Math.log(0.15) + random() * Math.log(60))
  const dispersion = 1 + 2 * random()
  const supplier = Math.floor(8 * random())
  const season = 0.3 * random()
  const phase = random()
  const weekday = Array.from({ length: 7 }, (_, day) => (day === 6 ? 0.3 : 0.8 + 0.5 * random()))
  const demand = Float64Array.from({ length: DAYS }, (_, day) => {
    const yearly = 1 + season * Math.sin(2 * Math.PI * (day / 365 + phase))
    return negativeBinomial(rate * yearly * weekday[day % 7]!, dispersion, random)
  })
  return {
    sku: `S${String(number).padStart(4, '0')}`,
    supplier,
    leadTimeDays: [5, 7, 7, 10, 14, 14, 21, 28][supplier]!,
    lotSize: [1, 1, 1, 6][Math.floor(4 * random())]!,
    unitCost: Math.round(100 * Math.exp(Math.log(2) + random() * Math.log(20))) / 100,
    ...{
      demand,
      sold: new Float64Array(DAYS),
      stock: new Float64Array(DAYS),
      short: new Float64Array(DAYS),
    },
    orders: [],
  }
}

/** A Poisson number of a gamma mean, by its inverse: means are small. */
function negativeBinomial(mean: number, dispersion: number, random: () => number): number {
  const size = mean / (dispersion - 1)
  const share = 1 - 1 / dispersion
  let p = dispersion ** -size
  let rest = random()
  for (let k = 0; k < 500; k++) {
    if (rest < p) return k
    rest -= p
    p *= (share * (size + k)) / (k + 1)
  }
  return 500
}

/** An order that was placed comes when it comes, late now and then. */
export const takesOf = ({ leadTimeDays }: WorldPair, random: () => number): Days =>
  leadTimeDays + (random() < 0.2 ? Math.ceil(leadTimeDays * 0.5 * random()) : 0)

/** Order-up-to by mean and standard deviation of what was sold. */
function orderAsUsual(pair: WorldPair, habit: Habit, random: () => number) {
  const { factor, coverDays, window, review } = habit
  const shelf = new Shelf(
    Math.ceil(meanOf(pair.demand, 0, 56) * (pair.leadTimeDays + 2 * review)),
    false,
  )
  for (let day = 0; day < DAYS; day++) {
    shelf.receive(day)
    if (day % review === 0) {
      const [from, to] = day < 56 ? [0, 56] : [Math.max(0, day - window), day]
      const past = day < 56 ? pair.demand : pair.sold
      const mean = meanOf(past, from, to)
      const deviation = Math.sqrt(
        past.subarray(from, to).reduce((sum, x) => sum + (x - mean) ** 2, 0) / (to - from - 1),
      )
      const protection = pair.leadTimeDays + (coverDays ?? review)
      const level = mean * protection + factor * deviation * Math.sqrt(protection)
      const wanted = level - shelf.onHand - shelf.onOrder
      const quantity = wanted > 0 ? pair.lotSize * Math.ceil(wanted / pair.lotSize) : 0
      if (quantity > 0) {
        const takes = takesOf(pair, random)
        shelf.order(day, quantity, takes)
        pair.orders.push({ day, takes, quantity })
      }
    }
    const short = shelf.serve(pair.demand[day]!)
    pair.short[day] = short
    pair.sold[day] = pair.demand[day]! - short
    pair.stock[day] = shelf.onHand
  }
}

const meanOf = (values: Float64Array, from: number, to: number) =>
  values.subarray(from, to).reduce((sum, each) => sum + each, 0) / (to - from)

/** What its systems know on a morning: sales, stock at the end of days, receipts. */
export function pastOf({ pairs: all, habit }: World, until: Days, knowsStock = true): Past {
  const rows = new HistoryRows()
  const stock = new StockLevels()
  const lines: OrderLine[] = []
  const end = FIRST_DAY + until
  all.forEach((pair, number) => {
    for (let day = 0; day < until; day++) {
      if (pair.sold[day]! > 0) rows.add(number, FIRST_DAY + day, pair.sold[day]!)
      if (knowsStock || day === until - 1) stock.add(number, FIRST_DAY + day, pair.stock[day]!)
      if (knowsStock) stock.see('L1', FIRST_DAY + day)
    }
    for (const { day, takes, quantity } of pair.orders) {
      if (day >= until) continue
      const received = day + takes < until ? FIRST_DAY + day + takes : null
      const document = `${pair.supplier}/${day}`
      lines.push({ pair: number, ordered: FIRST_DAY + day, received, quantity, document })
    }
  })
  const rank = Int32Array.from(all, (_, at) => at)
  return {
    pairs: all.map((pair) => termsOf(pair, habit.review)),
    histories: toHistories(rows.grouped(rank)),
    ...stock.done(all.length),
    lines: toOrderLines(all.length, lines),
    ...{ hasReceipts: true, end, notes: [] },
  }
}

export function termsOf(
  { sku, supplier, leadTimeDays, lotSize, unitCost }: WorldPair,
  review: Days,
): PastPair {
  return {
    ...{ sku, location: 'L1', group: `G${supplier % 3}`, unitCost, currency: 'EUR' },
    planning: {
      leadTimeDays,
      reviewPeriodDays: review,
      moq: null,
      lotSize,
      supplier: `V${supplier}`,
      unitCost,
    },
    policy: { target: COSTS },
    costs: COSTS,
    supplierOrder: null,
  }
}

/** What its stock and its shortages really cost from day to day. */
export function costOf(pairs: WorldPair[], from: Days, to: Days): number {
  return pairs.reduce((sum, { stock, short, unitCost }) => {
    const total = (of: Float64Array) => of.subarray(from, to).reduce((all, each) => all + each, 0)
    return (
      sum +
      unitCost * ((total(stock) * COSTS.carryingRate) / 365 + total(short) * COSTS.stockoutRate)
    )
  }, 0)
}
