import {
  predictDemand,
  calibrate,
  type DemandHistory,
  splitByDriver,
  EMPTY_CONTEXT,
  forecastPair,
  toEpochDay,
} from '../../../engine/index.ts'
import { promotionFactor, promotionHabit } from '../../../engine/forecast/promotions.ts'
import { daily, noise, until } from './demand.ts'

const AS_OF = toEpochDay('2026-11-20')
const DAYS = 500
/** Ten days of promotion in fifty. */
const ran = (day: number) => day % 50 < 10

/** About 10 a day, `uplift` times as much in a promotion. */
function promoted(uplift: number, seed: number, plan?: (day: number) => boolean): DemandHistory {
  const random = noise(seed)
  const history = until(
    AS_OF,
    daily(DAYS, (day) => Math.round((ran(day) ? uplift : 1) * 10 * (0.5 + random()))),
  )
  const days = Int32Array.from({ length: 90 }, (_, i) => AS_OF + i)
  return {
    ...history,
    promo: Uint8Array.from({ length: DAYS }, (_, day) => Number(ran(day))),
    ...(plan && { plan: days.filter((day) => plan(day - AS_OF)) }),
  }
}
const forecast = (history: DemandHistory) => forecastPair(history, AS_OF, EMPTY_CONTEXT)

describe('promotions', () => {
  it('show in demand by how much they lift it', () => {
    const { quantities, promo } = promoted(3, 1)
    const habit = promotionHabit(quantities, promo!)
    expect(habit.uplift).toBeGreaterThan(2.6)
    expect(habit.uplift).toBeLessThan(3.4)
    expect(habit.share).toBeCloseTo(0.2, 1)
    expect(promotionFactor({ uplift: 3, share: 0.5, recentShare: 0 }, 1)).toBe(1.5)
    expect(promotionFactor({ uplift: 3, share: 0.5, recentShare: 0 }, NaN)).toBe(1)
  })

  it('that are planned raise the forecast to what they did before, within 15 %', () => {
    for (let seed = 1; seed <= 10; seed++) {
      const always = predictDemand(forecast(promoted(3, seed, () => true)), 28)
      const never = predictDemand(forecast(promoted(3, seed, () => false)), 28)
      expect(Math.abs(always.p50 / (28 * 30) - 1)).toBeLessThan(0.15)
      expect(Math.abs(never.p50 / (28 * 10) - 1)).toBeLessThan(0.15)
      expect(always.drivers).toContain('promotion')
      expect(never.drivers).not.toContain('promotion')
    }
  })

  it('count where they fall into the horizon', () => {
    const model = forecast(promoted(3, 1, (day) => day >= 14 && day < 28))
    expect(predictDemand(model, 7).drivers).not.toContain('promotion')
    expect(predictDemand(model, 28).drivers).toContain('promotion')
    expect(predictDemand(model, 28).p50 - predictDemand(model, 14).p50).toBeGreaterThan(
      1.5 * predictDemand(model, 14).p50,
    )
  })

  it('are not found where demand does not answer to them', () => {
    for (let seed = 1; seed <= 10; seed++) {
      const planned = forecast(promoted(1, seed, () => true))
      expect(predictDemand(planned, 28).drivers).not.toContain('promotion')
    }
  })

  it('change nothing as long as none is planned or known', () => {
    const { days, quantities } = promoted(3, 1)
    expect(forecast(promoted(3, 1))).toEqual(forecast({ days, quantities }))
  })

  it('that are marked on or after the as-of date are not read', () => {
    const known = promoted(3, 1)
    const longer = {
      days: Int32Array.from([...known.days, AS_OF, AS_OF + 1]),
      quantities: Float64Array.from([...known.quantities, 50, 50]),
      promo: Uint8Array.from([...known.promo!, 1, 1]),
    }
    expect(forecast(longer)).toEqual(forecast(known))
    expect(forecast({ ...known, plan: Int32Array.of(AS_OF + 90) })).toEqual(
      forecast({ ...known, plan: new Int32Array(0) }),
    )
  })

  it('to come are learnt from those of the past where a plan is known', () => {
    const tenant = (plan?: (day: number) => boolean) =>
      Array.from({ length: 40 }, (_, seed) => promoted(2 + (seed % 3), seed + 1, plan))
    const sampleOf = (histories: DemandHistory[]) =>
      histories.map((history) => ({ history, context: EMPTY_CONTEXT }))
    const planned = tenant((day) => day < 7)
    const learnt = calibrate(sampleOf(planned), AS_OF)
    const model = forecastPair(planned[1]!, AS_OF, EMPTY_CONTEXT, learnt)
    expect(Math.abs(predictDemand(model, 7).p50 / (7 * 30) - 1)).toBeLessThan(0.15)
    expect(predictDemand(model, 7).drivers).toContain('promotion')
  })
})

describe('the amounts of the drivers', () => {
  it('add up to the P50 at every horizon', () => {
    const models = [
      forecast(promoted(3, 1, (day) => day < 9)),
      forecast(promoted(3, 2)),
      forecast(until(AS_OF, [3])),
      forecast(
        until(
          AS_OF,
          daily(400, (day) => (day % 7 === 3 ? 40 : 10)),
        ),
      ),
    ]
    for (const model of models)
      for (let horizon = 1; horizon <= 90; horizon++) {
        const amounts = splitByDriver(model, horizon)
        const sum = amounts.reduce((total, { amount }) => total + amount, 0)
        expect(sum).toBe(predictDemand(model, horizon).p50)
      }
  })

  it('name what moved it', () => {
    const model = forecast(promoted(3, 1, (day) => day < 9))
    const promotion = splitByDriver(model, 7).find(({ code }) => code === 'promotion')!
    expect(promotion.amount).toBeGreaterThan(0.5 * 7 * 20)
  })
})
