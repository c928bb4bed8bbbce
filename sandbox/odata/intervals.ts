// Derives the values of a field that a filter allows.
import type { Expression } from './filter.ts'
import type { Interval, Value } from './set.ts'

const ALL: Interval = [null, null]

/** What the filter allows lies within these intervals; none where it allows nothing. */
export function intervals(filter: Expression | null, field: string): Interval[] {
  if (!filter) return [ALL]
  if (filter.kind === 'or') {
    const all = [...intervals(filter.left, field), ...intervals(filter.right, field)]
    return all.some(([low, high]) => low === null && high === null) ? [ALL] : all
  }
  if (filter.kind === 'and') {
    const right = intervals(filter.right, field)
    return intervals(filter.left, field).flatMap((one) =>
      right.map((other) => overlap(one, other)).filter(isSome),
    )
  }
  if (filter.field !== field) return [ALL]
  const low = filter.kind === 'eq' || filter.kind === 'ge' || filter.kind === 'gt'
  const high = filter.kind === 'eq' || filter.kind === 'le' || filter.kind === 'lt'
  return [[low ? filter.value : null, high ? filter.value : null]]
}

const overlap = ([a, b]: Interval, [c, d]: Interval): Interval => [
  a === null || (c !== null && c > a) ? c : a,
  b === null || (d !== null && d < b) ? d : b,
]

const isSome = ([low, high]: Interval) => low === null || high === null || low <= high

/** The interval around all of them; without any, all values. */
export function hull(parts: Interval[]): Interval {
  if (parts.length === 0) return ALL
  const outermost = (values: Value[], isFurther: (a: Value, b: Value) => boolean) =>
    values.includes(null) ? null : values.reduce((a, b) => (isFurther(a, b) ? a : b), values[0]!)
  return [
    outermost(
      parts.map(([low]) => low),
      (a, b) => a! < b!,
    ),
    outermost(
      parts.map(([, high]) => high),
      (a, b) => a! > b!,
    ),
  ]
}
