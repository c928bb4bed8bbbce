import {
  type DemandHistory,
  EMPTY_CONTEXT,
  learnHorizon,
  toEpochDay,
} from '../../../engine/index.ts'
import { tailOf } from '../../../engine/forecast/tail.ts'
import { daily, noise, until } from './demand.ts'

const AS_OF = toEpochDay('2026-11-20')

/** Sum of so many exponential amounts of mean 1, which is gamma with that shape. */
function gamma(random: () => number, shape: number): number {
  let sum = 0
  for (let i = 0; i < shape; i++) sum -= Math.log(1 - random())
  return sum
}

const seriesOf = (count: number, demand: (random: () => number) => number): DemandHistory[] =>
  Array.from({ length: count }, (_, seed) => {
    const random = noise(seed + 1)
    return until(
      AS_OF,
      daily(400, () => Math.round(demand(random))),
    )
  })

const ruleOf = (horizon: number, histories: DemandHistory[]) =>
  learnHorizon(
    histories.map((history) => ({ history, context: EMPTY_CONTEXT })),
    AS_OF,
    horizon,
  ).bucket.tail!

/** Of a forecast that knows demand of mean 20 and variance 200 a day. */
const learntTail = (horizon: number, demand: (random: () => number) => number) => {
  const p90 = 20 * horizon + 1.28 * Math.sqrt(200 * horizon)
  return tailOf([ruleOf(horizon, seriesOf(150, demand))], horizon, 20 * horizon, p90)
}

const usual = (random: () => number) => 10 * gamma(random, 2)
const withBulk = (random: () => number) => usual(random) + (random() < 0.01 ? 200 : 0)

describe('the tail that the past teaches', () => {
  it.each([7, 28])(
    'is about 1 for gamma demand, and heavier with rare bulk orders, over %p days',
    (horizon) => {
      const tail = learntTail(horizon, usual)
      expect(tail).toBeGreaterThan(0.7)
      expect(tail).toBeLessThan(1.2)
      expect(learntTail(horizon, withBulk)).toBeGreaterThan(tail + 0.15)
    },
  )

  it('is kept to two and a half times the usual, however rare and large they are', () => {
    expect(learntTail(7, (random) => usual(random) + (random() < 0.005 ? 5000 : 0))).toBe(2.5)
  })

  it('is another for small series than for large ones, where only one kind has bulk orders', () => {
    const small = seriesOf(150, (random) => Math.round(usual(random) / 10))
    const rule = ruleOf(7, [...small, ...seriesOf(150, withBulk)])
    expect(tailOf([rule], 7, 140, 190)).toBeGreaterThan(tailOf([rule], 7, 14, 20) + 0.2)
  })

  it('is not guessed from a short past', () => {
    const [history] = seriesOf(1, usual)
    const learnt = learnHorizon([{ history: history!, context: EMPTY_CONTEXT }], AS_OF, 28)
    expect(learnt.bucket).not.toHaveProperty('tail')
  })

  it('goes over from one learnt horizon to the next by the logarithm of days', () => {
    const rules = [7, 28, 90].map((horizon, i) => ({
      ...{ horizon, usual: 1 + i / 2, byShape: 0, bySize: 0 },
    }))
    expect([1, 7, 14, 28, 90, 200].map((days) => tailOf(rules, days, 10, 20))).toEqual([
      1, 1, 1.25, 1.5, 2, 2,
    ])
  })
})
