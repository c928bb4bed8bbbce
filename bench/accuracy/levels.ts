// node bench/accuracy/levels.ts: forecasts of series whose level changed a while ago, among steady ones.
import { type DemandHistory, forecastPair, predictDemand, toEpochDay } from '../../engine/index.ts'
import { originOf } from './sets.ts'
import { poisson, randomOf } from './synthetic.ts'

const END = toEpochDay('2026-11-01')
const DAYS = 700
const HORIZONS = [28, 90]
const AGES = [14, 30, 60, 90]
const CHANGES = [
  [12, 3],
  [12, 6],
  [6, 12],
  [3, 12],
] as const

function historyOf(seed: number, before: number, since: number, age: number): DemandHistory {
  const random = randomOf(seed)
  const level = (day: number) => (day >= END - age ? since : before)
  const days = Array.from({ length: DAYS }, (_, i) => END - DAYS + i)
  return {
    days: Int32Array.from(days),
    quantities: Float64Array.from(days, (day) => poisson(level(day), random)),
  }
}

const steady = Array.from({ length: 60 }, (_, i) => historyOf(i + 1, 1 + (i % 12), 0, 0))
const changed = AGES.flatMap((age, a) =>
  CHANGES.map(([before, since], c) => ({
    ...{ age, before, since },
    history: historyOf(100 + 4 * a + c, before, since, age),
  })),
)
const { context, calibration } = originOf([...steady, ...changed.map((each) => each.history)], END)
for (const { age, before, since, history } of changed) {
  const model = forecastPair(history, END, context, calibration)
  const cells = HORIZONS.map((horizon) => {
    const { p10, p50, p90, confidence } = predictDemand(model, horizon)
    return `${p10}/${p50}/${p90} (${since * horizon}) ${confidence}`
  })
  console.log(`| ${[`${before} → ${since}`, age, ...cells].join(' | ')} |`)
}
