import { isDemandDay, MAX_CODE_LENGTH, MAX_NAME_LENGTH } from '../records.ts'
import { isTimeZone, TIME_ZONE_RULE } from '../time-zone.ts'
import { type Exact, toExact, toNumber } from './decimals.ts'
import { memoize } from './memoize.ts'

/** Why a row is invalid. */
export interface Problem {
  /** Stable and snake_case, e.g. `invalid_value`, `missing_value`. */
  code: string
  /** The invalid field, by its name in the ERP; null where the whole row is invalid. */
  target: string | null
  /** A sentence that names the field and what is allowed. */
  message: string
  /** The pair that the row is about, as far as it says. */
  about?: Subject
}

/** Empty where the row does not say. */
export interface Subject {
  sku: string
  location: string
}

/** Thrown by a mapper for a value that cannot be stored: the row is quarantined, reading continues. */
export class BadValue extends Error implements Problem {
  override name = 'BadValue'
  readonly code: string
  readonly target: string
  about?: Subject
  /** @param rule completes a sentence that begins with the field, e.g. `must not be negative` */
  constructor(field: string, rule: string, code = 'invalid_value') {
    // The stack is not used, and capturing it takes longer than reading the row.
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(`${field} ${rule}.`)
    Error.stackTraceLimit = stackTraceLimit
    this.code = code
    this.target = field
  }
}

/**
 * What a mapper found, of a row about a pair: a bad value says so from then on.
 * @throws what `map` throws
 */
export function mapAbout<T>(sku: unknown, location: unknown, map: () => T): T {
  try {
    return map()
  } catch (error) {
    if (error instanceof BadValue)
      error.about = { sku: codeText(sku), location: codeText(location) }
    throw error
  }
}

/** What is no code that could be stored is none. */
export const codeText = (value: unknown): string =>
  typeof value === 'string' && value.length <= MAX_CODE_LENGTH ? value : ''

/** @throws the error itself if it is no BadValue: reading must stop */
export function problemOf(error: unknown): BadValue {
  if (error instanceof BadValue) return error
  throw error
}

/** What `find` finds, or the bad value that keeps it from it. */
export function orBad<T>(find: () => T): T | BadValue {
  try {
    return find()
  } catch (error) {
    return problemOf(error)
  }
}

/** What a row may say besides, such as a price: nothing where its value is bad, since the rest of the row counts without. */
export function ifGood<T extends object>(find: () => T): T | Record<never, never> {
  const found = orBad(find)
  return found instanceof BadValue ? {} : found
}

/** The first `length` characters, without half an emoji at the end. */
export function truncateText(text: string, length: number): string {
  if (text.length <= length) return text
  const last = text.charCodeAt(length - 1)
  const isHalf = last >= 0xd800 && last < 0xdc00
  return text.slice(0, isHalf ? length - 1 : length)
}

// Checks for the mappers of all ERPs. They throw `BadValue` for a value that cannot be stored.

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

/** Places that are kept of binary fractions: 0.30000000000000004 is 0.3. */
const PLACES = 6

/** Like {@link exactOf}, of an ERP that keeps or writes quantities and prices as binary fractions. */
export const roundedOf = (value: Field, field: string): Exact =>
  exactOf(typeof value === 'number' ? value.toFixed(PLACES) : value, field)

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

// Days and instants in JSON: ISO 8601, or `/Date(1619222400000)/` in OData V2.

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
