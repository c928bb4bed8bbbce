// Days and instants in JSON: ISO 8601, or `/Date(1619222400000)/` in OData V2.
import { BadValue } from './bad-value.ts'
import { memoize } from './memoize.ts'
import type { Field } from './values.ts'

/**
 * The calendar day (`/Date()/` is read as UTC) as `YYYY-MM-DD`; null where the field is empty.
 * @throws BadValue for an invalid day
 */
export function dayOf(value: Field, field: string): string | null {
  if (value === null || value === undefined || value === '') return null
  const day = dayOrNull(value)
  if (day === null) throw new BadValue(field, 'must be a day')
  return day
}

/** Like {@link dayOf}, but null for an invalid day. */
export const dayOrNull = memoize((value: Field) => parseDay(String(value)))

const FIRST_DAY = Date.UTC(1900, 0, 1)
const AFTER_LAST_DAY = Date.UTC(10_000, 0, 1)

function parseDay(text: string): string | null {
  const ms = instantOf(text)
  if (ms === null || ms < FIRST_DAY || ms >= AFTER_LAST_DAY) return null
  const day = new Date(ms).toISOString().slice(0, 10)
  // JavaScript parses 30 February as a day in March.
  return text.startsWith('/') || text.startsWith(day) ? day : null
}

/** Milliseconds since 1970 of `/Date(1619222400000+0000)/` or an ISO instant; null for none. */
export function instantOf(value: Field): number | null {
  const text = String(value ?? '')
  const [, ms] = /^\/Date\((-?\d+)(?:[+-]\d{4})?\)\/$/.exec(text) ?? []
  const instant = ms === undefined ? Date.parse(text) : Number(ms)
  return Number.isNaN(instant) ? null : instant
}
