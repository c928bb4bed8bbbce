import { Row } from '../../../adapters/sql/row.ts'

const dayOf = (cell: string, timeZone?: string) => {
  const row = new Row(new Map([['day', 'day']]), timeZone)
  row.moveTo([cell])
  return row.day('day')
}

it.each([
  ['2026-11-19 23:30:00+00', undefined, '2026-11-19'],
  ['2026-11-19 23:30:00+00', 'Europe/Berlin', '2026-11-20'],
  ['2026-11-19 22:59:59.999+00', 'Europe/Berlin', '2026-11-19'],
  ['2026-06-19 22:00:00+00', 'Europe/Berlin', '2026-06-20'],
  ['2026-10-25 22:30:00+00', 'Europe/Berlin', '2026-10-25'],
  ['2026-11-20 04:30:00+00', 'America/New_York', '2026-11-19'],
  // What `date_trunc` gives in a session whose time zone is UTC.
  ['2026-11-20 00:00:00+00', 'America/New_York', '2026-11-20'],
  // A time without a zone is the location's.
  ['2026-11-20 00:30:00', 'America/New_York', '2026-11-20'],
  ['2026-11-20', 'America/New_York', '2026-11-20'],
])('reads %s in %s as %s', (cell, timeZone, day) => {
  expect(dayOf(cell, timeZone)).toBe(day)
})
