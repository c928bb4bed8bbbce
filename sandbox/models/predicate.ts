/** A record of a model; linked records are objects, lists of them arrays. */
export interface ModelRecord {
  id: number
  [field: string]: unknown
}

export type Predicate = (row: ModelRecord) => boolean

type Condition = readonly [field: string, operator: string, value: unknown]

/** All values of a path such as `order_id.picking_ids.state`. */
export function valuesAt(row: ModelRecord, path: string): unknown[] {
  let found: unknown[] = [row]
  for (const name of path.split('.')) {
    found = found.flatMap((each) => {
      const value = (each as ModelRecord | null)?.[name]
      return Array.isArray(value) ? (value as unknown[]) : [value]
    })
  }
  return found
}

/** @param toValue from a value on the wire to one that can be compared */
export function conditionOf(
  [field, operator, wanted]: Condition,
  toValue: (value: unknown) => unknown,
): Predicate {
  const value = Array.isArray(wanted) ? wanted.map(toValue) : toValue(wanted)
  const set = Array.isArray(value) ? new Set(value) : null
  const compare = comparisons[operator]
  if (!compare) throw new RangeError(`${operator} is no operator`)
  if (!field.includes('.')) {
    return (row) => {
      const found = row[field]
      if (!Array.isArray(found)) return compare(plain(found), value, set)
      return found.some((each) => compare(plain(each), value, set))
    }
  }
  return (row) => valuesAt(row, field).some((found) => compare(plain(found), value, set))
}

/** A value that JSON has no type for, such as a day. */
export interface TypedText {
  kind: string
  text: string
}

/** Linked records are compared by their number; what is empty is null. */
function plain(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) {
    if ('text' in value) return value.text
    if ('id' in value) return value.id
  }
  return empty(value)
}

type Compare = (found: unknown, value: unknown, set: Set<unknown> | null) => boolean

const empty = (value: unknown) => (value === false || value === undefined ? null : value)

const comparisons: Record<string, Compare> = {
  '=': (found, value) => found === empty(value),
  '!=': (found, value) => found !== empty(value),
  in: (found, _value, set) => set!.has(found),
  'not in': (found, _value, set) => !set!.has(found),
  '>': (found, value) => found !== null && (found as number) > (value as number),
  '>=': (found, value) => found !== null && (found as number) >= (value as number),
  '<': (found, value) => found !== null && (found as number) < (value as number),
  '<=': (found, value) => found !== null && (found as number) <= (value as number),
  like: (found, value) =>
    typeof found === 'string' && found.startsWith(String(value).replace(/%$/, '')),
}
