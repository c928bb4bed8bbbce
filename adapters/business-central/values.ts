// What Business Central writes otherwise than others.
import { BadValue, dayOf, type Field } from '../rows/values.ts'

/** Names of choices have their signs and spaces encoded: `Negative_x0020_Adjmt_x002E_` is "Negative Adjmt.". */
export const choiceOf = (value: Field): string =>
  String(value ?? '')
    .replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
    .trim()

/** No day is the first of January of the year 1. */
export const dayOrNone = (value: Field, field: string): string | null =>
  typeof value === 'string' && value.startsWith('0001-01-01') ? null : dayOf(value, field)

const DAYS: Record<string, number> = { D: 1, WD: 7 / 5, W: 7, M: 30, Q: 91, Y: 365 }

/**
 * Calendar days of a date formula such as `2W` or `1M+5D`; null for none. Work days are made calendar days.
 * @throws BadValue for formulas that name a day, such as `CM`
 */
export function formulaDaysOf(value: Field, field: string): number | null {
  const text = String(value ?? '')
    .trim()
    .toUpperCase()
    .replace(/^<|>$/g, '')
  if (!text || /^0[A-Z]$/.test(text)) return null
  if (!/^[+]?\d{1,4}(WD|[DWMQY])([+-]\d{1,4}(WD|[DWMQY]))*$/.test(text)) {
    throw new BadValue(field, 'must be a duration such as 10D, 2W or 1M')
  }
  let days = 0
  for (const [, sign, number, unit] of text.matchAll(/([+-]?)(\d{1,4})(WD|[DWMQY])/g)) {
    days += (sign === '-' ? -1 : 1) * Number(number) * DAYS[unit!]!
  }
  if (days < 0) throw new BadValue(field, 'must not be negative')
  return Math.ceil(days - 1e-9)
}
