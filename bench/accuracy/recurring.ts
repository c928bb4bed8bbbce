// node bench/accuracy/recurring.ts: ten a day and many more on one day of every month or every few weeks, forecast throughout the third year.
import {
  contextsOf,
  type DemandHistory,
  forecastPair,
  predictDemand,
  toDate,
  toEpochDay,
} from '../../engine/index.ts'
import { poisson, randomOf } from './synthetic.ts'

const FIRST = toEpochDay('2024-01-01')
const ORIGINS = Array.from({ length: 24 }, (_, i) => toEpochDay('2026-01-04') + 11 * i)
const HORIZONS = [7, 28, 90]
const SKUS = 3
const OTHERS = 20
const USUAL = 10
const END = ORIGINS.at(-1)! + 90

const dayOf = (day: number) => Number(toDate(day).slice(8))
const isWorking = (day: number) => ![2, 3].includes(day % 7)

function isLastWorking(day: number): boolean {
  let next = day + 1
  while (!isWorking(next)) next++
  return isWorking(day) && dayOf(next) < dayOf(day)
}

const KINDS: [name: string, isIts: (day: number) => boolean, units: number, usual?: number][] = [
  ['the first, 300', (day) => dayOf(day) === 1, 300],
  ['the first, 60', (day) => dayOf(day) === 1, 60],
  ['the last working day, 300', isLastWorking, 300],
  ['the second Tuesday, 300', (day) => day % 7 === 5 && dayOf(day) > 7 && dayOf(day) < 15, 300],
  ['the first and the 15th, 300', (day) => [1, 15].includes(dayOf(day)), 300],
  ['every second Monday, 300', (day) => day % 14 === 4, 300],
  ['every fourth Monday, 300', (day) => day % 28 === 4, 300],
  ['the first, 24, beside .6 a day', (day) => dayOf(day) === 1, 24, 0.6],
  ['the first, 24, beside .1 a day', (day) => dayOf(day) === 1, 24, 0.1],
  ['none', () => false, 0],
]

const demandOf = (seed: number, mean: (day: number) => number) => {
  const random = randomOf(seed)
  return Array.from({ length: END - FIRST }, (_, i) => poisson(mean(FIRST + i), random))
}
const known = (demand: readonly number[], asOf: number): DemandHistory => ({
  days: Int32Array.from({ length: asOf - FIRST }, (_, i) => FIRST + i),
  quantities: Float64Array.from(demand.slice(0, asOf - FIRST)),
})

const others = Array.from({ length: OTHERS }, (_, i) => demandOf(100 + i, () => 2 + (i % 7)))

KINDS.forEach(([name, isIts, units, usual = USUAL], kind) => {
  const skus = Array.from({ length: SKUS }, (_, i) =>
    demandOf(1_000 + 10 * kind + i, (day) => usual + (isIts(day) ? units : 0)),
  )
  const errors = HORIZONS.map(() => ({ off: 0, came: 0, within: 0, cases: 0 }))
  for (const asOf of ORIGINS) {
    const own = skus.map((demand) => known(demand, asOf))
    const all = [...others.map((demand) => known(demand, asOf)), ...own]
    const context = contextsOf(
      all.map((history) => ({ location: 'L', history })),
      asOf,
    ).get('L')!
    own.forEach((history, sku) => {
      const model = forecastPair(history, asOf, context)
      HORIZONS.forEach((horizon, h) => {
        const from = asOf - FIRST
        const came = skus[sku]!.slice(from, from + horizon).reduce((a, b) => a + b, 0)
        const { p10, p50, p90 } = predictDemand(model, horizon)
        const error = errors[h]!
        error.off += Math.abs(p50 - came)
        error.came += came
        error.within += Number(p10 <= came && came <= p90)
        error.cases++
      })
    })
  }
  const off = errors.map(({ off, came }) => `${Math.round((100 * off) / came)} %`)
  const held = errors.map(({ within, cases }) => `${Math.round((100 * within) / cases)} %`)
  console.log(`| ${[name, ...off, ...held].join(' | ')} |`)
})
