// Tryton writes what JSON has no type for as an object with a `__class__`.
import { BadValue, roundedOf, type Field, unitsOf } from '../rows/values.ts'
import type { Exact } from '../rows/decimals.ts'

export interface TypedValue {
  __class__: string
  decimal?: string
  year?: number
  month?: number
  day?: number
  seconds?: number
}

export type Value = Field | TypedValue

const isTyped = (value: Value, type: string): value is TypedValue =>
  typeof value === 'object' && value !== null && value.__class__ === type

const two = (part: number | undefined) => String(part ?? 0).padStart(2, '0')

/** `YYYY-MM-DD` of a date; null where there is none. */
export function dateOf(value: Value, field: string): string | null {
  if (value === null || value === undefined) return null
  if (!isTyped(value, 'date') && !isTyped(value, 'datetime')) {
    throw new BadValue(field, 'must be a day')
  }
  return `${String(value.year).padStart(4, '0')}-${two(value.month)}-${two(value.day)}`
}

export function decimalOf(value: Value, field: string): Exact | null {
  if (value === null || value === undefined) return null
  return unitsOf(isTyped(value, 'Decimal') ? value.decimal : value, field)
}

/** Whole days of a duration, rounded up; null where there is none. */
export function daysOf(value: Value, field: string): number | null {
  if (value === null || value === undefined) return null
  const seconds = isTyped(value, 'timedelta') ? value.seconds : Number.NaN
  if (seconds === undefined || !(seconds >= 0)) throw new BadValue(field, 'must be a duration')
  return Math.ceil(seconds / 86_400)
}

/** Tryton keeps quantities as binary fractions. */
export const quantityOf = (value: Value, field: string): Exact => roundedOf(value as Field, field)
