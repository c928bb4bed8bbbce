// What Business One writes otherwise than others.
import { BadValue, exactOf, type Field } from '../rows/values.ts'
import type { Exact } from '../rows/decimals.ts'
import { DAY_MS } from '../rows/days.ts'

/** The most decimals of quantities and prices that a company can set. */
const PLACES = 6

/** Numbers come as binary fractions: 0.30000000000000004 is 0.3. */
export function roundedOf(value: Field, field: string): Exact {
  if (typeof value !== 'number') return exactOf(value, field)
  if (!Number.isFinite(value)) throw new BadValue(field, 'must be a decimal number')
  return exactOf(value.toFixed(PLACES), field)
}

/** `tYES` or `tNO`; of another version `Y` or `N`. */
export const isYes = (value: Field): boolean => value === 'tYES' || value === 'Y'

export const isOpen = (value: Field): boolean => value === 'bost_Open' || value === 'O'

/** Changes carry a day and no reliable time, so a read goes back to the day before the last one. */
export const OVERLAP_MS = DAY_MS

/** What was changed on a day or after it, by the server's calendar. */
export const changedSince = (from: number): string => `UpdateDate ge '${isoDayOf(from)}'`

export const sinceHistory = (days: number): string =>
  `DocDate ge '${isoDayOf(Date.now() - days * DAY_MS)}'`

const isoDayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)
