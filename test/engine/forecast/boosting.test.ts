import { binOf, edgesOf } from '../../../engine/forecast/boosting/bins.ts'
import { growTrees, treesValue } from '../../../engine/forecast/boosting/trees.ts'
import {
  predictDemand,
  calibrate,
  type DemandHistory,
  EMPTY_CONTEXT,
  forecastPair,
  toEpochDay,
} from '../../../engine/index.ts'
import { forecasterConformance } from '../../conformance/forecaster.ts'
import { daily, noise, until } from './demand.ts'

const AS_OF = toEpochDay('2026-11-20')
const sampleOf = (histories: DemandHistory[]) =>
  histories.map((history) => ({ history, context: EMPTY_CONTEXT }))

describe('bins', () => {
  it('hold about as many values each, and keep the unknown apart', () => {
    const edges = edgesOf(Float64Array.from({ length: 2400 }, (_, i) => (i * 7919) % 2400))
    expect(edges).toEqual(Array.from({ length: 23 }, (_, i) => 100 * (i + 1)))
    expect([NaN, -1, 99, 100, 2399].map((value) => binOf(edges, value))).toEqual([0, 1, 1, 2, 24])
  })

  it('are as many as there are values to tell apart', () => {
    expect(edgesOf(Float64Array.of(1, 1, 1, 1))).toEqual([])
    expect(edgesOf(Float64Array.of(NaN, NaN))).toEqual([])
    expect(edgesOf(Float64Array.of(0, 0, 0, 5))).toEqual([5])
  })
})

describe('trees', () => {
  const random = noise(4)
  const rows = 4000
  const column = Uint8Array.from({ length: rows }, () => Math.floor(24 * random()) + 1)
  const other = Uint8Array.from({ length: rows }, () => Math.floor(24 * random()) + 1)
  /** Noise of −1..1 around 3 where the first feature is above 12, else around 0. */
  const residual = Float64Array.from(column, (bin) => (bin > 12 ? 3 : 0) + 2 * random() - 1)
  const weight = new Float64Array(rows).fill(1)
  const lesson = { columns: [column, other], residual, weight }
  const at = (level: number, bin: number) =>
    treesValue(growTrees(lesson, level), Uint8Array.of(bin, 7))

  it.each([
    [0.1, -0.8],
    [0.5, 0],
    [0.9, 0.8],
  ])('learn the quantile at %s on both sides of a step', (level, expected) => {
    expect(Math.abs(at(level, 3) - expected)).toBeLessThan(0.25)
    expect(Math.abs(at(level, 20) - (3 + expected))).toBeLessThan(0.25)
  })

  it('are the same for the same lesson', () => {
    expect(growTrees(lesson, 0.9)).toEqual(growTrees(lesson, 0.9))
  })

  it('are the same in whatever order the rows come', () => {
    const weights = Float64Array.from(weight, () => Math.exp(6 * random()))
    const reversed = {
      columns: lesson.columns.map((each) => each.toReversed()),
      residual: residual.toReversed(),
      weight: weights.toReversed(),
    }
    expect(growTrees(reversed, 0.5)).toEqual(growTrees({ ...lesson, weight: weights }, 0.5))
  })
})

/** Demand that comes in waves of a year, whose turns the methods alone do not foresee. */
function waves(count: number, length = 1000): DemandHistory[] {
  return Array.from({ length: count }, (_, seed) => {
    const random = noise(seed + 1)
    const mean = 4 + 20 * random()
    return until(
      AS_OF,
      daily(length, (day) =>
        Math.round(
          mean * (1 + 0.7 * Math.sin((2 * Math.PI * (day - 180)) / 365)) * (0.5 + random()),
        ),
      ),
    )
  })
}

