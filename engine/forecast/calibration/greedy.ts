import { FORECAST_QUANTILES } from '../numeric/forecast-quantiles.ts'
import { pinballLoss } from '../scores.ts'
import { METHODS } from '../methods/index.ts'
import type { PastWindows } from './past-windows.ts'

const ROUNDS = 24
/** Share of the weight that every method keeps, spread evenly. */
const PRIOR = 1 / 3

export const equalWeights = (): number[] => METHODS.map(() => 1 / METHODS.length)

/**
 * Weights by greedy selection with replacement (Caruana et al. 2004): round by round the method whose
 * next copy makes the mix best on the past windows; the best of the rounds counts.
 */
export function greedyWeights(windows: PastWindows): number[] {
  const copies = new Array<number>(METHODS.length).fill(0)
  const chosen = new Float64Array(3 * windows.count)
  const even = evenMix(windows)
  let best = { loss: Infinity, copies }
  for (let round = 1; round <= ROUNDS; round++) {
    const losses = METHODS.map((_, method) => lossWith(windows, even, chosen, method, round))
    const least = Math.min(...losses)
    const method = losses.indexOf(least)
    copies[method]!++
    add(windows, chosen, method)
    if (least < best.loss) best = { loss: least, copies: [...copies] }
  }
  const total = best.copies.reduce((sum, count) => sum + count, 0)
  return best.copies.map((count) => PRIOR / METHODS.length + ((1 - PRIOR) * count) / total)
}

function evenMix({ count, quantiles }: PastWindows): Float64Array {
  const even = new Float64Array(3 * count)
  for (let w = 0; w < count; w++)
    for (let m = 0; m < METHODS.length; m++)
      for (let j = 0; j < 3; j++)
        even[3 * w + j]! += quantiles[(w * METHODS.length + m) * 3 + j]! / METHODS.length
  return even
}

/** Mean scaled loss of the mix if `method` were chosen in this round. */
function lossWith(
  { count, quantiles, demand, scale, width }: PastWindows,
  even: Float64Array,
  chosen: Float64Array,
  method: number,
  round: number,
): number {
  const mixed = (w: number, j: number) => {
    const copy = quantiles[(w * METHODS.length + method) * 3 + j]!
    return PRIOR * even[3 * w + j]! + ((1 - PRIOR) * (chosen[3 * w + j]! + copy)) / round
  }
  let total = 0
  for (let w = 0; w < count; w++) {
    const p50 = mixed(w, 1)
    const p10 = Math.max(0, p50 - width[w]! * (p50 - mixed(w, 0)))
    const p90 = p50 + width[w]! * (mixed(w, 2) - p50)
    const y = demand[w]!
    const loss =
      pinballLoss(FORECAST_QUANTILES[0]!, y, p10) +
      pinballLoss(FORECAST_QUANTILES[1]!, y, p50) +
      pinballLoss(FORECAST_QUANTILES[2]!, y, p90)
    total += loss / scale[w]!
  }
  return total / count
}

function add({ count, quantiles }: PastWindows, chosen: Float64Array, method: number): void {
  for (let w = 0; w < count; w++)
    for (let j = 0; j < 3; j++)
      chosen[3 * w + j]! += quantiles[(w * METHODS.length + method) * 3 + j]!
}
