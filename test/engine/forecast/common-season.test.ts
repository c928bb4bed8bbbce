// What sells together in a year is told from all locations, however demand is booked.
import {
  contextsOf,
  type DemandHistory,
  demandBetween,
  forecastPair,
  type LocationContext,
  predictDemand,
  toEpochDay,
} from '../../../engine/index.ts'
import { thinWeeks } from '../../../engine/series/activity.ts'
import { noise } from './demand.ts'

/** A Monday. */
const AS_OF = toEpochDay('2026-11-16')
const DAYS = 3 * 364
const AHEAD = 90
const YEAR = 364

interface Series {
  location: string
  /** With what is to come. */
  all: DemandHistory
}

type Season = (day: number) => number
/** Two and a half times as much for five weeks before the year's end. */
const peak: Season = (day) => {
  const at = (((day - AS_OF) % YEAR) + YEAR) % YEAR
  return at >= 7 && at < 42 ? 2.5 : 1
}
const wave =
  (by: number): Season =>
  (day) =>
    1 + 0.6 * Math.sin((2 * Math.PI * (day - AS_OF + by)) / YEAR)

function seriesOf(
  location: string,
  seed: number,
  season: Season,
  level: number,
  days = DAYS,
): Series {
  const random = noise(seed)
  const rows: [number, number][] = []
  for (let day = AS_OF - days; day < AS_OF + AHEAD; day++) {
    const units = Math.floor(level * season(day) * (0.4 + 1.2 * random()) + random())
    if (units > 0) rows.push([day, units])
  }
  return { location, all: historyOf(rows) }
}

const historyOf = (rows: [number, number][]): DemandHistory => ({
  days: Int32Array.from(rows, ([day]) => day),
  quantities: Float64Array.from(rows, ([, units]) => units),
})

const known = ({ days, quantities }: DemandHistory): DemandHistory => ({
  days: days.filter((day) => day < AS_OF),
  quantities: quantities.filter((_, i) => days[i]! < AS_OF),
})

/** Each week, Monday to Sunday, on one of its days. */
function byWeek({ days, quantities }: DemandHistory, on: number): DemandHistory {
  const weeks = new Map<number, number>()
  days.forEach((day, i) => {
    const monday = day - ((((day - AS_OF) % 7) + 7) % 7)
    weeks.set(monday + on, (weeks.get(monday + on) ?? 0) + quantities[i]!)
  })
  return historyOf([...weeks])
}

const contexts = (tenant: readonly Series[], booked = (history: DemandHistory) => history) =>
  contextsOf(
    tenant.map(({ location, all }) => ({ location, history: booked(known(all)) })),
    AS_OF,
  )

/** The P50s of some series over what came. */
function share(
  of: readonly Series[],
  all: Map<string, LocationContext>,
  horizon: number,
  booked = (history: DemandHistory) => history,
) {
  let [said, came] = [0, 0]
  for (const { location, all: history } of of) {
    const model = forecastPair(booked(known(history)), AS_OF, all.get(location)!)
    said += predictDemand(model, horizon).p50
    came += demandBetween(history, AS_OF, AS_OF + horizon)
  }
  return said / came
}

