import { FORECAST_QUANTILES } from '../numeric/forecast-quantiles.ts'
import { pinballLoss } from '../scores.ts'
import { METHODS } from '../methods/index.ts'
import type { PastWindows } from './past-windows.ts'

const ROUNDS = 24
/** Share of the weight that every method keeps, spread evenly. */
const PRIOR = 1 / 3
const CHOSEN = 1 - PRIOR
const [P10, P50, P90] = FORECAST_QUANTILES as [number, number, number]

export const equalWeights = (): number[] => METHODS.map(() => 1 / METHODS.length)

/**
 * Weights by greedy selection with replacement (Caruana et al. 2004): round by round the method whose
 * next copy makes the mix best on the past windows; the best of the rounds counts.
 * @param from the windows that are learnt from
 */
export function greedyWeights(windows: PastWindows, from: Uint32Array): number[] {
  const copies = new Array<number>(METHODS.length).fill(0)
  const chosen = new Float64Array(3 * windows.count)
  const even = evenMix(windows)
  let best = { loss: Infinity, copies }
  for (let round = 1; round <= ROUNDS; round++) {
    const losses = METHODS.map((_, method) => lossWith(windows, from, even, chosen, method, round))
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
  { quantiles, demand, scale, width }: PastWindows,
  from: Uint32Array,
  even: Float64Array,
  chosen: Float64Array,
  method: number,
  round: number,
): number {
  let total = 0
  for (const w of from) {
    const at = 3 * w
    const copy = 3 * (w * METHODS.length + method)
    const low = PRIOR * even[at]! + (CHOSEN * (chosen[at]! + quantiles[copy]!)) / round
    const p50 = PRIOR * even[at + 1]! + (CHOSEN * (chosen[at + 1]! + quantiles[copy + 1]!)) / round
    const high = PRIOR * even[at + 2]! + (CHOSEN * (chosen[at + 2]! + quantiles[copy + 2]!)) / round
    const y = demand[w]!
    const loss =
      pinballLoss(P10, y, Math.max(0, p50 - width[w]! * (p50 - low))) +
      pinballLoss(P50, y, p50) +
      pinballLoss(P90, y, p50 + width[w]! * (high - p50))
    total += loss / scale[w]!
  }
  return total / from.length
}

function add({ count, quantiles }: PastWindows, chosen: Float64Array, method: number): void {
  for (let w = 0; w < count; w++)
    for (let j = 0; j < 3; j++)
      chosen[3 * w + j]! += quantiles[(w * METHODS.length + method) * 3 + j]!
}
