// Values of the wire as values of a record, for mappers. A value that is none throws `BadValue`.
import { isDemandDay, MAX_CODE_LENGTH } from '../records.ts'
import { exact, toNumber } from './decimals.ts'
import type { Exact } from './decimals.ts'
import { remembered } from './remembered.ts'

/** A row as it came: field by field, as hand-written types in rows.ts name them. */
export type Field = string | number | boolean | null | undefined

/** A row that cannot be taken over. */
export class BadValue extends Error {
  override name = 'BadValue'
  readonly code: string
  readonly target: string
  constructor(target: string, rule: string, code = 'invalid_value') {
    super(`${target} ${rule}.`)
    this.code = code
    this.target = target
  }
}

const MAX_UNITS = 1e12

export function codeOf(value: Field, target: string): string {
  if (typeof value !== 'string' || !value) throw new BadValue(target, 'is empty', 'missing_value')
  if (value.length > MAX_CODE_LENGTH) {
    throw new BadValue(target, `must have at most ${MAX_CODE_LENGTH} characters`)
  }
  return value
}

/** For people to read. */
export const nameOf = (value: Field): string | null =>
  typeof value === 'string' && value ? value.slice(0, 200) : null

export function exactOf(value: Field, target: string): Exact {
  const found = value === null || value === undefined || value === '' ? 0n : exact(value)
  if (found === null) throw new BadValue(target, 'must be a decimal number')
  return found
}

/** A quantity that may not be negative; 0 where the ERP says nothing. */
export function unitsOf(value: Field, target: string): Exact {
  const units = exactOf(value, target)
  if (units < 0n) throw new BadValue(target, 'must not be negative')
  return units
}

/** @throws BadValue when it is too large to be stored */
export function numberOf(value: Exact, target: string): number {
  const number = toNumber(value)
  if (Math.abs(number) > MAX_UNITS) throw new BadValue(target, `must be at most ${MAX_UNITS}`)
  return number
}

export function wholeOf(value: Field, target: string): number {
  const number = toNumber(unitsOf(value, target))
  if (!Number.isInteger(number)) throw new BadValue(target, 'must be a whole number')
  return number
}

/**
 * The calendar day of `/Date(1619222400000)/` (read as UTC) or `2021-04-24`; null for none.
 * @throws BadValue for anything else
 */
export function dayOf(value: Field, target: string): string | null {
  if (value === null || value === undefined || value === '') return null
  const day = dayOrNull(value)
  if (day === null) throw new BadValue(target, 'must be a day')
  return day
}

/** As {@link dayOf}; null for whatever is no day. */
export const dayOrNull = remembered((value: Field) => parseDay(String(value)))

const FIRST_DAY = Date.UTC(1900, 0, 1)
const AFTER_LAST_DAY = Date.UTC(10_000, 0, 1)

function parseDay(text: string): string | null {
  const ms = instantOf(text)
  if (ms === null || ms < FIRST_DAY || ms >= AFTER_LAST_DAY) return null
  const day = new Date(ms).toISOString().slice(0, 10)
  // What is written as a day must be that day: there is no 30th of February.
  return text.startsWith('/') || text.startsWith(day) ? day : null
}

/** A day on which demand can stand. */
export function demandDayOf(value: Field, target: string): string {
  const day = dayOf(value, target)
  if (day === null) throw new BadValue(target, 'is empty', 'missing_value')
  if (!isDemandDay(day)) throw new BadValue(target, 'must lie between 1970 and 2199')
  return day
}

/** Milliseconds since 1970 of `/Date(1619222400000+0000)/` or an ISO instant; null for none. */
export function instantOf(value: Field): number | null {
  const text = String(value ?? '')
  const [, ms] = /^\/Date\((-?\d+)(?:[+-]\d{4})?\)\/$/.exec(text) ?? []
  const instant = ms === undefined ? Date.parse(text) : Number(ms)
  return Number.isNaN(instant) ? null : instant
}

export function currencyOf(value: Field, target: string): string | null {
  if (!value) return null
  if (typeof value === 'string' && /^[A-Z]{3}$/.test(value)) return value
  throw new BadValue(target, 'must be an ISO 4217 code')
}
