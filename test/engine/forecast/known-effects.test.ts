// What is planted into demand must come out of its forecast, within the tolerance that each case states:
// for a series by itself, and for one whose tenant has a past to learn from.
import {
  predictDemand,
  calibrate,
  type DemandHistory,
  EMPTY_CONTEXT,
  forecastPair,
  toEpochDay,
} from '../../../engine/index.ts'
import { daily, noise, until } from './demand.ts'

const AS_OF = toEpochDay('2026-11-20')
const DAYS = 600
const SERIES = 30

type Mean = (day: number) => number

function historyOf(mean: Mean, seed: number): DemandHistory {
  const random = noise(seed)
  return until(
    AS_OF,
    daily(DAYS, (day) => Math.round(mean(day) * (0.5 + random()))),
  )
}

function learn(mean: Mean) {
  const tenant = Array.from({ length: SERIES }, (_, seed) => historyOf(mean, seed + 1))
  const sample = tenant.map((history) => ({ history, context: EMPTY_CONTEXT }))
  return { tenant, learnt: calibrate(sample, AS_OF) }
}

const lessons = new Map<Mean, ReturnType<typeof learn>>()

/** P50 over many series with this mean demand, as shares of what then comes: alone, and learnt. */
function shares(mean: Mean, horizon: number): [number, number] {
  const lesson = lessons.get(mean) ?? learn(mean)
  lessons.set(mean, lesson)
  const { tenant, learnt } = lesson
  let demand = 0
  for (let day = DAYS; day < DAYS + horizon; day++) demand += SERIES * mean(day)
  return [null, learnt].map(
    (calibration) =>
      tenant.reduce(
        (sum, history) =>
          sum +
          predictDemand(forecastPair(history, AS_OF, EMPTY_CONTEXT, calibration), horizon).p50,
        0,
      ) / demand,
  ) as [number, number]
}

/** The as-of date is one of the days that sell more. */
const saturdays: Mean = (day) => ((day - DAYS) % 7 === 0 ? 60 : 20)

describe('demand with something planted', () => {
  it.each<[string, Mean, number, number, number]>([
    ['nothing', () => 20, 28, 0.03, 0.03],
    ['a level that doubled four months ago', (day) => (day < 480 ? 20 : 40), 28, 0.2, 0.1],
    ['a level that halved four months ago', (day) => (day < 480 ? 40 : 20), 28, 0.35, 0.1],
    ['a slow rise', (day) => 20 + day / 30, 28, 0.1, 0.1],
    ['a slow fall', (day) => 40 - day / 30, 28, 0.2, 0.1],
    ['a weekday of three times the others, asked for alone', saturdays, 1, 0.15, 0.15],
    ['a weekday of three times the others, with three more', saturdays, 4, 0.15, 0.15],
    ['a weekday of three times the others, in whole weeks', saturdays, 28, 0.05, 0.05],
  ])('%s comes back', (_, mean, horizon, alone, learnt) => {
    const [byItself, inTenant] = shares(mean, horizon)
    expect(Math.abs(byItself - 1)).toBeLessThan(alone)
    expect(Math.abs(inTenant - 1)).toBeLessThan(learnt)
  })
})
