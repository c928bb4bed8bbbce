// What JSON has no type for, Tryton writes as an object with a `__class__`.
import { stampOf } from '../company/days.ts'
import type { TypedText } from '../models/predicate.ts'

const typed = (kind: string) => (text: string) => ({ kind, text })

/** @param text `YYYY-MM-DD` */
export const day = typed('date')
export const decimal = typed('Decimal')

/** @param at milliseconds since 1970 */
export const time = (at: number): TypedText => ({
  kind: 'datetime',
  text: stampOf(at),
})

export const days = (count: number): TypedText => ({
  kind: 'timedelta',
  text: String(count * 86_400),
})

export function toWire({ kind, text }: TypedText): object {
  if (kind === 'Decimal') return { __class__: kind, decimal: text }
  if (kind === 'timedelta') return { __class__: kind, seconds: Number(text) }
  const [year, month, date, hour, minute, second] = text.split(/[- :]/).map(Number)
  const of = { __class__: kind, year, month, day: date }
  return kind === 'date' ? of : { ...of, hour, minute, second, microsecond: 0 }
}

interface WireValue {
  __class__?: string
  year?: number
  month?: number
  day?: number
  hour?: number
  minute?: number
  second?: number
}

const two = (part: number | undefined) => String(part ?? 0).padStart(2, '0')

/** A value of a condition as it can be compared. */
export function fromWire(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const { __class__: kind, year, month, day: date, hour, minute, second } = value as WireValue
  if (kind !== 'date' && kind !== 'datetime') return value
  const of = `${year}-${two(month)}-${two(date)}`
  return kind === 'date' ? of : `${of} ${two(hour)}:${two(minute)}:${two(second)}`
}
