import { abs, toExact, HALF_PLACE, ONE, multiplyByRatio, toWhole } from '../rows/decimals.ts'
import type { Exact } from '../rows/decimals.ts'
import { anyOf } from '../odata/query.ts'
import type { UnitRow } from './entities.ts'
import { PRODUCT } from './services.ts'
import type { System } from './system.ts'

/** How a unit becomes base units. */
export interface Conversion {
  numerator: Exact
  denominator: Exact
}

export const NO_CONVERSION: Conversion = { numerator: ONE, denominator: ONE }

export const inBase = (quantity: Exact, { numerator, denominator }: Conversion): Exact =>
  multiplyByRatio(quantity, numerator, denominator)

/**
 * What is still to come of a line, both in order units. Once some has come the ERP has rounded what is
 * left to three places of an order unit: eleven pieces of a carton of twelve are 0.917. Where a whole
 * number of base units lies within what was rounded away, it is meant.
 */
export function openInBase(open: Exact, ordered: Exact, conversion: Conversion): Exact {
  const units = inBase(open, conversion)
  if (open === ordered || open <= 0n || open % ONE === 0n) return units
  const whole = toWhole(units)
  return abs(units - whole) <= inBase(HALF_PLACE, conversion) ? whole : units
}

/** @returns null where the two are no ratio */
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

/** More units than these are not asked for by name. */
const MAX_NAMES = 20

export interface UnitOfSku {
  sku: string
  unit: string
}

/** @returns how a product's unit becomes base units, for those that were wanted; null where nobody knows */
export async function readConversions(
  system: System,
  wanted: readonly UnitOfSku[],
  signal: AbortSignal,
): Promise<(of: UnitOfSku) => Conversion | null> {
  const conversions = new Map<string, Conversion | null>()
  const names = [...new Set(wanted.map(({ unit }) => unit))]
  const skus = wanted.map(({ sku }) => sku)
  const query =
    names.length <= MAX_NAMES ? { ...UNITS, filter: anyOf(UNITS.key[1]!, names) } : UNITS
  for (const row of await system.allOf<UnitRow>(query, 'Product', skus, signal)) {
    const { Product, AlternativeUnit, QuantityNumerator, QuantityDenominator } = row
    conversions.set(`${Product}\n${row.BaseUnit}`, NO_CONVERSION)
    if (AlternativeUnit === row.BaseUnit) continue
    const conversion = conversionOf(QuantityNumerator, QuantityDenominator)
    conversions.set(`${Product}\n${AlternativeUnit}`, conversion)
  }
  return ({ sku, unit }) => conversions.get(`${sku}\n${unit}`) ?? null
}
