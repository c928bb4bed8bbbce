import {
  type DemandHistory,
  EMPTY_CONTEXT,
  learnHorizon,
  toEpochDay,
} from '../../../engine/index.ts'
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

const tailOf = (horizon: number, demand: (random: () => number) => number) =>
  learnHorizon(
    seriesOf(60, demand).map((history) => ({ history, context: EMPTY_CONTEXT })),
    AS_OF,
    horizon,
  ).bucket.tail

const usual = (random: () => number) => 10 * gamma(random, 2)

describe('the tail that the past teaches', () => {
  it.each([7, 28])('is about 1 for gamma demand, over %p days', (horizon) => {
    const tail = tailOf(horizon, usual)
    expect(tail).toBeGreaterThan(0.8)
    expect(tail).toBeLessThan(1.2)
  })

  it.each([7, 28])('is heavier with rare bulk orders, over %p days', (horizon) => {
    const withBulk = (random: () => number) => usual(random) + (random() < 0.01 ? 200 : 0)
    expect(tailOf(horizon, withBulk)).toBeGreaterThan(1.3)
  })

  it('is kept to twice the usual, however rare and large they are', () => {
    expect(tailOf(7, (random) => usual(random) + (random() < 0.005 ? 5000 : 0))).toBe(2)
  })

  it('is not guessed from a short past', () => {
    const [history] = seriesOf(1, usual)
    const learnt = learnHorizon([{ history: history!, context: EMPTY_CONTEXT }], AS_OF, 28)
    expect(learnt.bucket).not.toHaveProperty('tail')
  })
})
