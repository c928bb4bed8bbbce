// Made-up companies that keep their stock by a ratio of costs, and what a year of their stock looks like.
import type { PastStock } from '../../../engine/inventory/acted-ratio.ts'

/** A pseudo-random number from 0 to 1 (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** Demand is negative binomial: its variance is `spread` times its mean. */
export interface Pair {
  daily: number
  spread: number
  leadTime: number
  review: number
  lot: number
}

export interface Company {
  /** A unit short costs as much as carrying it so many weeks. */
  weeks: number
  pairs: Pair[]
  /** How wrong it is about the demand of a pair: standard deviation of the logarithm. */
  error: number
  isLost: boolean
}

const normal = (random: () => number) =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())

/** P(D ≤ 0), P(D ≤ 1) … of so many days, until nearly 1. */
function cumulated({ daily, spread }: Pair, days: number): Float64Array {
  const mean = Math.max(1e-9, daily * days)
  const most = Math.ceil(mean + 12 * Math.sqrt(mean * spread) + 20)
  const chances = new Float64Array(most + 1)
  const size = mean / (spread - 1)
  const share = (spread - 1) / spread
  let chance = Math.exp(-size * Math.log(spread))
  let sum = 0
  for (let units = 0; units <= most; units++) {
    sum += chance
    chances[units] = Math.min(1, sum)
    chance *= (share * (size + units)) / (units + 1)
  }
  return chances
}

/** The level up to which one more unit pays, for a company that knows demand as `believed`. */
function levelOf(believed: Pair, weeks: number): number {
  const { leadTime, review, lot } = believed
  const [before, until] = [cumulated(believed, leadTime), cumulated(believed, leadTime + review)]
  const atLeast = (chances: Float64Array, units: number) =>
    units <= 0 ? 1 : 1 - (chances[units - 1] ?? 1)
  const pays = (level: number) => {
    let gain = 0
    for (let unit = 0; unit < lot; unit++) {
      const [early, late] = [atLeast(before, level + unit), atLeast(until, level + unit)]
      gain += 7 * weeks * (late - early) - review * (1 - (early + late) / 2)
    }
    return gain >= 0
  }
  let level = until.length + lot
  while (level > 0 && !pays(level)) level--
  return level
}

export function makeCompany(
  seed: number,
  weeks: number,
  size: number,
  more: Partial<Company> = {},
) {
  const random = randomOf(seed)
  const pick = <T>(of: readonly T[]) => of[Math.floor(random() * of.length)]!
  const pairs = Array.from({ length: size }, (): Pair => {
    const daily = Math.exp(Math.log(0.15) + random() * Math.log(100))
    return {
      ...{ daily, spread: 1.1 + 2 * random(), leadTime: pick([2, 5, 7, 14, 21]) },
      ...{ review: pick([1, 7, 7, 14]), lot: pick([1, 1, Math.ceil(daily * 4)]) },
    }
  })
  return { weeks, pairs, error: 0, isLost: false, ...more }
}

/** A day of one pair, for whoever writes it down. */
export interface DayOfStock {
  day: number
  sold: number
  onHand: number
  received: number
}

/** Lives through a year, after one in which it comes to its usual stock. */
export function live(
  { weeks, pairs, error, isLost }: Company,
  seed: number,
  note?: (pair: number, day: DayOfStock) => void,
): PastStock[] {
  const random = randomOf(seed)
  return pairs.map((pair, at) => {
    const believed = { ...pair, daily: pair.daily * Math.exp(error * normal(random)) }
    const level = levelOf(believed, weeks)
    const chances = cumulated(pair, 1)
    let [net, onOrder] = [level, 0]
    const due = new Map<number, number>()
    const past = { weight: 1, daysInStock: 0, stockouts: 0, shortages: 0 }
    let isEmpty = false
    let emptyDays = 0
    const close = () => {
      past.shortages += 1 - Math.exp(-pair.daily * emptyDays)
      emptyDays = 0
    }
    for (let day = -365; day < 365; day++) {
      const received = due.get(day) ?? 0
      net += received
      onOrder -= received
      if ((day + 365) % pair.review === 0) {
        const lots = Math.ceil((level - net - onOrder) / pair.lot)
        if (lots > 0) {
          due.set(day + pair.leadTime, (due.get(day + pair.leadTime) ?? 0) + lots * pair.lot)
          onOrder += lots * pair.lot
        }
      }
      const draw = random()
      let wanted = 0
      while (wanted < chances.length - 1 && draw > chances[wanted]!) wanted++
      const sold = Math.max(0, Math.min(wanted, net))
      net -= isLost ? sold : wanted
      if (day < 0) {
        isEmpty = net <= 0
        continue
      }
      note?.(at, { day, sold, onHand: Math.max(0, net), received })
      if (net > 0) {
        past.daysInStock++
        if (emptyDays) close()
      } else {
        if (!isEmpty) past.stockouts++
        if (!isEmpty || emptyDays) emptyDays++
      }
      isEmpty = net <= 0
    }
    if (emptyDays) close()
    return past
  })
}
