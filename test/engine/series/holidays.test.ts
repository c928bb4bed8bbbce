import {
  contextsOf,
  EMPTY_CONTEXT,
  forecastPair,
  type Holiday,
  type LocationContext,
  predictDemand,
  splitByDriver,
  toEpochDay,
} from '../../../engine/index.ts'
import { holidayEffects, withLearnt } from '../../../engine/series/holidays.ts'
import { daily, noise, until } from '../forecast/demand.ts'

const AS_OF = toEpochDay('2026-11-20')
const DAYS = 800
/** Twelve a year: six that stand still in the location, six that nobody heeds. */
const CALENDAR: Holiday[] = Array.from({ length: 40 }, (_, i) => ({
  day: AS_OF - DAYS + 10 + 30 * i,
  name: i % 2 ? 'heeded' : 'ignored',
}))
const dayOf = (name: string) =>
  CALENDAR.find((each) => each.name === name && each.day >= AS_OF + 2)!.day

/** About a thousand a day. @param factor what a heeded holiday leaves, and what the day before it has */
function activity(factor: number, before = 1, seed = 1, spread = 0.1) {
  const random = noise(seed)
  const heeded = new Set(CALENDAR.filter(({ name }) => name === 'heeded').map(({ day }) => day))
  const values = Array.from({ length: DAYS }, (_, i) => {
    const day = AS_OF - DAYS + i
    const by = heeded.has(day) ? factor : heeded.has(day + 1) ? before : 1
    return { day, part: Math.round(1000 * by * (1 + spread * (2 * random() - 1))) }
  }).filter(({ part }) => part > 0)
  return {
    days: Int32Array.from(values, ({ day }) => day),
    parts: Float64Array.from(values, ({ part }) => part),
  }
}
const factorOn = (day: number, ...args: Parameters<typeof activity>) =>
  holidayEffects(CALENDAR, activity(...args), AS_OF).find(({ from }) => from === day)?.factor ?? 1

describe('public holidays', () => {
  it('do to days to come what each did to past ones, on the day and beside it', () => {
    expect(factorOn(dayOf('heeded'), 0)).toBe(0)
    expect(factorOn(dayOf('heeded'), 0.5)).toBeCloseTo(0.5, 1)
    expect(factorOn(dayOf('heeded') - 1, 0.5, 1.3)).toBeCloseTo(1.3, 1)
    expect(factorOn(dayOf('ignored'), 0.5)).toBeGreaterThan(0.93)
  })

  it('do nothing where the past does not tell them from other days', () => {
    const factors = Array.from({ length: 20 }, (_, seed) =>
      holidayEffects(CALENDAR, activity(1, 1, seed, 0.5), AS_OF).map(({ factor }) => factor),
    )
    expect(factors.filter((each) => each.length > 0).length).toBeLessThanOrEqual(4)
    for (const factor of factors.flat()) expect(Math.abs(factor - 1)).toBeLessThan(0.15)
    const young = { days: Int32Array.of(AS_OF - 2, AS_OF - 1), parts: Float64Array.of(5, 5) }
    expect(holidayEffects(CALENDAR, young, AS_OF)).toEqual([])
    expect(holidayEffects([], activity(0), AS_OF)).toEqual([])
  })

  it('give way to what the plan itself says of them', () => {
    const learnt = { kind: 'holiday' as const, from: AS_OF, to: AS_OF, factor: 0 }
    const said = { ...learnt, to: AS_OF + 3, factor: 1 }
    expect(withLearnt({ effects: [said] }, { holidays: [learnt] })).toEqual({ effects: [said] })
    const other = { ...said, kind: 'event' as const, factor: 2 }
    expect(withLearnt({ effects: [other] }, { holidays: [learnt] })).toEqual({
      effects: [other, learnt],
    })
  })
})

describe('a forecast at a location with public holidays', () => {
  const histories = Array.from({ length: 30 }, (_, i) => {
    const random = noise(i + 1)
    const closed = new Set(CALENDAR.filter(({ name }) => name === 'heeded').map(({ day }) => day))
    const sold = daily(DAYS, (day) =>
      closed.has(AS_OF - DAYS + day) ? 0 : Math.round(20 + 20 * random()),
    )
    return { location: 'L', history: until(AS_OF, sold) }
  })
  const contextWith = (holidays?: Holiday[]): LocationContext =>
    contextsOf(histories, AS_OF, null, holidays && (() => holidays)).get('L')!
  const { history } = histories[0]!

  it('leaves out the days on which nothing was ever sold, by name and amount', () => {
    const day = dayOf('heeded') - AS_OF + 1
    const [without, known] = [contextWith(), contextWith(CALENDAR)].map((context) =>
      forecastPair(history, AS_OF, context),
    )
    const p50 = (model: typeof known, horizon: number) => predictDemand(model!, horizon).p50
    expect(p50(known, day - 1)).toBe(p50(without, day - 1))
    expect(p50(known, day)).toBeLessThan(p50(without, day) - 20)
    const shares = splitByDriver(known!, 28)
    expect(shares.find(({ code }) => code === 'holiday')!.amount).toBeLessThan(-20)
    expect(shares.reduce((sum, { amount }) => sum + amount, 0)).toBe(p50(known, 28))
  })

  it('is the same to the bit where no holiday is known or none is heeded', () => {
    const plain = forecastPair(history, AS_OF, contextWith())
    expect(contextWith([])).toEqual(contextWith())
    const ignored = CALENDAR.filter(({ name }) => name === 'ignored')
    expect(forecastPair(history, AS_OF, contextWith(ignored))).toEqual(plain)
    expect(forecastPair(history, AS_OF, { ...EMPTY_CONTEXT, holidays: [] })).toEqual(
      forecastPair(history, AS_OF, EMPTY_CONTEXT),
    )
  })
})
