// Checks for the mappers of all ERPs. They throw `BadValue` for a value that cannot be stored.
import { isDemandDay, MAX_CODE_LENGTH, MAX_NAME_LENGTH } from '../records.ts'
import { BadValue } from './bad-value.ts'
import { toExact, toNumber } from './decimals.ts'
import type { Exact } from './decimals.ts'
import { truncateText } from './text.ts'
import { isTimeZone, TIME_ZONE_RULE } from '../time-zone.ts'

/** The value of a JSON field. */
export type Field = string | number | boolean | null | undefined

/** The largest quantity that can be stored. */
export const MAX_UNITS = 1e12
/** The longest duration that can be stored, in days. */
export const MAX_DAYS = 3650

export function codeOf(value: Field, field: string, maxLength = MAX_CODE_LENGTH): string {
  if (typeof value !== 'string' || !value) throw emptyValue(field)
  if (value.length > maxLength) {
    throw new BadValue(field, `must have at most ${maxLength} characters`)
  }
  return value
}

/** A code; null where the ERP has none. */
export const codeOrNull = (value: Field, field: string, maxLength?: number): string | null =>
  value === null || value === undefined || value === '' ? null : codeOf(value, field, maxLength)

/** A name, cut to the length that can be stored. */
export const nameOf = (value: Field): string | null =>
  typeof value === 'string' && value ? truncateText(value, MAX_NAME_LENGTH) : null

export function currencyOf(value: Field, field: string): string | null {
  if (!value) return null
  if (typeof value === 'string' && /^[A-Z]{3}$/.test(value)) return value
  throw new BadValue(field, 'must be an ISO 4217 code')
}

export function countryOf(value: Field, field: string): string | null {
  if (!value) return null
  if (typeof value === 'string' && /^[A-Z]{2}$/.test(value)) return value
  throw new BadValue(field, 'must be the two letters of a country, such as DE')
}

export function timeZoneOf(value: Field, field: string): string | null {
  if (!value) return null
  if (typeof value === 'string' && isTimeZone(value)) return value
  throw new BadValue(field, TIME_ZONE_RULE)
}

/** @param day `YYYY-MM-DD`; null where the ERP has none */
export function demandDayOf(day: string | null, field: string): string {
  if (day === null) throw emptyValue(field)
  if (!isDemandDay(day)) throw new BadValue(field, 'must lie between 1970 and 2199')
  return day
}

/** An exact decimal; 0 for an empty field. */
export function exactOf(value: Field, field: string): Exact {
  const found = value === null || value === undefined || value === '' ? 0n : toExact(value)
  if (found === null) throw new BadValue(field, 'must be a decimal number')
  return found
}

/** A quantity that must not be negative; 0 for an empty field. */
export function unitsOf(value: Field, field: string): Exact {
  const units = exactOf(value, field)
  if (units < 0n) throw new BadValue(field, 'must not be negative')
  return units
}

/** @throws BadValue when it is too large to be stored */
export function numberOf(value: Exact, field: string): number {
  const number = toNumber(value)
  if (Math.abs(number) > MAX_UNITS) throw new BadValue(field, `must be at most ${MAX_UNITS}`)
  return number
}

export function wholeOf(value: Field, field: string): number {
  const number = toNumber(unitsOf(value, field))
  if (!Number.isInteger(number)) throw new BadValue(field, 'must be a whole number')
  return number
}

export const emptyValue = (field: string) => new BadValue(field, 'is empty', 'missing_value')
