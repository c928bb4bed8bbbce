import { abs, toExact, HALF_PLACE, ONE, multiplyByRatio, toWhole } from '../rows/decimals.ts'
import type { Exact } from '../rows/decimals.ts'
import { DISTANCE } from '../odata/keys.ts'
import { anyOf } from '../odata/query.ts'
import type { UnitRow } from './entities.ts'
import { PRODUCT } from './services.ts'
import type { System } from './system.ts'

/** The ratio of a unit to the base unit. */
export interface Conversion {
  numerator: Exact
  denominator: Exact
}

export const NO_CONVERSION: Conversion = { numerator: ONE, denominator: ONE }

export const inBase = (quantity: Exact, { numerator, denominator }: Conversion): Exact =>
  multiplyByRatio(quantity, numerator, denominator)

/**
 * Open quantity of a line in base units; `open` and `ordered` are in order units. After a partial receipt
 * the ERP rounds the open quantity to three places: eleven pieces of a carton of twelve are 0.917. So a
 * whole number of base units within the rounding error is taken instead.
 */
export function openInBase(open: Exact, ordered: Exact, conversion: Conversion): Exact {
  const units = inBase(open, conversion)
  if (open === ordered || open <= 0n || open % ONE === 0n) return units
  const whole = toWhole(units)
  return abs(units - whole) <= inBase(HALF_PLACE, conversion) ? whole : units
}

/** @returns null where one of the two is zero or no number */
export function conversionOf(numerator: unknown, denominator: unknown): Conversion | null {
  const [above, below] = [toExact(numerator), toExact(denominator)]
  return above && below ? { numerator: above, denominator: below } : null
}

const UNITS = {
  service: PRODUCT,
  set: 'A_ProductUnitsOfMeasure',
  key: ['Product', 'AlternativeUnit'],
  select: ['Product', 'AlternativeUnit', 'BaseUnit', 'QuantityNumerator', 'QuantityDenominator'],
}

/** With more different units than these the query does not filter by unit. */
const MAX_NAMES = 20

export interface UnitOfSku {
  sku: string
  unit: string
}

/** From a unit of a product to its conversion; null where the ERP has none. */
export type Conversions = (of: UnitOfSku) => Conversion | null

/** The conversions of the wanted units. */
export async function readConversions(
  system: System,
  wanted: readonly UnitOfSku[],
  signal: AbortSignal,
): Promise<Conversions> {
  const conversions = new Map<string, Conversion | null>()
  const names = [...new Set(wanted.map(({ unit }) => unit))]
  const skus = wanted.map(({ sku }) => sku)
  const query =
    names.length <= MAX_NAMES ? { ...UNITS, filter: anyOf(UNITS.key[1]!, names) } : UNITS
  for (const row of await system.allOf<UnitRow>(query, 'Product', skus, signal, DISTANCE.gaps)) {
    const { Product, AlternativeUnit, QuantityNumerator, QuantityDenominator } = row
    conversions.set(`${Product}\n${row.BaseUnit}`, NO_CONVERSION)
    if (AlternativeUnit === row.BaseUnit) continue
    const conversion = conversionOf(QuantityNumerator, QuantityDenominator)
    conversions.set(`${Product}\n${AlternativeUnit}`, conversion)
  }
  return ({ sku, unit }) => conversions.get(`${sku}\n${unit}`) ?? null
}
