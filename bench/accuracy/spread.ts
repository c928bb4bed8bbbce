import type { Scores } from '../../engine/forecast/scores.ts'
import { randomOf } from './made.ts'

const SAMPLES = 1000
const SIZE = 500

/**
 * What the loss as a share of another method's would be on samples of the series, at one horizon: the 5th and
 * the 95th percentile. Few series weigh much in it.
 * @param ours by series, then by horizon
 */
export function spreadOfShare(
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
