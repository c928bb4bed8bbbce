import type { Forecaster } from '../forecaster.ts'
import { writeCountQuantiles } from '../numeric/count-quantiles.ts'
import type { Series } from '../series.ts'

const CONSTANTS = [0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3]
/** A level that follows quicker than the horizon lasts is noise there. */
const QUICKEST = 3

/** Of each constant, and then of the last one again. */
const levels = new Float64Array(4 * Math.ceil(CONSTANTS.length / 4))
const squares = new Float64Array(levels.length)

/**
 * Simple exponential smoothing, its constant chosen one step ahead among those slow enough for the
 * horizon; variance of the sum as the local level model has it (Hyndman et al. 2008, 6.1).
 */
export const simpleSmoothing: Forecaster = {
  name: 'smoothing',
  forecast(series, horizons, out) {
    run(series)
    horizons.forEach((horizon, i) => {
      const best = bestFor(horizon)
      const a = CONSTANTS[best]!
      const steps = horizon - 1
      const growth = 1 + a * steps + (a * a * steps * (2 * horizon - 1)) / 6
      const variance = (squares[best]! / Math.max(1, series.length - 1)) * horizon * growth
      writeCountQuantiles(horizon * levels[best]!, variance, out, 3 * i)
    })
  },
}

function run(series: Series): void {
  for (let i = 0; i < CONSTANTS.length; i += 4) runFour(series, i)
}

const rateOf = (i: number) => CONSTANTS[Math.min(i, CONSTANTS.length - 1)]!

/** Four constants from the `i`th on side by side: each level waits for the one before it, but not for the others. */
function runFour({ values, capped, length }: Series, i: number): void {
  const [rateA, rateB, rateC, rateD] = [rateOf(i), rateOf(i + 1), rateOf(i + 2), rateOf(i + 3)]
  const first = length ? capped[0]! : 0
  let [a, b, c, d] = [first, first, first, first]
  let [sumA, sumB, sumC, sumD] = [0, 0, 0, 0]
  const averaged = Math.ceil(1 / CONSTANTS[0]!)
  for (let t = 1; t < length; t++) {
    const value = values[t]!
    const demand = capped[t]!
    const least = t < averaged ? 1 / (t + 1) : 0
    sumA += (value - a) * (value - a)
    sumB += (value - b) * (value - b)
    sumC += (value - c) * (value - c)
    sumD += (value - d) * (value - d)
    a += (rateA > least ? rateA : least) * (demand - a)
    b += (rateB > least ? rateB : least) * (demand - b)
    c += (rateC > least ? rateC : least) * (demand - c)
    d += (rateD > least ? rateD : least) * (demand - d)
  }
  levels.set([a, b, c, d], i)
  squares.set([sumA, sumB, sumC, sumD], i)
}

function bestFor(horizon: number): number {
  let best = 0
  for (let i = 1; i < CONSTANTS.length; i++)
    if (CONSTANTS[i]! * horizon <= QUICKEST && squares[i]! < squares[best]!) best = i
  return best
}
