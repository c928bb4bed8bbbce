import { root, tailDistance, USUAL_TAIL } from './distribution.ts'
import { Z90 } from './numeric/forecast-quantiles.ts'
import { normalQuantile } from './numeric/normal.ts'
import type { HeldOut } from './boosting/train.ts'
import type { Days, Level, Units } from '../types.ts'

/**
 * How heavy the part above P90 is, the `tail` of a distribution: `usual` for a forecast of usual shape and size, more or
 * less by how far the fourth roots of P50 and P90 are apart (1: not at all), and by the logarithm of P90 a week.
 */
export interface TailRule {
  /** Days over which it was learnt; between two rules it goes over from one to the other. */
  horizon: Days
  usual: number
  byShape: number
  bySize: number
}

const USUAL_SHAPE = 0.7
const USUAL_SIZE = 3
/** Windows with more than the P90 was said, to learn one number from, and all three. */
const FEWEST = 40
const ENOUGH = 200
const BOUNDS = [0.5, 2.5] as const
/** The most that shape and size may count, either way: more is learnt by chance. */
const MOST = { usual: Infinity, byShape: 2, bySize: 0.3 }
/** Of all windows where enough of them begin at times of their own, so that a P90 that is exceeded too seldom shows … */
const OF_ALL = [0.95, 0.975, 0.99]
/** … and else of what exceeds P90, of which half, a quarter and a tenth lies beyond P95, P97.5 and P99. */
const OF_EXCESS = [0.5, 0.75, 0.9]
/** Windows of longer horizons overlap, and few stand for themselves. */
const LONGEST_OF_ALL: Days = 28
/** From P95 on a learnt tail is so much steeper: the further out, the heavier is real demand. */
export const STEEP = 1.3
const DISTANCES = [1.6448536269514722, 1.959963984540054, 2.3263478740408408].map((z) =>
  tailDistance(z, STEEP),
)

/** The `tail` of a forecast over so many days. */
export function tailOf(rules: readonly TailRule[], days: Days, p50: Units, p90: Units): number {
  const at = (rule: TailRule) => tailAt(rule, shapeOf(p50, p90), sizeOf(p90, days))
  const after = rules.findIndex(({ horizon }) => horizon >= days)
  const [below, above] = [rules[after - 1], rules[after]]
  if (!below || !above) return at(above ?? rules.at(-1)!)
  const share = Math.log(days / below.horizon) / Math.log(above.horizon / below.horizon)
  return at(below) + share * (at(above) - at(below))
}

const shapeOf = (p50: Units, p90: Units) => (p90 > 0 ? root(p50 / p90) : 1) - USUAL_SHAPE
const sizeOf = (p90: Units, days: Days) => Math.log((7 * p90) / days + 1) - USUAL_SIZE

const tailAt = ({ usual, byShape, bySize }: Coefficients, shape: number, size: number) =>
  Math.min(BOUNDS[1], Math.max(BOUNDS[0], usual + byShape * shape + bySize * size))

/** The level beyond P90 at which a tail is made to say what is known there. */
export const FAR: Level = 0.98
const FAR_DISTANCE = tailDistance(normalQuantile(FAR), STEEP)
/** The part above P90 ends there, but for rounding. */
export const NO_TAIL = 0.01

/** The `tail` with which `far` is not exceeded with the probability `FAR`, within none and the usual one. */
export function tailReaching(p50: Units, p90: Units, far: Units): number {
  const step = ((root(p90) - root(p50)) / Z90) * FAR_DISTANCE
  const wanted = root(far) - root(p90)
  return step > 0 ? Math.min(USUAL_TAIL, Math.max(NO_TAIL, wanted / step)) : NO_TAIL
}

type Coefficients = Omit<TailRule, 'horizon'>
type Coefficient = keyof Coefficients

/** By how many standard deviations of the root demand exceeded P90, or no more than 0. */
interface Excess {
  shape: number
  size: number
  excess: number
}

/**
 * Learns the tail from how far past demand was off a P90 that knew nothing of it: the rule with the least pinball loss at P95, P97.5
 * and P99, each in multiples of its distance from P90, so that none of them counts for more.
 * @returns null where too little exceeded it
 */
export function learnTail(held: HeldOut, unit: Float64Array, horizon: Days): TailRule | null {
  const excesses = excessesOf(held, unit, horizon)
  const above = excesses.filter(({ excess }) => excess > 0)
  if (above.length < FEWEST) return null
  const learnt: Coefficient[] = above.length < ENOUGH ? ['usual'] : ['usual', 'byShape', 'bySize']
  const start = { usual: 1, byShape: 0, bySize: 0 }
  if (horizon > LONGEST_OF_ALL) return { horizon, ...descend(start, learnt, above, OF_EXCESS) }
  return { horizon, ...descend(start, learnt, excesses, OF_ALL) }
}

function excessesOf(
  { windows, quantiles, demand }: HeldOut,
  unit: Float64Array,
  horizon: Days,
): Excess[] {
  const excesses: Excess[] = []
  windows.forEach((w, i) => {
    const [p50, p90] = [unit[w]! * quantiles[3 * i + 1]!, unit[w]! * quantiles[3 * i + 2]!]
    const sold = unit[w]! * demand[i]!
    const step = (root(p90) - root(p50)) / Z90
    if (!(step > 0) || p90 < 0.5) return
    const beyond = (root(sold) - root(p90)) / step
    const excess = sold > Math.round(p90) ? beyond : Math.min(0, beyond)
    excesses.push({ shape: shapeOf(p50, p90), size: sizeOf(p90, horizon), excess })
  })
  return excesses
}

/** One coefficient at a time, by smaller and smaller steps. */
function descend(
  start: Coefficients,
  names: Coefficient[],
  excesses: readonly Excess[],
  levels: readonly number[],
) {
  let best = { rule: start, loss: lossOf(start, excesses, levels) }
  for (let step = 0.4; step > 0.02; step /= 2) {
    for (let moved = true; moved;) {
      moved = false
      for (const name of names)
        for (const by of [-step, step]) {
          const rule = { ...best.rule, [name]: best.rule[name] + by }
          if (Math.abs(rule[name]) > MOST[name]) continue
          const loss = lossOf(rule, excesses, levels)
          if (!(loss < best.loss - 1e-9)) continue
          best = { rule, loss }
          moved = true
        }
    }
  }
  return best.rule
}

function lossOf(
  rule: Coefficients,
  excesses: readonly Excess[],
  levels: readonly number[],
): number {
  let loss = 0
  for (const { shape, size, excess } of excesses) {
    const tail = tailAt(rule, shape, size)
    for (let i = 0; i < levels.length; i++) {
      const error = excess / DISTANCES[i]! - tail
      loss += error > 0 ? levels[i]! * error : (levels[i]! - 1) * error
    }
  }
  return loss
}
