import { contextsOf, type DemandHistory, EMPTY_CONTEXT, toEpochDay } from '../../../engine/index.ts'
import { detectPosting, detectSeriesPosting } from '../../../engine/series/find-posting.ts'
import { indexOf, nextBookedBy, postingOn } from '../../../engine/series/posting.ts'
import { contextFor } from '../../../engine/series/series-context.ts'
import { toSteps } from '../../../engine/series/steps.ts'

const AS_OF = toEpochDay('2026-11-20')
const rows = (entries: [string, number][]) => ({
  days: Int32Array.from(entries, ([date]) => toEpochDay(date)),
  quantities: Float64Array.from(entries, ([, quantity]) => quantity),
})
const on = (days: Int32Array): DemandHistory => ({
  days,
  quantities: Float64Array.from(days, () => 5),
})
const dayOf = (year: number, month: number, day: number) => Date.UTC(year, month, day) / 86_400_000
/** The same day of each month from December 2024 on; 0 is the last one. */
const monthly = (length: number, day: number) =>
  Int32Array.from({ length }, (_, i) => dayOf(2024, 11 + i, day))
const weekly = (length: number, end = AS_OF) =>
  Int32Array.from({ length }, (_, i) => end - 4 - 7 * (length - 1 - i))
/** The last Monday to Friday of each month. */
const lastWorkingDays = (length: number) =>
  monthly(length, 0).map((day) => {
    const weekday = (day + 3) % 7
    return weekday > 4 ? day - (weekday - 4) : day
  })
const unlike = (seed: number, length: number, span: number) =>
  Int32Array.from(
    new Set(
      Array.from({ length }, (_, i) => AS_OF - 1 - ((i * 7919 + seed * 104_729 + i * i) % span)),
    ),
  ).sort()

describe('the days of booking', () => {
  it.each([
    ['the first', monthly(22, 1), { every: 'month', on: 1 }],
    ['the fifteenth', monthly(22, 15), { every: 'month', on: 15 }],
    ['the last', monthly(22, 0), { every: 'month', on: 31 }],
    ['the last working day', lastWorkingDays(22), { every: 'month', on: 31 }],
    ['a weekday', weekly(20), { every: 'week', on: (AS_OF - 4) % 7 }],
  ])('are seen when they are %s', (_, days, { every, on }) => {
    expect(detectPosting(days)).toMatchObject({ every, on, until: days.at(-1) })
  })

  it('are seen when some bookings are a day or two late, and a few stray', () => {
    const late = monthly(22, 0).map((day, i) => (i % 6 === 0 ? day + 2 : day))
    expect(detectPosting(late)).toMatchObject({ every: 'month', on: 31 })
    const stray = Int32Array.of(late[3]! + 12)
    const days = Int32Array.from([...late, ...stray]).sort()
    const skus = days.map((day) => (day === stray[0] ? 1 : 200))
    expect(detectPosting(days, skus)).toMatchObject({ every: 'month', on: 31 })
  })

  it('are seen from three months on where many SKUs are booked, and on no other day', () => {
    const skus = (count: number, length: number) => new Array<number>(length).fill(count)
    for (const day of [0, 1, 15])
      expect(detectPosting(monthly(3, day), skus(10, 3))).toMatchObject({ every: 'month' })
    expect(detectPosting(lastWorkingDays(3), skus(10, 3))).toMatchObject({ on: 31 })
    expect(detectPosting(monthly(3, 1), skus(9, 3))).toBeNull()
    const sold = Int32Array.of(...monthly(3, 1), dayOf(2025, 1, 20))
    expect(detectPosting(sold.sort(), skus(10, 4))).toBeNull()
    expect(detectPosting(Int32Array.of(20_000, 20_021, 20_049), skus(10, 3))).toBeNull()
    expect(detectPosting(Int32Array.of(20_000, 20_001, 20_002), skus(10, 3))).toBeNull()
  })

  it('are not seen in daily, sparse or irregular sales', () => {
    expect(detectPosting(Int32Array.from({ length: 100 }, (_, i) => 20_000 + i))).toBeNull()
    expect(detectPosting(Int32Array.from({ length: 20 }, (_, i) => 20_000 + 31 * i))).toBeNull()
    expect(detectPosting(monthly(3, 1))).toBeNull()
    for (let seed = 0; seed < 500; seed++)
      for (const count of [6, 12, 24, 60])
        expect(detectSeriesPosting(on(unlike(seed, count, 700)), AS_OF)).toBeNull()
  })

  it('are those of late where days became months', () => {
    const days = Int32Array.from([
      ...Array.from({ length: 200 }, (_, i) => dayOf(2025, 2, 1) + i),
      ...monthly(22, 0).filter((day) => day > dayOf(2025, 2, 1) + 200),
    ])
    expect(detectPosting(days)).toMatchObject({ every: 'month', on: 31 })
  })

  it('hold a booking that is late in the period that it stands for', () => {
    const last = { every: 'month', on: 31 } as const
    const index = indexOf(last, toEpochDay('2026-10-31'))
    for (const date of ['2026-10-29', '2026-10-30', '2026-11-02', '2026-11-04', '2026-10-15'])
      expect(indexOf(last, toEpochDay(date))).toBe(index)
    expect(indexOf(last, toEpochDay('2026-11-05'))).toBe(index + 1)
    expect(postingOn(last, index)).toBe(toEpochDay('2026-10-31'))
  })
})

