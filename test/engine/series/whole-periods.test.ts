import { periodOrigins, toDate, toEpochDay } from '../../../engine/index.ts'

const of = (on: number, every: 'week' | 'month', last: string, periods: number[]) =>
  periodOrigins({ every, on }, toEpochDay(last), periods, 2, 1).map(({ day, horizons }) => [
    toDate(day),
    ...horizons,
  ])

it('weeks begin on the day after they are booked', () => {
  // 2026-11-16 is a Monday; 0 is Thursday.
  expect(of(4, 'week', '2026-11-16', [1, 2])).toEqual([
    ['2026-11-03', 7, 14],
    ['2026-10-27', 7, 14],
  ])
})

it('months that are booked on their last day are whole', () => {
  expect(of(31, 'month', '2026-04-30', [1, 2])).toEqual([
    ['2026-03-01', 31, 61],
    ['2026-02-01', 28, 59],
  ])
})

it('months that are booked on the first day of the next begin when they are booked', () => {
  expect(of(1, 'month', '2026-04-01', [1])).toEqual([
    ['2026-03-02', 30],
    ['2026-02-02', 27],
  ])
})
