// What a silence says: demand that has ended, a sample before it, a season, a bulk sale among few others.
import {
  contextsOf,
  demandDistribution,
  type DemandHistory,
  forecastPair,
  predictDemand,
  quantileOf,
  toDate,
  toEpochDay,
} from '../../../engine/index.ts'
import { noise } from './demand.ts'

const AS_OF = toEpochDay('2026-11-01')

function history(from: number, to: number, units: (day: number) => number): DemandHistory {
  const rows: [number, number][] = []
  for (let day = from; day < to; day++) {
    const sold = units(day)
    if (sold > 0) rows.push([AS_OF + day, sold])
  }
  return {
    days: Int32Array.from(rows, ([day]) => day),
    quantities: Float64Array.from(rows, ([, sold]) => sold),
  }
}

function usual(seed: number, level = 10) {
  const random = noise(seed)
  return () => Math.round(level * (0.5 + random()))
}

const others = Array.from({ length: 30 }, (_, i) => history(-900, 0, usual(i + 1)))
const [context] = contextsOf(
  others.map((each) => ({ location: 'L', history: each })),
  AS_OF,
).values()
const forecast = (own: DemandHistory, horizon: number) =>
  predictDemand(forecastPair(own, AS_OF, context!), horizon)

const join = (...parts: DemandHistory[]): DemandHistory => ({
  days: Int32Array.from(parts.flatMap(({ days }) => [...days])),
  quantities: Float64Array.from(parts.flatMap(({ quantities }) => [...quantities])),
})

describe('a SKU that sold each day', () => {
  it.each([
    [30, 0.25],
    [60, 0.1],
    [120, 0.1],
  ])('and is silent for %d days has next to no demand', (days, most) => {
    const { p10, p50, p90, confidence, drivers } = forecast(history(-900, -days, usual(7)), 28)
    expect(p50).toBeLessThanOrEqual(most * 280)
    expect(p10).toBe(0)
    expect(p90).toBeGreaterThan(0)
    expect(confidence).not.toBe('high')
    expect(drivers).toContain('no_recent_demand')
  })

  it.each([
    [3, 'medium'],
    [10, 'low'],
    [14, 'low'],
    [20, 'low'],
  ])('and is silent for %d days is forecast with a confidence that is %s', (days, expected) => {
    const { confidence } = forecast(history(-900, -days, usual(7)), 28)
    expect(confidence).toBe(expected)
  })

  it('has little beyond P90, and less the longer it is silent', () => {
    const far = (days: number) => {
      const model = forecastPair(history(-900, -days, usual(7)), AS_OF, context!)
      return quantileOf(demandDistribution(model, 28), 0.98)
    }
    // 280 are usual in 28 days; with 28 days of silence it was 1,974.
    for (const days of [24, 27]) expect(far(days)).toBeLessThan(500)
    for (const days of [28, 30, 35]) expect(far(days)).toBeLessThan(280)
    expect(far(120)).toBeLessThan(28)
    expect(far(400)).toBeLessThan(14)
  })

  it('and is silent for three days goes on', () => {
    expect(forecast(history(-900, -3, usual(7)), 28).p50).toBeGreaterThan(180)
  })

  it('now and then goes on after a silence like others before', () => {
    const rare = history(-900, -70, (day) => (day % 45 === 0 ? 4 : 0))
    expect(forecast(rare, 90).p50).toBeGreaterThan(0)
    expect(forecast(rare, 90).drivers).not.toContain('no_recent_demand')
  })
})

describe('a SKU that sold once', () => {
  it.each([17, 106, 260])('%d days ago is a count, beyond P90 too', (days) => {
    const pool = Array.from({ length: 40 }, (_, i) => {
      const random = noise(i + 1)
      return history(-700, 0, () => (random() < 0.02 ? 1 : 0))
    })
    const [slow] = contextsOf(
      pool.map((each) => ({ location: 'L', history: each })),
      AS_OF,
    ).values()
    const model = forecastPair(
      history(-days, 1 - days, () => 1),
      AS_OF,
      slow!,
    )
    const far = (horizon: number) => quantileOf(demandDistribution(model, horizon), 0.98)
    // In the mean a third of a unit is wanted in 14 days; it was 8.8.
    expect(far(14)).toBeLessThanOrEqual(3)
    expect(far(90)).toBeGreaterThanOrEqual(far(14))
    const { p50, p90 } = predictDemand(model, 14)
    expect([p50, p90]).toEqual([0, 1])
  })
})

describe('a sample long before the first sales', () => {
  const own = history(-60, 0, usual(9))
  const sample = (day: number, units: number) => history(day, day + 1, () => units)

  it('changes nothing', () => {
    for (const horizon of [28, 90])
      expect(forecast(join(sample(-300, 1), own), horizon)).toEqual(forecast(own, horizon))
  })

  it('counts where it is no small part of demand, or not long before', () => {
    expect(forecast(join(sample(-300, 300), own), 28)).not.toEqual(forecast(own, 28))
    expect(forecast(join(sample(-75, 5), own), 28)).not.toEqual(forecast(own, 28))
  })
})