describe('a location', () => {
  const at = (histories: DemandHistory[]) =>
    contextsOf(
      histories.map((history) => ({ location: 'L', history })),
      AS_OF,
    ).get('L')!

  it('that mixes days, weeks and months has each series at its own', () => {
    const kinds = [on(unlike(1, 300, 400)), on(weekly(60)), on(monthly(22, 0))]
    const mixed = [0, 1, 2, 3].flatMap(() => kinds)
    const context = at(mixed)
    expect(context.posting).toBeNull()
    const found = kinds.map((history) => contextFor(history, AS_OF, context).posting?.every)
    expect(found).toEqual([undefined, 'week', 'month'])
    // Few bookings are enough where others keep to the same schedule, and on other days they are sales.
    const rare = on(monthly(22, 0).filter((_, i) => i % 9 === 0))
    expect(contextFor(rare, AS_OF, context).posting).toMatchObject({ every: 'month', on: 31 })
    expect(contextFor(on(unlike(3, 4, 400)), AS_OF, context).posting).toBeNull()
  })

  it('of monthly bookings has one series that is booked by day', () => {
    const context = at([...new Array<DemandHistory>(30).fill(on(monthly(22, 0)))])
    expect(context.posting).toMatchObject({ every: 'month' })
    const daily = on(Int32Array.from({ length: 300 }, (_, i) => AS_OF - 300 + i))
    expect(contextFor(daily, AS_OF, context).posting).toBeNull()
  })

  it('is what its source says where it says so', () => {
    const series = [{ location: 'L', history: on(monthly(22, 0)) }]
    const of = (booking: 'daily' | 'weekly') => contextsOf(series, AS_OF, booking).get('L')!
    expect(contextFor(series[0]!.history, AS_OF, of('daily')).posting).toBeNull()
    expect(of('weekly').posting).toMatchObject({ every: 'week' })
  })

  it('of daily sales has nothing new', () => {
    const context = at(Array.from({ length: 20 }, (_, i) => on(unlike(i, 40, 500))))
    expect(Object.keys(context).sort()).toEqual(Object.keys(EMPTY_CONTEXT).sort())
  })
})

describe('periods', () => {
  const posting = { every: 'month', on: 1 } as const
  const history = rows([
    ['2026-08-01', 4],
    ['2026-10-01', 6],
    ['2026-11-01', 5],
  ])
  const stepsAt = (date: string, until: string | null = null) => {
    const context = {
      ...EMPTY_CONTEXT,
      posting: { ...posting, until: until === null ? null : toEpochDay(until) },
    }
    const { values, end } = toSteps(history, toEpochDay(date), context)
    return { values: [...values], end }
  }

  it('are steps, and the one that is not booked yet is no period without demand', () => {
    expect(stepsAt('2026-11-20').values).toEqual([4, 0, 6, 5])
    expect(stepsAt('2026-11-01').values).toEqual([4, 0, 6])
    expect(stepsAt('2026-12-03').values).toEqual([4, 0, 6, 5])
    expect(stepsAt('2027-01-15').values).toEqual([4, 0, 6, 5, 0, 0])
  })

  it('end with the days that the last booking stands for', () => {
    expect(stepsAt('2026-11-20').end).toBe(toEpochDay('2026-11-01'))
    const last = { ...EMPTY_CONTEXT, posting: { every: 'month', on: 31 } as const }
    expect(toSteps(rows([['2026-10-30', 6]]), AS_OF, last).end).toBe(toEpochDay('2026-11-01'))
  })

  it('wait for a booking that nobody has made yet', () => {
    expect(stepsAt('2026-12-20', '2026-11-01').values).toEqual([4, 0, 6, 5])
    expect(stepsAt('2026-12-20', '2026-12-01').values).toEqual([4, 0, 6, 5, 0])
    expect(stepsAt('2027-02-20', '2026-11-01').values).toEqual([4, 0, 6, 5, 0, 0])
  })
})

it.each([
  ['the last day of a month', { every: 'month', on: 31 }, '2026-09-30', '2026-11-04'],
  ['booked on Friday before it', { every: 'month', on: 31 }, '2026-01-30', '2026-03-04'],
  ['booked in the month after', { every: 'month', on: 31 }, '2026-10-03', '2026-11-04'],
  ['another location books on the 20th', { every: 'month', on: 5 }, '2026-10-20', '2026-11-09'],
  ['a Friday', { every: 'week', on: 1 }, '2026-11-13', '2026-11-22'],
  ['booked on Sunday after it', { every: 'week', on: 1 }, '2026-11-15', '2026-11-22'],
] as const)('knows by when the next booking has come: %s', (_name, posting, last, by) => {
  expect(nextBookedBy(posting, toEpochDay(last))).toBe(toEpochDay(by))
})
