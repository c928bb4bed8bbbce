import type { Scores } from '../../engine/forecast/scores.ts'
import { randomOf } from './synthetic.ts'

const SAMPLES = 1000
const SIZE = 500

/**
 * The 5th and 95th percentile of our loss as a share of another method's, over random samples of the series
 * at one horizon. The spread is wide, because few series have most of the loss.
 * @param ours scores by series, then by horizon
 */
export function measureSpread(
  ours: Scores[][],
  others: Scores[][],
  horizon: number,
): [number, number] {
  const random = randomOf(1)
  const shares = new Float64Array(SAMPLES)
  for (let sample = 0; sample < SAMPLES; sample++) {
    let [own, other] = [0, 0]
    for (let i = 0; i < Math.min(SIZE, ours.length); i++) {
      const series = Math.floor(random() * ours.length)
      own += ours[series]![horizon]!.scaledLoss
      other += others[series]![horizon]!.scaledLoss
    }
    shares[sample] = own / other
  }
  shares.sort()
  return [shares[SAMPLES / 20]!, shares[SAMPLES - SAMPLES / 20]!]
}

const DRAWS = 200_000
const ALIKE = 0.03

/** Mean, 5th and 95th percentile of the loss over samples, at each horizon. */
export interface LikeSamples {
  kept: number
  mean: number[]
  low: number[]
  high: number[]
}

/**
 * Our loss on random samples on which another method's loss is within 3 % of a known value at every horizon.
 * It estimates our loss on a sample that is not available.
 * @param wanted the known loss of the other method, by horizon
 */
export function scoreLikeSamples(
  ours: Scores[][],
  others: Scores[][],
  wanted: readonly number[],
  size: number,
): LikeSamples {
  const live = ours.flatMap((scores, at) => (scores[0]!.cases ? [at] : []))
  const column = (of: Scores[][], horizon: number) =>
    Float64Array.from(live, (at) => of[at]![horizon]!.scaledLoss)
  const cases = Float64Array.from(live, (at) => ours[at]![0]!.cases)
  const own = wanted.map((_, horizon) => column(ours, horizon))
  const other = wanted.map((_, horizon) => column(others, horizon))
  const random = randomOf(2)
  const drawn = new Int32Array(size)
  const meanOf = (losses: Float64Array) => {
    let [sum, count] = [0, 0]
    for (const at of drawn) {
      sum += losses[at]!
      count += cases[at]!
    }
    return sum / count
  }
  const kept: number[][] = []
  for (let draw = 0; draw < DRAWS; draw++) {
    for (let i = 0; i < size; i++) drawn[i] = Math.floor(random() * live.length)
    const isAlike = wanted.every((loss, i) => Math.abs(meanOf(other[i]!) / loss - 1) < ALIKE)
    if (isAlike) kept.push(own.map(meanOf))
  }
  const sorted = wanted.map((_, i) => kept.map((losses) => losses[i]!).sort((a, b) => a - b))
  return {
    kept: kept.length,
    mean: sorted.map((losses) => losses.reduce((a, b) => a + b, 0) / losses.length),
    low: sorted.map((losses) => losses[Math.floor(losses.length / 20)]!),
    high: sorted.map((losses) => losses.at(-1 - Math.floor(losses.length / 20))!),
  }
}