describe('shops with one SKU each', () => {
  const shops = Array.from({ length: 40 }, (_, i) => seriesOf(`S${i}`, i + 1, peak, 4))
  const sunday = (history: DemandHistory) => byWeek(history, 6)

  it.each([
    ['by day', (history: DemandHistory) => history],
    ['by week', sunday],
  ])('have the peak that all of them have, booked %s', (_, booked) => {
    const together = contexts(shops, booked)
    for (const horizon of [28, 42])
      expect(Math.abs(share(shops, together, horizon, booked) - 1)).toBeLessThan(0.22)
    const apart = new Map(
      shops.map((shop) => [shop.location, contexts([shop], booked).get(shop.location)!]),
    )
    const off = (of: typeof together) =>
      shops.reduce((sum, shop) => sum + Math.abs(Math.log(share([shop], of, 28, booked))), 0)
    expect(off(together)).toBeLessThan(0.9 * off(apart))
  })

  it('are forecast the same whatever day of the week stands for it', () => {
    const forecasts = Array.from({ length: 7 }, (_, on) => {
      const booked = (history: DemandHistory) => byWeek(history, on)
      const all = contexts(shops, booked)
      return shops.map(({ location, all: history }) => {
        const model = forecastPair(booked(known(history)), AS_OF, all.get(location)!)
        return [7, 21, 28, 90].map((horizon) => predictDemand(model, horizon))
      })
    })
    for (const each of forecasts) expect(each).toEqual(forecasts[0])
  })

  it('share it with a shop that is younger than a year', () => {
    const young = Array.from({ length: 8 }, (_, i) => seriesOf('NEW', 100 + i, peak, 4, 200))
    const all = contexts([...shops, ...young])
    expect(share(young, all, 42)).toBeGreaterThan(0.75)
    expect(share(young, contexts(young), 42)).toBeLessThan(0.65)
  })

  it('are the same in any order', () => {
    expect(new Map([...contexts(shops.toReversed())].sort())).toEqual(
      new Map([...contexts(shops)].sort()),
    )
  })
})

describe('locations whose years differ', () => {
  const [rising, falling] = [wave(0), wave(182)].map((season, s) =>
    Array.from({ length: 8 }, (_, l) =>
      Array.from({ length: 4 }, (_, i) =>
        seriesOf(`${s ? 'F' : 'R'}${l}`, 1000 * s + 10 * l + i, season, 10),
      ),
    ).flat(),
  ) as [Series[], Series[]]

  it('keep their own, since it came back', () => {
    const all = contexts([...rising, ...falling])
    expect(Math.abs(share(rising, all, 90) - 1)).toBeLessThan(0.12)
    expect(Math.abs(share(falling, all, 90) - 1)).toBeLessThan(0.12)
  })

  it('keep most of it where there are two of them', () => {
    const all = contexts([...rising.slice(0, 4), ...falling.slice(0, 4)])
    expect(Math.abs(share(rising.slice(0, 4), all, 90) - 1)).toBeLessThan(0.2)
    expect(Math.abs(share(falling.slice(0, 4), all, 90) - 1)).toBeLessThan(0.2)
  })
})

describe('an assortment that was filled step by step', () => {
  const steady: Season = () => 1
  const filled = Array.from({ length: 8 }, (_, i) =>
    seriesOf('L', 2000 + i, steady, 10, 500 + 40 * i),
  )
  const quarterly = historyOf(Array.from({ length: 12 }, (_, i) => [AS_OF - 1090 + 91 * i, 300]))
  const daily = seriesOf('L', 2100, steady, 3)

  it.each([
    ['one SKU that is booked by quarter', { location: 'L', all: quarterly }],
    ['one SKU elsewhere', { location: 'OLD', all: quarterly }],
    ['one SKU that sells each day', daily],
  ])('has no season because %s is older', (_, old) => {
    const all = contexts([...filled, old])
    for (const horizon of [28, 90])
      expect(Math.abs(share(filled, all, horizon) - 1)).toBeLessThan(0.05)
  })
})

describe('weeks of a beginning that tell nothing', () => {
  const weeksOf = (count: number, units: (week: number) => number) =>
    Array.from({ length: count }, (_, week) => units(week))
  const winter = (week: number) => (week % 52 < 39 ? 1 : 20)

  it.each([
    ['of the same all the time', 150, () => 5, 0],
    ['of what doubles each year', 200, (week: number) => 2 ** (week / 52), 0],
    ['of a winter shop that begins in spring', 150, winter, 0],
    ['of a shop closed for a quarter', 200, (week: number) => (week > 60 && week < 74 ? 0 : 5), 0],
    ['of less than a year and a quarter', 60, (week: number) => (week < 20 ? 1 : 9), 0],
  ])('are none %s', (_, count, units, thin) => {
    expect(thinWeeks(weeksOf(count, units))).toBe(thin)
  })

  it('end where the assortment comes', () => {
    const thin = thinWeeks(weeksOf(200, (week) => (week < 90 ? 1 : 9)))
    expect(thin).toBeGreaterThanOrEqual(85)
    expect(thin).toBeLessThanOrEqual(103)
  })
})