describe('an article of five weeks a year', () => {
  /** From the 40th day after the as-of date on, and a year before. */
  const article = history(-1000, 0, (day) => {
    const at = (((day - 40) % 364) + 364) % 364
    return at < 35 ? 20 : 0
  })

  it('is expected when its time comes, and before and after it is not', () => {
    expect(forecast(article, 28).p50).toBe(0)
    const { p50, p90, drivers } = forecast(article, 90)
    expect(p50).toBeGreaterThan(500)
    expect(p90).toBeGreaterThan(700)
    expect(drivers).toContain('annual_seasonality')
  })

  /** So many of it on a day beside one a day all year. */
  const beside = (base: number, size: (day: number) => number = () => 20) =>
    history(-1000, 0, (day) => base + ((((day - 40) % 364) + 364) % 364 < 35 ? size(day) : 0))

  it.each([0, 1, 2])('with %d a day all year', (base) => {
    const { p10, p50, p90 } = forecast(beside(base), 90)
    const comes = 700 + 90 * base
    expect(Math.abs(p50 / comes - 1)).toBeLessThan(0.15)
    expect([p10 < comes, p90 > comes]).toEqual([true, true])
    const rest = forecast(beside(base), 28)
    expect(Math.abs(rest.p50 - 28 * base)).toBeLessThanOrEqual(14)
  })

  it('whose season has begun and is half as large again', () => {
    const begun = (now: number) =>
      history(-1000, 0, (day) => ((day + 3 * 364 + 56) % 364 < 77 ? (day > -90 ? now : 20) : 0))
    const [usually, more] = [forecast(begun(20), 14), forecast(begun(30), 14)]
    expect(usually.p50).toBeGreaterThan(250)
    expect(more.p50 / usually.p50).toBeGreaterThan(1.15)
    expect(more.p50 / usually.p50).toBeLessThan(1.5)
  })

  it('ends on its day, where it did so in both years', () => {
    const random = noise(9)
    const summer = history(-1000, 0, (day) => {
      const date = toDate(AS_OF + day).slice(5)
      return Math.round(2 * random()) + ('08-01' <= date && date <= '11-06' ? 20 : 0)
    })
    expect(Math.abs(forecast(summer, 7).p50 - 127)).toBeLessThan(13)
    expect(Math.abs(forecast(summer, 14).p50 - 134)).toBeLessThan(13)
  })

  it('may have ended, where the little that it sells all year no longer comes', () => {
    const random = noise(7)
    const gone = history(-1000, -60, (day) =>
      (day + 3 * 364 - 40) % 364 < 35 ? 20 : Math.round(random()),
    )
    const { p10, p50, drivers } = forecast(gone, 90)
    expect(p10).toBe(0)
    expect(p50).toBeLessThan(450)
    expect(drivers).toContain('no_recent_demand')
  })

  it('grows with what it sells beside its season', () => {
    const of = (now: number) =>
      history(-1000, 0, (day) => ((day + 3 * 364 - 40) % 364 < 35 ? 40 : day >= -200 ? now : 2))
    expect(forecast(of(4), 90).p50 / forecast(of(2), 90).p50).toBeGreaterThan(1.2)
  })

  it('is no SKU that is booked once a quarter', () => {
    const quarterly = history(-1000, 0, (day) => (day % 91 === 0 ? 300 : 0))
    expect(forecast(quarterly, 90).drivers).not.toContain('annual_seasonality')
  })
})

describe('an article of a feast that moves', () => {
  const feasts = {
    Easter: ['2024-03-31', '2025-04-20', '2026-04-05'],
    Ramadan: ['2024-03-11', '2025-03-01', '2026-02-18'],
  }

  it.each(Object.entries(feasts))('comes with %s', (_name, days) => {
    const asOf = toEpochDay(days[2]!) - 28
    const before = (day: number) =>
      days.some((feast) => {
        const left = toEpochDay(feast) - day
        return left > 0 && left <= 28
      })
    const rows = Array.from({ length: 1000 }, (_, i) => asOf - 1000 + i)
    const article = {
      days: Int32Array.from(rows),
      quantities: Float64Array.from(rows, (day) => (before(day) ? 12 : 1)),
    }
    const theirs = contextsOf(
      others.map((each) => ({
        location: 'L',
        history: { ...each, days: each.days.map((day) => day - AS_OF + asOf) },
      })),
      asOf,
    )
    const told = (horizon: number) =>
      predictDemand(forecastPair(article, asOf, theirs.get('L')!), horizon)
    expect(Math.abs(told(28).p50 / 336 - 1)).toBeLessThan(0.15)
    expect(Math.abs(told(90).p50 / 398 - 1)).toBeLessThan(0.15)
  })
})

it('a bulk sale among few others is cut off, and said', () => {
  const rare = history(-730, 0, (day) => (day === -41 ? 100 : day % 73 === 0 ? 1 : 0))
  expect(forecast(rare, 90).p50).toBeLessThanOrEqual(3)
  expect(forecast(rare, 28).drivers).toContain('outlier_removed')
})

describe('a row a hundred times too large', () => {
  it.each([-400, -150, -21])('%d days ago hardly moves the forecast', (when) => {
    const usually = usual(11)
    const clean = history(-500, 0, usually)
    const slip: DemandHistory = {
      days: clean.days,
      quantities: clean.quantities.map((sold, i) => (clean.days[i] === AS_OF + when ? 1000 : sold)),
    }
    for (const horizon of [7, 28, 90]) {
      const [right, told] = [forecast(clean, horizon), forecast(slip, horizon)]
      expect(Math.abs(told.p50 / right.p50 - 1)).toBeLessThan(0.05)
      expect(Math.abs(told.p10 / right.p10 - 1)).toBeLessThan(0.3)
      expect(Math.abs(told.p90 / right.p90 - 1)).toBeLessThan(0.3)
    }
  })
})