describe('a boosted forecast', () => {
  const histories = waves(30)
  const calibration = calibrate(sampleOf(histories), AS_OF)!
  const { boosting, ...unboosted } = calibration

  it('is learnt for each horizon that the past holds often enough', () => {
    expect(boosting!.horizons.map(({ horizon }) => horizon)).toEqual([7, 14, 28, 90])
    for (const { share } of boosting!.horizons) {
      expect(share).toBeGreaterThan(0.3)
      expect(share).toBeLessThan(1)
    }
    const short = calibrate(sampleOf(waves(50, 200)), AS_OF)!
    expect(short.boosting!.horizons.map(({ horizon }) => horizon)).toEqual([7, 14, 28])
  })

  it('foresees what the methods alone do not', () => {
    const day = AS_OF - 90
    const past = histories.map(({ days, quantities }) => ({
      days: days.subarray(0, days.length - 90),
      quantities: quantities.subarray(0, days.length - 90),
    }))
    const learnt = calibrate(sampleOf(past), day)!
    const error = (boosted: boolean) =>
      histories.reduce((sum, { quantities }, i) => {
        const known = boosted ? learnt : { ...learnt, boosting: undefined }
        const { p50 } = predictDemand(forecastPair(past[i]!, day, EMPTY_CONTEXT, known), 90)
        return sum + Math.abs(quantities.slice(-90).reduce((a, b) => a + b, 0) - p50)
      }, 0)
    expect(error(true)).toBeLessThan(0.8 * error(false))
  })

  it('leaves the mix alone where nothing was learnt', () => {
    const model = forecastPair(histories[0]!, AS_OF, EMPTY_CONTEXT, unboosted)
    expect(model.p50).not.toEqual(
      forecastPair(histories[0]!, AS_OF, EMPTY_CONTEXT, calibration).p50,
    )
    const none = { ...calibration, boosting: { horizons: [] } }
    expect(forecastPair(histories[0]!, AS_OF, EMPTY_CONTEXT, none)).toEqual(model)
  })

  it('is stored in less than 300,000 bytes', () => {
    expect(JSON.stringify(calibration).length).toBeLessThan(300_000)
  })

  forecasterConformance({
    name: 'the boosted engine',
    rounded: true,
    skip: { constant: 'trees know constants only from what the sample holds' },
    forecast: (history, asOf, horizons) => {
      const model = forecastPair(history, asOf, EMPTY_CONTEXT, calibration)
      return horizons.map((horizon) => {
        const { p10, p50, p90 } = predictDemand(model, horizon)
        return [p10, p50, p90]
      })
    },
  })
})

describe('a tenant whose rows are rubbish', () => {
  const odd = [NaN, Infinity, -Infinity, -5, 1e12, 1e300, 5e-324, 0.1, 1.25, 0, 3]
  /** Twenty years, one day, days out of order, and whatever an ERP may hold. */
  const tenant = Array.from({ length: 40 }, (_, seed) => {
    const random = noise(seed + 1)
    const length = [1, 40, 400, 7300][seed % 4]!
    const rows = daily(length, () => odd[Math.floor(random() * (seed % odd.length) + 1)]!)
    const { days, quantities } = until(AS_OF, rows)
    return seed % 3
      ? { days, quantities }
      : { days: days.toReversed(), quantities: quantities.toReversed() }
  })
  const calibration = calibrate(sampleOf(tenant), AS_OF)!

  it('still gets whole quantiles in order, that do not fall as the horizon grows', () => {
    expect(calibration.boosting!.horizons.length).toBeGreaterThan(0)
    expect(JSON.stringify(calibration)).not.toContain('null')
    for (const history of tenant) {
      const model = forecastPair(history, AS_OF, EMPTY_CONTEXT, calibration)
      let before = [0, 0, 0]
      for (let horizon = 1; horizon <= 90; horizon++) {
        const { p10, p50, p90 } = predictDemand(model, horizon)
        expect([p10, p50, p90].every(Number.isSafeInteger)).toBe(true)
        expect(0 <= p10 && p10 <= p50 && p50 <= p90).toBe(true)
        ;[p10, p50, p90].forEach((value, i) => expect(value).toBeGreaterThanOrEqual(before[i]!))
        before = [p10, p50, p90]
      }
    }
  })

  it('is learnt from alike in any order of its rows', () => {
    const reversed = tenant.map(({ days, quantities }) => ({
      days: days.toReversed(),
      quantities: quantities.toReversed(),
    }))
    expect(calibrate(sampleOf(reversed), AS_OF)).toEqual(calibration)
  })
})
