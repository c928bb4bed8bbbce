import {
  type DemandHistory,
  demandDistribution,
  EMPTY_CONTEXT,
  forecastPair,
  type PlannedEffect,
  PlanBook,
  type PlannedEvent,
  predictDemand,
  quantileOf,
  splitByDriver,
  toEpochDay,
} from '../../../engine/index.ts'
import { daily, noise, until } from './demand.ts'

const AS_OF = toEpochDay('2026-11-20')
const DAYS = 500

/** About 20 a day. */
function steady(seed = 1, factorOf = (_day: number) => 1): DemandHistory {
  const random = noise(seed)
  return until(
    AS_OF,
    daily(DAYS, (day) => Math.round(factorOf(day - DAYS) * (10 + 20 * random()))),
  )
}
const effect = (kind: PlannedEffect['kind'], from: number, to: number, factor: number) => ({
  ...{ kind, from: AS_OF + from, to: AS_OF + to, factor },
})
const forecast = (history: DemandHistory) => forecastPair(history, AS_OF, EMPTY_CONTEXT)
const p50 = (history: DemandHistory, horizon: number) =>
  predictDemand(forecast(history), horizon).p50

describe('what is planned of days', () => {
  const plain = steady()

  it('leaves no demand on days of a closure', () => {
    const closed = { ...plain, effects: [effect('closure', 0, 6, 0)] }
    expect(predictDemand(forecast(closed), 7)).toMatchObject({ p10: 0, p50: 0, p90: 0 })
    expect(p50(closed, 28) / p50(plain, 21)).toBeCloseTo(1, 1)
    expect(predictDemand(forecast(closed), 28).drivers).toContain('closure')
  })

  it('counts by its factor', () => {
    const more = { ...plain, effects: [effect('event', 7, 13, 3)] }
    expect(p50(more, 7)).toBe(p50(plain, 7))
    expect((p50(more, 28) - p50(plain, 28)) / (2 * p50(plain, 7))).toBeCloseTo(1, 1)
    const less = { ...plain, effects: [effect('price', 0, 89, 0.5)] }
    expect(p50(less, 28) / p50(plain, 28)).toBeCloseTo(0.5, 1)
    expect(predictDemand(forecast(less), 28).drivers).toContain('price')
  })

  it('counts together where days overlap, and nothing beside a closure', () => {
    const both = [effect('event', 0, 27, 2), effect('price', 0, 27, 0.5)]
    expect(p50({ ...plain, effects: both }, 28)).toBe(p50(plain, 28))
    const closed = [effect('event', 0, 27, 2), effect('closure', 0, 27, 0)]
    expect(p50({ ...plain, effects: closed }, 28)).toBe(0)
  })

  it('rises with the horizon, in order, with amounts that add up, and a distribution about it', () => {
    const effects = [
      effect('promotion', 0, 1, 10),
      effect('closure', 5, 9, 0),
      effect('holiday', 12, 12, 0.2),
      effect('event', 20, 40, 1.7),
    ]
    const model = forecast({ ...plain, effects })
    let before = { p10: 0, p50: 0, p90: 0 }
    for (let horizon = 1; horizon <= 90; horizon++) {
      const { p10, p50, p90 } = predictDemand(model, horizon)
      expect(p10 <= p50 && p50 <= p90).toBe(true)
      expect(p10 >= before.p10 && p50 >= before.p50 && p90 >= before.p90).toBe(true)
      before = { p10, p50, p90 }
      const parts = splitByDriver(model, horizon)
      expect(parts.reduce((sum, { amount }) => sum + amount, 0)).toBe(p50)
      expect(Math.abs(quantileOf(demandDistribution(model, horizon), 0.5) - p50)).toBeLessThan(1)
    }
    expect(splitByDriver(model, 90).map(({ code }) => code)).toEqual(
      expect.arrayContaining(['promotion', 'event', 'holiday', 'closure']),
    )
  })

  it('is taken out of the past, so that it counts once while it lasts', () => {
    const isOn = (day: number) => day >= -40
    const doubled = steady(1, (day) => (isOn(day) ? 2 : 1))
    const during = { ...doubled, effects: [effect('price', -40, 200, 2)] }
    expect(p50(during, 28) / p50(plain, 28) / 2).toBeCloseTo(1, 1)
    const over = { ...doubled, effects: [effect('event', -40, -1, 2)] }
    expect(p50(over, 28) / p50(plain, 28)).toBeCloseTo(1, 1)
    const closed = steady(1, (day) => (isOn(day) ? 0 : 1))
    const reopened = { ...closed, effects: [effect('closure', -40, -1, 0)] }
    expect(p50(reopened, 28) / p50(plain, 28)).toBeGreaterThan(0.9)
    expect(p50(closed, 28) / p50(plain, 28)).toBeLessThan(0.5)
  })

  it('is taken out of what is booked by the week or month', () => {
    for (const posting of [
      { every: 'week', on: 3 } as const,
      { every: 'month', on: 31 } as const,
    ]) {
      const context = { ...EMPTY_CONTEXT, posting }
      const p50Of = (effects: PlannedEffect[], more = 1) => {
        const first = AS_OF - 600
        const factorOf = (day: number) =>
          effects
            .filter(({ from, to }) => from <= day && day <= to)
            .reduce((product, { factor }) => product * factor, more)
        const units = new Map<number, number>()
        for (let day = first; day < AS_OF; day++) {
          const date = new Date(day * 86_400_000)
          const on =
            posting.every === 'week'
              ? day + ((posting.on - (day % 7) + 7) % 7)
              : Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0) / 86_400_000
          if (on < AS_OF) units.set(on, (units.get(on) ?? 0) + 20 * factorOf(day))
        }
        const sold = [...units].filter(([, each]) => each > 0)
        const history = {
          days: Int32Array.from(sold, ([day]) => day),
          quantities: Float64Array.from(sold, ([, each]) => each),
          effects,
        }
        return predictDemand(forecastPair(history, AS_OF, context), 28).p50
      }
      const usual = p50Of([])
      expect(usual / (28 * 20)).toBeCloseTo(1, 1)
      expect(p50Of([effect('price', -120, 200, 2)]) / usual / 2).toBeCloseTo(1, 1)
      expect(p50Of([effect('event', -100, -1, 3)]) / usual).toBeCloseTo(1, 1)
      expect(p50Of([effect('promotion', -100, -1, 3)]) / usual).toBeCloseTo(1, 1)
      expect(p50Of([effect('closure', -120, -40, 0)]) / usual).toBeCloseTo(1, 1)
    }
  })

  it('stays small as it is stored', () => {
    const effects = Array.from({ length: 60 }, (_, i) => effect('event', i, i, 1 + i / 10))
    expect(JSON.stringify(forecast({ ...plain, effects })).length).toBeLessThan(4_000)
  })
})

