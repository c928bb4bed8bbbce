// node bench/accuracy/recurring.ts: ten a day and many more on one day of every month or every few weeks, forecast throughout the third year.
import { type DemandHistory, toDate, toEpochDay } from '../../engine/index.ts'
import { type Demand, makeDemand, tellYear } from './made-up-year.ts'

const FIRST = toEpochDay('2024-01-01')
const ORIGINS = Array.from({ length: 24 }, (_, i) => toEpochDay('2026-01-04') + 11 * i)
const HORIZONS = [7, 28, 90]
const SKUS = 3
const USUAL = 10
const DAYS = ORIGINS.at(-1)! + 90 - FIRST

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

const known = (demand: Demand, asOf: number): DemandHistory => ({
  days: Int32Array.from({ length: asOf - FIRST }, (_, i) => FIRST + i),
  quantities: Float64Array.from(demand.slice(0, asOf - FIRST)),
})

KINDS.forEach(([name, isIts, units, usual = USUAL], kind) => {
  const skus = Array.from({ length: SKUS }, (_, i) =>
    makeDemand(1_000 + 10 * kind + i, DAYS, (at) => usual + (isIts(FIRST + at) ? units : 0)),
  )
  const year = { first: FIRST, days: DAYS, origins: ORIGINS, horizons: HORIZONS, known }
  const [cells] = tellYear({ ...year, kinds: [skus] })
  console.log(`| ${[name, ...cells!].join(' | ')} |`)
})
