// Which pairs sell how much on which day. A pair in a class of period P sells on one day of each window of
// P days; the day differs between windows. As P is prime, both the sellers of a day and the days of a seller
// can be computed directly.
import { mix, multiplier } from './hash.ts'
import { weekday } from './days.ts'
import type { Day } from './days.ts'
import type { Pairs } from './pairs.ts'

interface Class {
  first: number
  count: number
  period: number
  lines: number
}

const SHARES = [
  { share: 0.02, period: 1, lines: 2 },
  { share: 0.04, period: 1, lines: 1 },
  { share: 0.08, period: 3, lines: 1 },
  { share: 0.24, period: 13, lines: 1 },
  { share: 0.4, period: 29, lines: 1 },
  { share: 1, period: 61, lines: 1 },
]
const WEEK = [0, 1.15, 1, 0.95, 1, 1.3, 0.6]

interface Sellers {
  of: Class
  /** Ranks within the class: first, first + period … */
  first: number
  count: number
  /** Number of the day's lines before this class. */
  before: number
}

export interface DemandDay {
  lines: number
  sellers: Sellers[]
  a: number
  b: number
  level: number
}

export class Demand {
  readonly #pairs: Pairs
  readonly #classes: Class[]
  readonly #days = new Map<Day, DemandDay>()
  readonly #mean: Uint8Array
  readonly #milli: Uint16Array
  /** Ranks below this sell at least every third day. */
  readonly fast: number

  constructor(pairs: Pairs) {
    this.#pairs = pairs
    let first = 0
    this.#classes = SHARES.map(({ share, period, lines }) => {
      const count = share === 1 ? pairs.count - first : Math.floor(pairs.count * share)
      const one = { first, count, period, lines }
      first += count
      return one
    })
    this.fast = this.#classes[3]!.first
    this.#mean = Uint8Array.from({ length: pairs.count }, (_, pair) => this.#meanOf(pair))
    this.#milli = Uint16Array.from({ length: pairs.count }, (_, pair) =>
      pairs.unit(pairs.skuOf(pair)).base === 'KG' ? 500 : 1000,
    )
  }

  #meanOf(pair: number): number {
    const h = mix(this.#pairs.seed, pair, 31)
    return 1 + (h % (2 + ((h >>> 8) % 20)))
  }

  day(day: Day): DemandDay {
    let plan = this.#days.get(day)
    if (!plan) this.#days.set(day, (plan = this.#plan(day)))
    return plan
  }

  #plan(day: Day): DemandDay {
    const { seed } = this.#pairs
    let lines = 0
    const sellers = this.#classes.map((of, i) => {
      const { period } = of
      const window = Math.floor(day / period)
      const wanted = day % period
      let first = 0
      while (first < period && this.#offset(i, window, first, period) !== wanted) first++
      const count = first >= of.count ? 0 : Math.ceil((of.count - first) / period)
      const before = lines
      lines += count * of.lines
      return { of, first, count, before }
    })
    if (weekday(day) === 0) lines = 0
    const season = 1 + 0.25 * Math.sin((day / 365.25) * 2 * Math.PI)
    return {
      lines,
      sellers,
      a: multiplier(lines, mix(seed, day, 32)),
      b: lines ? mix(seed, day, 33) % lines : 0,
      level: WEEK[weekday(day)]! * season,
    }
  }

  /** The day of a window on which a rank of a class sells. */
  #offset(index: number, window: number, rank: number, period: number): number {
    if (period === 1) return 0
    const h = mix(this.#pairs.seed, window, index, 34)
    return ((1 + (h % (period - 1))) * (rank % period) + ((h >>> 10) % period)) % period
  }

  /** The pair of a line of a day. */
  pairOfLine(plan: DemandDay, line: number): number {
    const at = (line * plan.a + plan.b) % plan.lines
    let i = plan.sellers.length - 1
    while (plan.sellers[i]!.before > at) i--
    const { of, first, before } = plan.sellers[i]!
    const seller = Math.floor((at - before) / of.lines)
    return this.#pairs.byRank[of.first + first + seller * of.period]!
  }

  /** The quantity of a line of a day, in thousandths of the base unit. */
  quantity(plan: DemandDay, day: Day, line: number, pair: number): number {
    const u = mix(this.#pairs.seed, day, line, pair) / 4294967296
    const units = Math.round(this.#mean[pair]! * plan.level * (0.4 + 1.2 * u))
    return (units < 1 ? 1 : units) * this.#milli[pair]!
  }

  /** The lines of a day for a pair. */
  linesOf(pair: number, day: Day): number[] {
    const plan = this.day(day)
    if (plan.lines === 0) return []
    const rank = this.#pairs.rankOf[pair]!
    const i = this.#classOf(rank)
    const { of, first, before } = plan.sellers[i]!
    const within = rank - of.first - first
    if (within < 0 || within % of.period !== 0) return []
    const from = before + (within / of.period) * of.lines
    return Array.from({ length: of.lines }, (_, l) => this.#lineAt(plan, from + l))
  }

  /** The inverse of the permutation in `pairOfLine`. */
  #lineAt(plan: DemandDay, at: number): number {
    const n = plan.lines
    return Number((BigInt(at - plan.b + n) * inverse(plan.a, n)) % BigInt(n))
  }

  #classOf(rank: number): number {
    let i = this.#classes.length - 1
    while (this.#classes[i]!.first > rank) i--
    return i
  }

  /** Number of sales of a pair from 1970 to a day. */
  salesUntil(pair: number, day: Day): number {
    const rank = this.#pairs.rankOf[pair]!
    const i = this.#classOf(rank)
    const { first, period } = this.#classes[i]!
    const window = Math.floor(day / period)
    return window + (day % period >= this.#offset(i, window, rank - first, period) ? 1 : 0)
  }

  /** Mean quantity per sale of a pair, in thousandths. */
  meanMilli(pair: number): number {
    return this.#mean[pair]! * this.#milli[pair]!
  }

  /** Mean daily demand of a pair, in thousandths. */
  rateMilli(pair: number): number {
    const { period, lines } = this.#classes[this.#classOf(this.#pairs.rankOf[pair]!)]!
    return (this.meanMilli(pair) * lines * 6) / 7 / period
  }
}

function inverse(a: number, n: number): bigint {
  if (n === 1) return 0n
  let [r0, r1, s0, s1] = [a, n, 1, 0]
  while (r1 !== 0) {
    const q = Math.floor(r0 / r1)
    ;[r0, r1] = [r1, r0 - q * r1]
    ;[s0, s1] = [s1, s0 - q * s1]
  }
  return BigInt(((s0 % n) + n) % n)
}
