import {
  backtestPair,
  EMPTY_CONTEXT,
  metricsOf,
  emptyBacktestScores,
  toEpochDay,
} from '../../../engine/index.ts'
import { scaleOf, DEFAULT_CASE_RULE } from '../../../engine/forecast/backtest.ts'
import { addCase, emptyScores, pinballLoss } from '../../../engine/forecast/scores.ts'
import { daily, until } from './demand.ts'

const AS_OF = toEpochDay('2026-11-20')

describe('scores', () => {
  it('charges each quantile by its level', () => {
    expect(pinballLoss(0.9, 10, 8)).toBeCloseTo(1.8)
    expect(pinballLoss(0.9, 8, 10)).toBeCloseTo(0.2)
    expect(pinballLoss(0.5, 10, 8)).toBe(1)
  })

  it('adds up to loss, coverage and bias', () => {
    const scores = emptyScores()
    addCase(scores, 10, { p10: 5, p50: 8, p90: 12 }, 2, 7)
    addCase(scores, 20, { p10: 5, p50: 10, p90: 15 }, 2, 7)
    const first = (0.1 * 5 + 0.5 * 2 + 0.1 * 2) / 3
    const second = (0.1 * 15 + 0.5 * 10 + 0.9 * 5) / 3
    const metrics = metricsOf(scores)!
    expect(metrics).toMatchObject({ cases: 2, coverage: 0.5, aboveP90: 0.5 })
    expect(metrics.scaledPinballLoss).toBeCloseTo((first + second) / 14 / 2, 12)
    expect(metrics.weightedQuantileLoss).toBeCloseTo((2 * (first + second)) / 30, 12)
    expect(metrics.bias).toBeCloseTo((18 - 30) / 30, 12)
    expect(metricsOf(emptyScores())).toBeNull()
  })

  it('is no number where there is nothing to divide by', () => {
    const [unsold, steady] = [emptyScores(), emptyScores()]
    addCase(unsold, 0, { p10: 0, p50: 1, p90: 2 }, 2, 7)
    expect(metricsOf(unsold)).toMatchObject({ weightedQuantileLoss: null, bias: null, error: null })
    addCase(steady, 35, { p10: 35, p50: 35, p90: 35 }, 0, 7)
    expect(metricsOf(steady)).toMatchObject({ scaledPinballLoss: null, bias: 0, coverage: 1 })
  })
})

describe('a backtest', () => {
  const history = until(
    AS_OF,
    daily(200, (day) => (day % 2 ? 4 : 0)),
  )

  it('scores a series that has enough sales by then, and no other', () => {
    expect(scaleOf(history, AS_OF, DEFAULT_CASE_RULE)).toBeCloseTo(4)
    expect(scaleOf(history, AS_OF - 150, DEFAULT_CASE_RULE)).toBeNull()
    expect(scaleOf(history, AS_OF + 400, DEFAULT_CASE_RULE)).toBeNull()
  })

  it('compares what was forecast then with what was sold since', () => {
    const byClass = emptyBacktestScores([7, 28])
    backtestPair(history, AS_OF - 28, { context: EMPTY_CONTEXT }, [7, 28], byClass)
    const scores = byClass.intermittent
    expect(scores.restock.map(({ cases, demand }) => [cases, demand])).toEqual([
      [1, 12],
      [1, 56],
    ])
    expect(metricsOf(scores.restock[1]!)).toMatchObject({ coverage: 1, bias: 0 })
    expect(metricsOf(scores.seasonalNaive[1]!)).toMatchObject({ coverage: 1 })
  })

  it('compares with what the history says was forecast, where it does so for every day', () => {
    const said = (day: number) => (day < AS_OF - 7 ? 3 : NaN)
    const withBaseline = { ...history, baseline: Float64Array.from(history.days, said) }
    const byClass = emptyBacktestScores([7, 28])
    backtestPair(withBaseline, AS_OF - 28, { context: EMPTY_CONTEXT }, [7, 28], byClass)
    const { baseline, restock, restockOnBaselineCases } = byClass.intermittent
    expect(
      baseline.map(({ cases, demand, median, error }) => [cases, demand, median, error]),
    ).toEqual([
      [1, 12, 21, 9],
      [0, 0, 0, 0],
    ])
    expect(restockOnBaselineCases[0]).toEqual(restock[0])
    expect(restockOnBaselineCases[1]!.cases).toBe(0)
  })
})
