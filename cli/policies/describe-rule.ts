import type { Policy } from '../../client/index.ts'

const NO_VALUES = [
  ...['level', 'sku', 'location', 'supplier', 'group'],
  ...['updated_at', 'updated_by', 'warnings'],
]

type Value = string | number | number[]

/** The values that a rule sets; unknown fields of a newer server count as values too. */
export function valuesIn(rule: Policy): Record<string, Value> {
  const values = Object.entries(rule).filter(
    (entry): entry is [string, Value] => !NO_VALUES.includes(entry[0]) && isValue(entry[1]),
  )
  return Object.fromEntries(values)
}

function isValue(value: unknown): value is Value {
  if (Array.isArray(value)) return value.every((each) => typeof each === 'number')
  return typeof value === 'string' || typeof value === 'number'
}

/** `lead_time_days 14, moq 40` */
export function describeRule(rule: Policy): string {
  return Object.entries(valuesIn(rule))
    .map(([name, value]) => `${name} ${Array.isArray(value) ? value.join('+') : value}`)
    .join(', ')
}
