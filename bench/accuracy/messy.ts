// node bench/accuracy/messy.ts: steady demand beside one row that is far too large, and beside SKUs that are older than the others.
import { type DemandHistory, forecastPair, predictDemand, toEpochDay } from '../../engine/index.ts'
import { originOf } from './sets.ts'
import { poisson, randomOf } from './synthetic.ts'

const END = toEpochDay('2026-03-02')
const HORIZONS = [7, 28, 90]
const LEVEL = 4.5

function steady(seed: number, days: number, slip?: { age: number; units: number }): DemandHistory {
  const random = randomOf(seed)
  const all = Array.from({ length: days }, (_, i) => END - days + i)
  return {
    days: Int32Array.from(all),
    quantities: Float64Array.from(all, (day) => {
      const usual = poisson(LEVEL, random)
      return slip && day === END - slip.age ? slip.units : usual
    }),
  }
}

/** Once a quarter for three years. */
const quarterly: DemandHistory = {
  days: Int32Array.from({ length: 12 }, (_, i) => END - 1060 + 91 * i),
  quantities: new Float64Array(12).fill(300),
}

function print(name: string, history: DemandHistory, others: DemandHistory[]) {
  const { context, calibration } = originOf([history, ...others], END)
  const model = forecastPair(history, END, context, calibration)
  const cells = HORIZONS.map((horizon) => {
    const { p10, p50, p90 } = predictDemand(model, horizon)
    return `${p10}/${p50}/${p90}`
  })
  console.log(`| ${[name, ...cells].join(' | ')} |`)
}

for (const units of [50, 200, 1000, 4500])
  for (const age of [20, 400])
    print(`${units} units, ${age} days ago`, steady(1, 500, { age, units }), [])

const filled = Array.from({ length: 7 }, (_, i) => steady(2 + i, 540 + 40 * i))
const atOnce = Array.from({ length: 7 }, (_, i) => steady(2 + i, 500))
print('filled step by step', steady(1, 500), filled)
print('filled step by step, one is older', steady(1, 500), [...filled, quarterly])
print('filled at once, one is older', steady(1, 500), [...atOnce, quarterly])
