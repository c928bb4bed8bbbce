import type { Policy } from '../../client/index.ts'

const NO_VALUES = [
  ...['level', 'sku', 'location', 'supplier', 'group'],
  ...['updated_at', 'updated_by', 'warnings'],
]

type PriceBreaks = NonNullable<Policy['price_breaks']>
type Value = string | number | boolean | number[] | PriceBreaks

/** The values that a rule sets; unknown fields of a newer server count as values too. */
export function valuesIn(rule: Policy): Record<string, Value> {
  const values = Object.entries(rule).filter(
    (entry): entry is [string, Value] => !NO_VALUES.includes(entry[0]) && isValue(entry[1]),
  )
  return Object.fromEntries(values)
}

function isValue(value: unknown): value is Value {
  return Array.isArray(value) || ['string', 'number', 'boolean'].includes(typeof value)
}

/** `lead_time_days 14, moq 40` */
export function describeRule(rule: Policy): string {
  return Object.entries(valuesIn(rule))
    .map(([name, value]) => `${name} ${Array.isArray(value) ? value.map(textOf).join('+') : value}`)
    .join(', ')
}

/** A weekday, or a price from a quantity on. */
const textOf = (value: number | PriceBreaks[number]) =>
  typeof value === 'number' ? String(value) : `${value.from_quantity}=${value.unit_cost}`