describe('a plan', () => {
  const NONE = { sku: '', location: '', group: '', factor: null }
  const event = (more: Partial<PlannedEvent> & Pick<PlannedEvent, 'kind'>): PlannedEvent => ({
    ...{ ...NONE, from: AS_OF, to: AS_OF + 6, ...more },
  })
  const bookOf = (events: PlannedEvent[]) =>
    new PlanBook(events, { from: AS_OF - 100, to: AS_OF + 90, promotionsUntil: AS_OF + 7 })

  it('concerns what its selectors name together', () => {
    const book = bookOf([
      event({ kind: 'closure', location: 'L1' }),
      event({ kind: 'promotion', sku: 'A' }),
      event({ kind: 'event', group: 'G', location: 'L2', factor: 2 }),
    ])
    const kindsOf = (sku: string, location: string, group?: string) => {
      const { plan, effects = [] } = book.planOf({ sku, location, group })
      return [...(plan!.length ? ['plan'] : []), ...effects.map(({ kind }) => kind)]
    }
    expect(kindsOf('A', 'L1')).toEqual(['plan', 'closure'])
    expect(kindsOf('B', 'L1', 'G')).toEqual(['closure'])
    expect(kindsOf('B', 'L2', 'G')).toEqual(['event'])
    expect(kindsOf('B', 'L2', 'H')).toEqual([])
    expect(kindsOf('A', 'L2', 'G')).toEqual(['plan', 'event'])
  })

  it('has the most specific event of a kind on a day, in any order', () => {
    const events = [
      event({ kind: 'event', factor: 2 }),
      event({ kind: 'event', sku: 'A', from: AS_OF + 2, to: AS_OF + 3, factor: 5 }),
      event({ kind: 'event', location: 'L1', factor: 3 }),
    ]
    const expected = [
      { kind: 'event', from: AS_OF, to: AS_OF + 1, factor: 3 },
      { kind: 'event', from: AS_OF + 2, to: AS_OF + 3, factor: 5 },
      { kind: 'event', from: AS_OF + 4, to: AS_OF + 6, factor: 3 },
    ]
    for (const each of [events, events.toReversed()])
      expect(bookOf(each).planOf({ sku: 'A', location: 'L1' }).effects).toEqual(expected)
  })

  it('has no promotion where a more specific one is of no effect', () => {
    const events = [
      event({ kind: 'promotion', to: AS_OF + 2 }),
      event({ kind: 'promotion', sku: 'A', from: AS_OF + 1, to: AS_OF + 1, factor: 1 }),
      event({ kind: 'promotion', from: AS_OF + 2, to: AS_OF + 2, factor: 1 }),
    ]
    const plansOf = (sku: string) => bookOf(events).planOf({ sku, location: 'L1' })
    expect([...plansOf('A').plan!]).toEqual([AS_OF, AS_OF + 2])
    expect([...plansOf('B').plan!]).toEqual([AS_OF, AS_OF + 1, AS_OF + 2])
    expect(plansOf('A').effects).toBeUndefined()
  })

  it('says of no other day whether a promotion runs than of those that a single one names', () => {
    const random = noise(5)
    const ran = (day: number) => day % 10 < 3
    const history = {
      ...until(
        AS_OF,
        daily(DAYS, (day) => Math.round((ran(day) ? 3 : 1) * (5 + 10 * random()))),
      ),
      promo: Uint8Array.from({ length: DAYS }, (_, day) => Number(ran(day))),
    }
    const options = { from: AS_OF - 100, to: AS_OF + 90, promotionsUntil: null }
    const planned = (from: number, to: number, factor: number | null = null) => {
      const single = { kind: 'promotion' as const, sku: 'A', from: AS_OF + from, to: AS_OF + to }
      const book = new PlanBook([event({ ...single, factor })], options)
      expect(book.planOf({ sku: 'B', location: 'L1' })).toEqual({})
      return { ...history, ...book.planOf({ sku: 'A', location: 'L1' }) }
    }
    const unknown = p50(history, 28)
    expect(p50(planned(60, 66), 28)).toBe(unknown)
    expect(p50(planned(0, 13), 28)).toBeGreaterThan(1.15 * unknown)
    const said = p50(planned(0, 13, 1.01), 28)
    expect(said).toBeLessThan(unknown)
    expect(said).toBeGreaterThan(p50({ ...history, plan: new Int32Array(0) }, 28))
  })

  it('knows promotions up to its last one, and expects as many as before after it', () => {
    const random = noise(5)
    const ran = (day: number) => day % 10 < 3
    const history = {
      ...until(
        AS_OF,
        daily(DAYS, (day) => Math.round((ran(day) ? 3 : 1) * (5 + 10 * random()))),
      ),
      promo: Uint8Array.from({ length: DAYS }, (_, day) => Number(ran(day))),
    }
    const none = { ...history, plan: new Int32Array(0) }
    const [never, unknown] = [p50(none, 28), p50(history, 28)]
    expect(never).toBeLessThan(0.8 * unknown)
    const week = p50({ ...none, plannedUntil: AS_OF + 7 }, 28)
    expect(week).toBeGreaterThan(never)
    expect(week).toBeLessThan(unknown)
    expect(p50({ ...none, plannedUntil: AS_OF }, 28)).toBe(unknown)
  })

  it('tells of past promotions as the history does', () => {
    const ran = (day: number) => day % 50 < 10
    const random = noise(3)
    const plain = until(
      AS_OF,
      daily(DAYS, (day) => Math.round((ran(day) ? 3 : 1) * (5 + 10 * random()))),
    )
    const past = plain.days.filter((_, day) => ran(day))
    const coming = Int32Array.from({ length: 7 }, (_, i) => AS_OF + i)
    const promo = Uint8Array.from({ length: DAYS }, (_, day) => Number(ran(day)))
    expect(forecast({ ...plain, plan: Int32Array.from([...past, ...coming]) })).toEqual(
      forecast({ ...plain, promo, plan: coming }),
    )
  })
})
