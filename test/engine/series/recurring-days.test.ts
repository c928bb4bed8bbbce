// Single days that come again every month or every few weeks.
import {
  contextsOf,
  type DemandHistory,
  forecastPair,
  predictDemand,
  toDate,
  toEpochDay,
} from '../../../engine/index.ts'
import { eventsOf, recurringDays } from '../../../engine/series/recurring-days.ts'
import { noise } from '../forecast/demand.ts'

const AS_OF = toEpochDay('2026-11-28')
const LENGTH = 700

const dayOf = (date: string) => Number(date.slice(8))
const isWorking = (day: number) => ![2, 3].includes(day % 7)
/** The last working day of its month. */
function isLastWorking(day: number) {
  const rest = Array.from({ length: 31 }, (_, i) => day + i + 1)
  const isIts = (other: number) => toDate(other).slice(0, 7) === toDate(day).slice(0, 7)
  return isWorking(day) && !rest.some((other) => isIts(other) && isWorking(other))
}
/** The 25th, or the last working day before one that is none. */
function isBefore25(day: number): boolean {
  if (!isWorking(day)) return false
  let next = day
  while (dayOf(toDate(next)) !== 25 && !isWorking(next + 1)) next++
  return dayOf(toDate(next)) === 25
}
/** Monday was day 4. */
const isFirstMonday = (day: number) => day % 7 === 4 && dayOf(toDate(day)) <= 7

const series = (unitsOn: (day: number) => number) =>
  Float64Array.from({ length: LENGTH }, (_, at) => unitsOn(AS_OF - LENGTH + at))
const found = (values: Float64Array, promo?: Uint8Array) =>
  recurringDays({ values, promo, end: AS_OF }, AS_OF)
const told = (values: Float64Array, weekdays?: number[]) => {
  const days = found(values)
  return (
    days &&
    eventsOf(days, AS_OF, weekdays).map(({ kind, from, to, factor }) => {
      expect([kind, to]).toEqual(['event', from])
      return [toDate(from), factor] as const
    })
  )
}

describe('a day that comes again', () => {
  it.each([
    [
      'the first',
      (day: number) => dayOf(toDate(day)) === 1,
      ['2026-12-01', '2027-01-01', '2027-02-01'],
    ],
    ['the last working day', isLastWorking, ['2026-11-30', '2026-12-31', '2027-01-29']],
    [
      'the 25th or the working day before it',
      isBefore25,
      ['2026-12-25', '2027-01-25', '2027-02-25'],
    ],
    ['each first Monday', isFirstMonday, ['2026-12-07', '2027-01-04', '2027-02-01']],
  ])('is %s', (_, isIts, days) => {
    const values = series((day) => (isIts(day) ? 60 : 2))
    expect(told(values)).toEqual(days.map((day) => [day, 30]))
    expect(new Set(found(values)!.rest)).toEqual(new Set([2]))
  })

  it('may come every two weeks instead', () => {
    const values = series((day) => (day % 14 === 4 ? 60 : 2))
    expect(told(values)!.map(([, factor]) => factor)).toEqual(Array(6).fill(30))
  })

  it('is one of two', () => {
    const values = series((day) => ([1, 15].includes(dayOf(toDate(day))) ? 60 : 2))
    expect(
      told(values)!
        .map(([day]) => day)
        .toSorted(),
    ).toEqual(['2026-12-01', '2026-12-15', '2027-01-01', '2027-01-15', '2027-02-01', '2027-02-15'])
  })

  it('counts as many days of its weekday', () => {
    const values = series((day) => (dayOf(toDate(day)) === 1 ? 70 : 7))
    // The as-of date is a Saturday, 1 December a Tuesday, 1 January a Friday, 1 February a Monday.
    expect(told(values, [0.5, 0, 2, 1.25, 1, 1.25, 1])).toEqual([
      ['2026-12-01', 8],
      ['2027-01-01', 10],
      ['2027-02-01', 5],
    ])
  })

  it('is none that was missing in some months, had a promotion, is of every size, or is one of many', () => {
    const isFirst = (day: number) => dayOf(toDate(day)) === 1
    const random = noise(5)
    expect(told(series((day) => (isFirst(day) && day % 3 ? 60 : 2)))).toBeNull()
    const values = series((day) => (isFirst(day) ? 60 : 2))
    expect(
      found(
        values,
        Uint8Array.from(values, (units) => Number(units > 50)),
      ),
    ).toBeNull()
    expect(told(series((day) => (isFirst(day) ? 10 + 2000 * random() ** 6 : 2)))).toBeNull()
    expect(told(series(() => Math.floor(20 * random() ** 8)))).toBeNull()
    expect(told(series((day) => (day % 7 === 4 ? 60 : 2)))).toBeNull()
    expect(told(series((day) => (isFirst(day) ? 60 : 0)))).toBeNull()
  })

  it('counts in the forecast of its day, and not in that of the others', () => {
    const rows = Array.from({ length: LENGTH }, (_, i) => AS_OF - LENGTH + i)
    const historyOf = (large: number): DemandHistory => ({
      days: Int32Array.from(rows),
      quantities: Float64Array.from(rows, (day) =>
        dayOf(toDate(day)) === 1 ? large : 9 + (day % 3),
      ),
    })
    const others = Array.from({ length: 12 }, () => ({ location: 'L', history: historyOf(10) }))
    const all = [...others, { location: 'L', history: historyOf(300) }]
    const context = contextsOf(all, AS_OF).get('L')!
    const model = forecastPair(historyOf(300), AS_OF, context)
    expect(predictDemand(model, 3).p50).toBeCloseTo(30, -1)
    const week = predictDemand(model, 7)
    expect(week.p10).toBeLessThan(360)
    expect(Math.abs(week.p50 - 360)).toBeLessThan(15)
    expect(week.drivers).toContain('event')
    expect(Math.abs(predictDemand(model, 28).p50 - 570)).toBeLessThan(25)
  })
})
