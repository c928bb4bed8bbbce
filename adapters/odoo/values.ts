import { type Exact, ONE, toExact } from '../rows/decimals.ts'
import { memoize } from '../rows/memoize.ts'
import { BadValue, dayOf } from '../rows/values.ts'
import { readRows } from '../rpc/reader.ts'
import type { Reads } from './client.ts'
import type { Link, Quantity, Text, UomRow } from './entities.ts'

export const idOf = (link: Link | undefined): number | null => (link ? link[0] : null)
export const textOf = (text: Text | undefined): string | null => text || null

/** Places that are kept of a number: Odoo keeps binary fractions, of which sums have errors. */
const PLACES = 6

export function quantityOf(value: Quantity | undefined, field: string): Exact {
  const exact = value === false || value === undefined ? 0n : exactNumber(value)
  if (exact === null) throw new BadValue(field, 'must be a number')
  return exact
}

const exactNumber = (value: unknown): Exact | null =>
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

// Units of measure: Odoo keeps the ratio to the unit of reference as a binary fraction, such as 0.08333… for a dozen.

export interface Units {
  nameOf(uom: number | null): string | null
  /** @throws BadValue unit_conversion where one of the units is not known */
  convert(quantity: Exact, from: number | null, to: number | null, field: string): Exact
}

/** A ratio as a fraction. */
type Ratio = readonly [numerator: Exact, denominator: Exact]

export async function readUnits(system: Reads, signal: AbortSignal): Promise<Units> {
  const fields = await system.client.fieldsOf('uom.uom', signal)
  const isReversed = !fields.has('relative_factor')
  const query = { model: 'uom.uom', domain: [], fields: ['name', 'factor'] }
  const rows = await readRows<UomRow>(system.client, query, signal)
  const names = new Map(rows.map(({ id, name }) => [id, name || null]))
  const ratios = new Map(
    rows.map(({ id, factor }) => [id, isReversed ? reverse(ratioOf(factor)) : ratioOf(factor)]),
  )
  return {
    nameOf: (uom) => (uom === null ? null : (names.get(uom) ?? null)),
    convert(quantity, from, to, field) {
      if (from === to) return quantity
      const [source, target] = [ratios.get(from ?? 0), ratios.get(to ?? 0)]
      if (!source || !target) {
        throw new BadValue(field, 'has no conversion to the unit of the product', 'unit_conversion')
      }
      return (quantity * source[0] * target[1]) / (source[1] * target[0])
    },
  }
}

/** Within this a ratio, or one over it, is a whole number. */
const TOLERANCE = 1e-6

function ratioOf(value: number): Ratio {
  const whole = Math.round(value)
  if (whole > 0 && Math.abs(value / whole - 1) < TOLERANCE) return [BigInt(whole), 1n]
  const parts = Math.round(1 / value)
  if (parts > 0 && Math.abs(value * parts - 1) < TOLERANCE) return [1n, BigInt(parts)]
  return [toExact(value.toFixed(12)) || ONE, ONE]
}

const reverse = ([numerator, denominator]: Ratio): Ratio => [denominator, numerator]

/** Units of the second in one of the first. */
export const unitsPer = (units: Units, from: number | null, to: number | null): Exact =>
  units.convert(ONE, from, to, 'uom_id')
