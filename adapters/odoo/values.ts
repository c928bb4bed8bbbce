import { BadValue } from '../rows/bad-value.ts'
import { dayOf } from '../rows/days.ts'
import { toExact } from '../rows/decimals.ts'
import type { Exact } from '../rows/decimals.ts'
import { memoize } from '../rows/memoize.ts'
import type { Link, Quantity, Text } from './entities.ts'

export const idOf = (link: Link | undefined): number | null => (link ? link[0] : null)
export const textOf = (text: Text | undefined): string | null => text || null

/** Places that are kept of a number: Odoo keeps binary fractions, of which sums have errors. */
const PLACES = 6

export function quantityOf(value: Quantity | undefined, field: string): Exact {
  const exact = value === false || value === undefined ? 0n : exactNumber(value)
  if (exact === null) throw new BadValue(field, 'must be a number')
  return exact
}

export const exactNumber = (value: unknown): Exact | null =>
  typeof value === 'number' ? toExact(value.toFixed(PLACES)) : null

/** The day of a time, which Odoo keeps in UTC and without a zone, as a time zone counts days. */
export function dayReader(
  timeZone: string,
): (value: Text | undefined, field: string) => string | null {
  if (timeZone === 'UTC') return (value, field) => dayOf(textOf(value)?.slice(0, 10), field)
  // The Swedish way to write a day is ISO's.
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone })
  const local = memoize((text: string) => {
    const at = Date.parse(`${text.replace(' ', 'T')}Z`)
    return Number.isNaN(at) ? '' : format.format(at)
  })
  return (value, field) => {
    const text = textOf(value)
    if (text === null) return null
    return dayOf(text.length > 10 ? local(text) || 'no time' : text, field)
  }
}
