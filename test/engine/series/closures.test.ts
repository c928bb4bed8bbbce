// Closures of whole locations that come again every year.
import {
  contextsOf,
  type DemandHistory,
  forecastPair,
  predictDemand,
  toDate,
  toEpochDay,
} from '../../../engine/index.ts'
import { withoutClosures, yearlyClosures } from '../../../engine/series/closed-days.ts'
import { withLearnt } from '../../../engine/series/holidays.ts'

const AS_OF = toEpochDay('2026-07-20')

const days = (from: string, count: number) =>
  Array.from({ length: count }, (_, i) => toEpochDay(from) + i)
const told = (...runs: number[][]) =>
  yearlyClosures(runs.flat(), AS_OF, AS_OF - 1).map(({ kind, from, to, factor }) => {
    expect([kind, factor]).toEqual(['closure', 0])
    return [toDate(from), toDate(to)]
  })

describe('closures of every year', () => {
  it('come on the same days of the calendar, or in the same week', () => {
    const byDate = [days('2024-08-01', 21), days('2025-08-01', 21)]
    expect(told(...byDate)).toEqual([['2026-08-01', '2026-08-21']])
    const byWeek = [days('2024-08-05', 14), days('2025-08-04', 14)]
    expect(told(...byWeek)).toEqual([['2026-08-03', '2026-08-16']])
    const both = [...byDate, days('2024-12-24', 9), days('2025-12-24', 12)].sort(
      (a, b) => a[0]! - b[0]!,
    )
    expect(told(...both)).toEqual([
      ['2026-08-01', '2026-08-21'],
      ['2026-12-24', '2027-01-01'],
    ])
  })

  it('are found where the location is never open on Sundays', () => {
    const open = (run: number[]) => run.filter((day) => new Date(day * 864e5).getUTCDay())
    expect(told(open(days('2024-08-05', 21)), open(days('2025-08-04', 21)))).toEqual([
      ['2026-08-03', '2026-08-22'],
    ])
  })

  it('are none that were there once, at another time, or for much longer', () => {
    expect(told(days('2025-08-01', 21))).toEqual([])
    expect(told(days('2024-08-01', 21))).toEqual([])
    expect(told(days('2024-07-01', 21), days('2025-08-01', 21))).toEqual([])
    expect(told(days('2024-08-01', 8), days('2025-08-01', 21))).toEqual([])
  })

  it('go on, unless something is sold in them', () => {
    const closed = [days('2024-08-01', 21), days('2025-08-01', 21)].flat()
    const asOf = toEpochDay('2026-08-10')
    const soldOn = (date: string) =>
      yearlyClosures(closed, asOf, toEpochDay(date)).map(({ from, to }) => [
        toDate(from),
        toDate(to),
      ])
    expect(soldOn('2026-07-31')).toEqual([['2026-08-01', '2026-08-21']])
    expect(soldOn('2026-08-02')).toEqual([['2026-08-03', '2026-08-21']])
    expect(soldOn('2026-08-07')).toEqual([])
  })

  it('give way to what is planned on their days, but for a price', () => {
    const closures = [{ kind: 'closure' as const, from: AS_OF, to: AS_OF + 20, factor: 0 }]
    const event = { kind: 'event' as const, from: AS_OF + 3, to: AS_OF + 3, factor: 1 }
    expect(withLearnt({ effects: [event] }, { closures })).toEqual({ effects: [event] })
    const price = { ...event, kind: 'price' as const }
    expect(withLearnt({ effects: [price] }, { closures }).effects).toEqual([price, ...closures])
  })

  it('are no part of what goes on in a year', () => {
    const parts = new Map(Array.from({ length: 60 }, (_, day) => [day, day < 30 ? 10 : 20]))
    const closed = [28, 29, 30, 31, 32, 33, 34]
    for (const day of closed) parts.delete(day)
    const filled = withoutClosures(parts, closed)
    expect(closed.map((day) => filled.get(day))).toEqual([15, 15, 15, 15, 15, 15, 15])
    expect(withoutClosures(parts, [])).toBe(parts)
  })
})

it('a location that is closed three weeks of each August sells nothing then', () => {
  const isClosed = (day: number) => {
    const date = toDate(day).slice(5)
    return '08-01' <= date && date <= '08-21'
  }
  const rows = Array.from({ length: 1150 }, (_, i) => AS_OF - 1100 + i).filter(
    (day) => !isClosed(day),
  )
  const history: DemandHistory = {
    days: Int32Array.from(rows),
    quantities: Float64Array.from(rows, (day) => 3 + (day % 3)),
  }
  const series = Array.from({ length: 12 }, () => ({ location: 'L', history }))
  for (const [asOf, horizon, comes] of [
    [AS_OF, 28, 48],
    [AS_OF, 90, 276],
    [toEpochDay('2026-08-10'), 28, 64],
  ] as const) {
    const context = contextsOf(series, asOf).get('L')!
    const { p50, drivers } = predictDemand(forecastPair(history, asOf, context), horizon)
    expect(Math.abs(p50 / comes - 1)).toBeLessThan(0.06)
    expect(drivers).toContain('closure')
  }
})
