import { EMPTY_CONTEXT, locationContext, toDate, toEpochDay } from '../../../engine/index.ts'
import { contextsOf } from '../../../engine/series/location-contexts.ts'
import { toSteps } from '../../../engine/series/steps.ts'

const AS_OF = toEpochDay('2026-11-20')
const rows = (entries: [string, number][]) => ({
  days: Int32Array.from(entries, ([date]) => toEpochDay(date)),
  quantities: Float64Array.from(entries, ([, quantity]) => quantity),
})

describe('dates', () => {
  it('are counted from 1970', () => {
    expect(toEpochDay('1970-01-01')).toBe(0)
    expect(toEpochDay('2024-02-29')).toBe(19782)
    expect(toDate(19782)).toBe('2024-02-29')
    expect(toDate(toEpochDay('1969-12-31'))).toBe('1969-12-31')
  })

  it.each(['2023-02-29', '2026-13-01', '2026-11-31', '26-11-20', '2026-11-20T00:00', '', 'today'])(
    'refuses %j',
    (text) => expect(() => toEpochDay(text)).toThrow(RangeError),
  )
})

describe('daily demand', () => {
  it('runs from the first sale to the day before the as-of date, silent days being zero', () => {
    const history = rows([
      ['2026-11-10', 0],
      ['2026-11-16', 3],
      ['2026-11-18', 2],
      ['2026-11-20', 9],
    ])
    expect([...toSteps(history, AS_OF, EMPTY_CONTEXT).values]).toEqual([3, 0, 2, 0])
  })

  it('adds up rows of one day, in any order, and leaves out what is no quantity', () => {
    const history = rows([
      ['2026-11-19', 1],
      ['2026-11-18', 2],
      ['2026-11-19', 4],
      ['2026-11-18', NaN],
      ['2026-11-18', -7],
      ['2026-11-18', Infinity],
    ])
    expect([...toSteps(history, AS_OF, EMPTY_CONTEXT).values]).toEqual([2, 5])
  })

  it('is the last two years of a longer history', () => {
    const { values } = toSteps(
      rows([
        ['2006-01-01', 5],
        ['2026-11-19', 1],
      ]),
      AS_OF,
      EMPTY_CONTEXT,
    )
    expect([values.length, values[0], values[729]]).toEqual([730, 0, 1])
  })

  it('is empty where nothing was sold before the as-of date', () => {
    expect(toSteps(rows([['2026-11-20', 5]]), AS_OF, EMPTY_CONTEXT).values).toHaveLength(0)
  })
})

describe('the context of a location', () => {
  const everyDay = (from: string, length: number, open: (day: number) => boolean) =>
    Int32Array.from({ length }, (_, i) => toEpochDay(from) + i).filter(open)
  const context = (days: Int32Array, skus = 50) =>
    locationContext({ days, sellingSkus: days.map(() => skus), rates: new Float64Array(0) })
  const sunday = (day: number) => (day + 4) % 7 === 0

  it('closed for two weeks: those days are missing, its Sundays are not', () => {
    const from = toEpochDay('2026-08-03')
    const holidays = (day: number) => day >= from && day < from + 14
    const days = everyDay('2026-01-01', 300, (day) => !sunday(day) && !holidays(day))
    const { closedDays } = context(days)
    expect(closedDays).toHaveLength(12)
    expect(closedDays.every((day) => holidays(day) && !sunday(day))).toBe(true)
  })

  it('a small shop that sells each day, closed for eight weeks: those are missing, its end is not', () => {
    const from = toEpochDay('2026-08-03')
    const days = everyDay('2026-01-01', 500, (day) => day < from || day >= from + 56)
    expect(context(days, 6)).toMatchObject({ knownUntil: null })
    expect(context(days, 6).closedDays).toHaveLength(56)
    // One SKU may have had no stock, and with many days without a sale nine of them tell nothing.
    expect(context(days, 1).closedDays).toEqual([])
    const now = everyDay(
      '2026-01-01',
      300,
      (day) => day % 3 === 0 && (day < from || day >= from + 9),
    )
    expect(context(now, 6).closedDays).toEqual([])
  })

  it('a single holiday, or a location that sells little: nothing is missing', () => {
    const holiday = toEpochDay('2026-05-01')
    const days = everyDay('2026-01-01', 300, (day) => day !== holiday)
    expect(context(days).closedDays).toEqual([])
    const sparse = everyDay('2026-01-01', 300, (day) => day % 20 === 0)
    expect(context(sparse, 1)).toMatchObject({ closedDays: [], knownUntil: null })
  })

  it('a missing day counts like the same weekday before it; after the last row nothing is known', () => {
    const closed = { ...EMPTY_CONTEXT, closedDays: [AS_OF - 3], knownUntil: AS_OF - 1 }
    const history = {
      days: Int32Array.from({ length: 17 }, (_, i) => AS_OF - 20 + i),
      quantities: Float64Array.from({ length: 17 }, (_, i) => i + 1),
    }
    const { values, end } = toSteps(history, AS_OF, closed)
    expect(end).toBe(AS_OF - 1)
    // Day −3 is missing and takes the demand of day −10; day −2 had none.
    expect([...values.slice(-3)]).toEqual([17, 11, 0])
  })

  it('its weekdays', () => {
    const days = everyDay('2026-01-01', 300, (day) => !sunday(day))
    const { weekdays } = context(days)
    expect(weekdays?.[3]).toBe(0) // 0 is a Thursday
    expect(weekdays?.[4]).toBeCloseTo(7 / 6, 1)
  })

  it('a prior from the rates of its series', () => {
    const rates = Float64Array.of(1, 2, 3, 2, 2, NaN, 0)
    const { prior } = locationContext({
      days: new Int32Array(0),
      sellingSkus: new Int32Array(0),
      rates,
    })
    expect(prior!.shape / prior!.rate).toBeCloseTo(2, 9)
  })

  it('is read from all its series, and from nothing on or after the as-of date', () => {
    const history = rows([
      ['2026-11-18', 2],
      ['2026-11-19', 3],
    ])
    const later = rows([
      ['2026-11-18', 2],
      ['2026-11-19', 3],
      ['2026-11-25', 3000],
    ])
    const of = (last: typeof history) =>
      contextsOf(
        [...new Array<typeof history>(6).fill(history), last].map((h) => ({
          location: 'L',
          history: h,
        })),
        AS_OF,
      )
    expect(of(later)).toEqual(of(history))
  })
})
