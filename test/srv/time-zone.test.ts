import { nextRun } from '../../srv/base/time/cron.ts'
import { dayIn, instantsAt, startOfDay, wallClock } from '../../srv/base/time/time-zone.ts'

const HOUR_MS = 3_600_000
const iso = (at: number | Date | null) => at && new Date(at).toISOString()

describe('the day of an instant', () => {
  it.each([
    ['America/Los_Angeles', '2026-11-27T07:59:59.999Z', '2026-11-26'],
    ['America/Los_Angeles', '2026-11-27T08:00:00.000Z', '2026-11-27'],
    ['Asia/Tokyo', '2026-11-27T14:59:59.999Z', '2026-11-27'],
    ['Asia/Tokyo', '2026-11-27T15:00:00.000Z', '2026-11-28'],
    ['Europe/Berlin', '2026-07-01T22:00:00.000Z', '2026-07-02'],
    ['Europe/Berlin', '2026-12-01T22:59:59.000Z', '2026-12-01'],
    ['UTC', '2026-11-27T23:59:59.999Z', '2026-11-27'],
    ['Pacific/Kiritimati', '2026-12-31T10:00:00.000Z', '2027-01-01'],
    ['America/Los_Angeles', '2028-03-01T07:59:00.000Z', '2028-02-29'],
    ['Asia/Tokyo', '2028-02-28T15:00:00.000Z', '2028-02-29'],
    ['Asia/Tokyo', '2028-02-29T15:00:00.000Z', '2028-03-01'],
    ['America/Los_Angeles', '1969-12-31T23:00:00.000Z', '1969-12-31'],
  ])('in %s at %s is %s', (zone, at, day) => {
    expect(dayIn(zone, new Date(at))).toBe(day)
  })

  it.each([
    ['America/Los_Angeles', '2026-03-08', 23],
    ['America/Los_Angeles', '2026-11-01', 25],
    ['Europe/Berlin', '2026-03-29', 23],
    ['Europe/Berlin', '2026-10-25', 25],
    ['Asia/Tokyo', '2026-03-29', 24],
    ['America/Santiago', '2026-09-06', 23],
  ])('in %s of %s has %i hours, all of that day', (zone, day, hours) => {
    const next = new Date(Date.parse(day) + 24 * HOUR_MS).toISOString().slice(0, 10)
    const [from, to] = [startOfDay(zone, day).getTime(), startOfDay(zone, next).getTime()]
    expect((to - from) / HOUR_MS).toBe(hours)
    for (let at = from; at < to; at += HOUR_MS / 4) expect(dayIn(zone, new Date(at))).toBe(day)
    expect(dayIn(zone, new Date(from - 1))).not.toBe(day)
    expect(dayIn(zone, new Date(to))).toBe(next)
  })
})

it('a clock shows a time twice on a day of 25 hours, and leaves one out on a day of 23', () => {
  const at = (wall: string) => instantsAt('Europe/Berlin', Date.parse(wall)).map(iso)
  expect(at('2026-10-25T02:30:00Z')).toEqual([
    '2026-10-25T00:30:00.000Z',
    '2026-10-25T01:30:00.000Z',
  ])
  expect(at('2026-03-29T02:30:00Z')).toEqual(['2026-03-29T01:30:00.000Z'])
  expect(at('2026-03-29T12:00:00Z')).toEqual(['2026-03-29T10:00:00.000Z'])
  expect(iso(wallClock('Europe/Berlin', Date.parse('2026-03-29T01:30:00Z')))).toBe(
    '2026-03-29T03:30:00.000Z',
  )
})

describe('a schedule by the clocks of a time zone', () => {
  /** All runs of the days from the first to before the last. */
  function runs(expression: string, zone: string, first: string, last: string): string[] {
    const found: string[] = []
    const end = startOfDay(zone, last).getTime()
    for (let from = startOfDay(zone, first); ;) {
      const next = nextRun(expression, from, zone)
      if (!next || next.getTime() >= end) return found
      found.push(next.toISOString())
      from = new Date(next.getTime() + 1)
    }
  }

  it.each([
    ['Europe/Berlin', '2026-03-28', ['2026-03-28T01:30', '2026-03-29T01:30', '2026-03-30T00:30']],
    ['Europe/Berlin', '2026-10-24', ['2026-10-24T00:30', '2026-10-25T00:30', '2026-10-26T01:30']],
    [
      'America/Los_Angeles',
      '2026-03-07',
      ['2026-03-07T10:30', '2026-03-08T10:30', '2026-03-09T09:30'],
    ],
    ['Asia/Tokyo', '2026-03-28', ['2026-03-27T17:30', '2026-03-28T17:30', '2026-03-29T17:30']],
  ])('at 02:30 in %s runs once a day from %s on, however long it is', (zone, first, expected) => {
    const end = new Date(Date.parse(first) + 3 * 24 * HOUR_MS).toISOString().slice(0, 10)
    expect(runs('30 2 * * *', zone, first, end)).toEqual(expected.map((at) => `${at}:00.000Z`))
  })

  it.each([
    ['2026-03-29', 23],
    ['2026-10-25', 25],
    ['2026-10-26', 24],
  ])('runs each hour of %s, %i times', (day, hours) => {
    const next = new Date(Date.parse(day) + 24 * HOUR_MS).toISOString().slice(0, 10)
    const found = runs('15 * * * *', 'Europe/Berlin', day, next)
    expect(found).toHaveLength(hours)
    const gaps = found.slice(1).map((at, i) => Date.parse(at) - Date.parse(found[i]!))
    expect(new Set(gaps)).toEqual(new Set([HOUR_MS]))
  })

  it('knows 29 February and weekdays as they are there', () => {
    const from = new Date('2026-11-27T00:00:00Z')
    expect(iso(nextRun('0 1 29 2 *', from, 'Asia/Tokyo'))).toBe('2028-02-28T16:00:00.000Z')
    // Monday in Tokyo begins on Sunday in UTC.
    expect(iso(nextRun('0 3 * * mon', from, 'Asia/Tokyo'))).toBe('2026-11-29T18:00:00.000Z')
  })

  it('of a time that is left out comes an hour later, also when asked for in between', () => {
    const asked = new Date('2026-03-29T01:10:00Z')
    expect(iso(nextRun('30 2 * * *', asked, 'Europe/Berlin'))).toBe('2026-03-29T01:30:00.000Z')
  })
})
