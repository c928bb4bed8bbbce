import {
  predictDemand,
  calibrate,
  type DemandHistory,
  EMPTY_CONTEXT,
  forecastPair,
  LEARNT_HORIZONS,
  toEpochDay,
} from '../../../engine/index.ts'
import { daily, noise, until } from './demand.ts'

const AS_OF = toEpochDay('2026-11-20')
const sampleOf = (histories: DemandHistory[]) =>
  histories.map((history) => ({ history, context: EMPTY_CONTEXT }))

/** Series whose level walks, so that recent days tell more than old ones. */
function walking(count: number, length = 500): DemandHistory[] {
  return Array.from({ length: count }, (_, seed) => {
    const random = noise(seed + 1)
    let level = 20
    return until(
      AS_OF,
      daily(length, () => {
        level = Math.max(1, level * (1 + 0.12 * (random() - 0.5)))
        return Math.round(level * (0.6 + 0.8 * random()))
      }),
    )
  })
}

describe('calibrate', () => {
  const histories = walking(40)
  const calibration = calibrate(sampleOf(histories), AS_OF)!

  it('weighs the methods by horizon, none of them away', () => {
    expect(calibration.buckets).toHaveLength(LEARNT_HORIZONS.length)
    for (const { weights, windows } of calibration.buckets) {
      expect(windows).toBeGreaterThan(150)
      expect(weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 3)
      expect(Math.min(...weights)).toBeGreaterThan(0.03)
    }
  })

  it('does not trust what averages years where levels walk', () => {
    const weight = (method: string) =>
      calibration.buckets[0]!.weights[calibration.methods.indexOf(method)]!
    const slow = ['historical-recent', 'historical-year', 'historical-all']
    const total = slow.reduce((sum, method) => sum + weight(method), 0)
    expect(total).toBeLessThan(0.5 * (slow.length / calibration.methods.length))
  })

  it('makes forecasts better where it was learnt from', () => {
    const loss = (learnt: typeof calibration | null) =>
      walking(60).reduce((total, { days, quantities }) => {
        const asOf = AS_OF - 7
        const past = days.filter((day) => day < asOf).length
        const history = { days: days.subarray(0, past), quantities: quantities.subarray(0, past) }
        const { p50 } = predictDemand(forecastPair(history, asOf, EMPTY_CONTEXT, learnt), 7)
        return total + Math.abs(quantities.subarray(past).reduce((sum, q) => sum + q, 0) - p50)
      }, 0)
    expect(loss(calibration)).toBeLessThan(loss(null))
  })

  it('says nothing about a past that is too short', () => {
    expect(calibrate([], AS_OF)).toBeNull()
    expect(calibrate(sampleOf(walking(4)), AS_OF)).toBeNull()
    expect(calibrate(sampleOf(walking(100, 50)), AS_OF)).toBeNull()
  })

  it('keeps to the equal mix for horizons that the past does not reach', () => {
    const { buckets } = calibrate(sampleOf(walking(60, 150)), AS_OF)!
    expect(new Set(buckets[LEARNT_HORIZONS.indexOf(90)]!.weights).size).toBe(1)
    expect(new Set(buckets[0]!.weights).size).toBeGreaterThan(1)
  })

  it('reads nothing on or after the as-of date, and can be stored', () => {
    const longer = histories.map(({ days, quantities }) => ({
      days: Int32Array.from([...days, AS_OF, AS_OF + 1]),
      quantities: Float64Array.from([...quantities, 9999, 9999]),
    }))
    expect(calibrate(sampleOf(longer), AS_OF)).toEqual(calibration)
    const stored = JSON.parse(JSON.stringify(calibration)) as typeof calibration
    expect(forecastPair(histories[0]!, AS_OF, EMPTY_CONTEXT, stored)).toEqual(
      forecastPair(histories[0]!, AS_OF, EMPTY_CONTEXT, calibration),
    )
  })

  it('is passed over where it was learnt for other methods', () => {
    const foreign = { ...calibration, methods: calibration.methods.toReversed() }
    expect(forecastPair(histories[0]!, AS_OF, EMPTY_CONTEXT, foreign)).toEqual(
      forecastPair(histories[0]!, AS_OF, EMPTY_CONTEXT),
    )
  })
})
