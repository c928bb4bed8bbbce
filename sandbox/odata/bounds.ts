// Derives bounds of keys and dates from a filter, so that only slots within them are scanned.
import type { Expression } from './filter.ts'
import type { EntitySet, Interval, Rows, Value } from './set.ts'

/** After and before all keys that start with the bound's preceding values. */
const BEHIND = Symbol('behind')
const BEFORE = Symbol('before')
/** The first values of a key, inclusive; an empty list is no bound. */
type Bound = (Value | typeof BEHIND | typeof BEFORE)[]

/** @returns the slots [from, to) that contain all rows of the filter */
export function keyRange(set: EntitySet, filter: Expression | null): [number, number] {
  if (!filter) return [0, set.size()]
  const rows = set.open()
  const keys = set.keys.map((key) => rows.value(key))
  const low = bound(filter, set.keys, ['gt', 'ge'], 1)
  const high = bound(filter, set.keys, ['lt', 'le'], -1)
  const from = low.length ? seek(set, rows, () => compare(low, keys) >= 0) : 0
  const to = high.length ? seek(set, rows, () => compare(high, keys) > 0) : set.size()
  return [from, Math.max(from, to)]
}

/** Binary search for the first slot for which the test is true; it must be true for all later slots. */
function seek(set: EntitySet, rows: Rows, test: () => boolean): number {
  let low = 0
  let high = set.size()
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    rows.load(middle)
    if (test()) high = middle
    else low = middle + 1
  }
  return low
}

/** Positive where the loaded row's key is after the bound. */
function compare(bound: Bound, keys: (() => Value)[]): number {
  for (const [index, wanted] of bound.entries()) {
    if (wanted === BEHIND) return -1
    if (wanted === BEFORE) return 1
    const order = orderOf(keys[index]!(), wanted)
    if (order !== 0) return order
  }
  return 0
}

function orderOf(a: Bound[number], b: Bound[number]): number {
  if (a === b) return 0
  if (a === BEHIND || b === BEFORE) return 1
  if (a === BEFORE || b === BEHIND) return -1
  return (a as string) > (b as string) ? 1 : -1
}

/** @param sign 1 for the lower bound, -1 for the upper one */
function bound(filter: Expression, keys: string[], kinds: string[], sign: 1 | -1): Bound {
  if (filter.kind === 'or') {
    const left = bound(filter.left, keys, kinds, sign)
    const right = bound(filter.right, keys, kinds, sign)
    return tightness(left, right, sign) < 0 ? left : right
  }
  const parts = conjunctsOf(filter)
  const best: Bound = []
  for (const key of keys) {
    const atom = parts.filter((part) => 'field' in part && part.field === key)
    const equal = atom.find((part) => part.kind === 'eq')
    const side = atom.find((part) => kinds.includes(part.kind))
    const chosen = equal ?? side
    if (!chosen || !('value' in chosen)) break
    best.push(chosen.value)
    if (equal) continue
    if (chosen.kind === 'gt') best.push(BEHIND)
    if (chosen.kind === 'lt') best.push(BEFORE)
    break
  }
  return parts
    .filter((part) => part.kind === 'or')
    .map((part) => bound(part, keys, kinds, sign))
    .reduce((a, b) => (tightness(a, b, sign) < 0 ? b : a), best)
}

/** Negative where bound a excludes fewer rows than b. */
function tightness(a: Bound, b: Bound, sign: 1 | -1): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const order = orderOf(a[i]!, b[i]!)
    if (order !== 0) return order * sign
  }
  return a.length - b.length
}

function conjunctsOf(filter: Expression): Expression[] {
  if (filter.kind !== 'and') return [filter]
  return [...conjunctsOf(filter.left), ...conjunctsOf(filter.right)]
}

/** The bounds of a field, both inclusive; null where there is none. */
export function interval(filter: Expression | null, field: string): Interval {
  if (!filter) return [null, null]
  if (filter.kind === 'and' || filter.kind === 'or') {
    const [a, b] = interval(filter.left, field)
    const [c, d] = interval(filter.right, field)
    if (filter.kind === 'and') {
      return [
        a === null || (c !== null && c > a) ? c : a,
        b === null || (d !== null && d < b) ? d : b,
      ]
    }
    return [
      a === null || c === null ? null : a < c ? a : c,
      b === null || d === null ? null : b > d ? b : d,
    ]
  }
  if (filter.field !== field) return [null, null]
  const low = filter.kind === 'eq' || filter.kind === 'ge' || filter.kind === 'gt'
  const high = filter.kind === 'eq' || filter.kind === 'le' || filter.kind === 'lt'
  return [low ? filter.value : null, high ? filter.value : null]
}
