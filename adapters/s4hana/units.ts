import type { Exact } from '../rows/decimals.ts'
import {
  abs,
  divideExactly,
  HALF_PLACE,
  multiplyByRatio,
  ONE,
  toExact,
  toMoney,
  toWhole,
} from '../rows/decimals.ts'
import { currencyOf, type Field, ifGood, unitsOf } from '../rows/values.ts'
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

/**
 * What a base unit costs. Nothing without a price, for one in a unit that has no conversion, or for a bad one: the row
 * counts without it.
 * @param amount of so many (`per`) units
 */
export const priceOf = (
  amount: Field,
  per: Field,
  currency: Field,
  conversion: Conversion | null | undefined,
) =>
  ifGood(() => {
    const price = unitsOf(amount, 'NetPriceAmount')
    const quantity = unitsOf(per, 'NetPriceQuantity') || ONE
    if (price === 0n || !conversion) return {}
    return {
      unitCost: toMoney(
        divideExactly(price * conversion.denominator, quantity * conversion.numerator),
      ),
      currency: currencyOf(currency, 'DocumentCurrency'),
    }
  })

const UNITS = {
  service: PRODUCT,
  set: 'A_ProductUnitsOfMeasure',
  key: ['Product', 'AlternativeUnit'],
  select: ['Product', 'AlternativeUnit', 'BaseUnit', 'QuantityNumerator', 'QuantityDenominator'],
}

/** More products than these are asked for by ranges, whose rows are mostly wanted. */
const MANY_PRODUCTS = 2_000

/** With more different units than these the query does not filter by unit. */
const MAX_NAMES = 20

export interface UnitOfSku {
  sku: string
  unit: string
}

/** From a unit of a product to its conversion; null where the ERP has none. */
export type Conversions = (of: UnitOfSku) => Conversion | null

type Found = ReadonlyMap<string, Conversion | null>

/** What one stream has asked for; others that want some of it wait for the same answer. */
interface Asked {
  skus: ReadonlySet<string>
  /** Null for all units. */
  units: ReadonlySet<string> | null
  found: Promise<Found>
}

/** A system is connected anew for each sync. */
const askedOf = new WeakMap<System, Asked[]>()

/** The conversions of the wanted units, which are read once a sync, whichever streams want them. */
export async function readConversions(
  system: System,
  wanted: readonly UnitOfSku[],
  signal: AbortSignal,
): Promise<Conversions> {
  const asked = askedOf.get(system) ?? []
  askedOf.set(system, asked)
  const missing = wanted.filter((each) => !asked.some((ask) => covers(ask, each)))
  if (missing.length) await ask(asked, system, missing, signal).found
  const needed = asked.filter((each) => wanted.some((one) => covers(each, one)))
  const answers = await Promise.allSettled(needed.map(({ found }) => found))
  signal.throwIfAborted()
  // What another stream had asked for came to nothing, perhaps because that stream has ended.
  if (answers.some(({ status }) => status === 'rejected')) {
    return readConversions(system, wanted, signal)
  }
  const found = answers.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  return (of) => found.find((map) => map.has(keyOf(of)))?.get(keyOf(of)) ?? null
}

const keyOf = ({ sku, unit }: UnitOfSku) => `${sku}\n${unit}`

const covers = ({ skus, units }: Asked, { sku, unit }: UnitOfSku) =>
  skus.has(sku) && (units?.has(unit) ?? true)

function ask(
  asked: Asked[],
  system: System,
  wanted: readonly UnitOfSku[],
  signal: AbortSignal,
): Asked {
  const skus = new Set(wanted.map(({ sku }) => sku))
  const names = new Set(wanted.map(({ unit }) => unit))
  const units = names.size <= MAX_NAMES ? names : null
  const own = { skus, units, found: readUnits(system, skus, units, signal) }
  asked.push(own)
  own.found.catch(() => asked.splice(asked.indexOf(own), 1))
  return own
}

async function readUnits(
  system: System,
  skus: ReadonlySet<string>,
  units: ReadonlySet<string> | null,
  signal: AbortSignal,
): Promise<Found> {
  const found = new Map<string, Conversion | null>()
  const query = units ? { ...UNITS, filter: anyOf(UNITS.key[1]!, [...units]) } : UNITS
  const distance = skus.size > MANY_PRODUCTS ? DISTANCE.gaps : DISTANCE.consecutive
  for (const row of await system.allOf<UnitRow>(query, 'Product', skus, signal, distance)) {
    const { Product: sku, AlternativeUnit, BaseUnit, QuantityNumerator, QuantityDenominator } = row
    found.set(keyOf({ sku, unit: BaseUnit ?? '' }), NO_CONVERSION)
    if (AlternativeUnit === BaseUnit) continue
    const conversion = conversionOf(QuantityNumerator, QuantityDenominator)
    found.set(keyOf({ sku, unit: AlternativeUnit }), conversion)
  }
  return found
}
