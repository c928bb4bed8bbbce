// Derives bounds of keys and dates from a filter, so that only slots within them are scanned.
import type { Expression } from './filter.ts'
import type { EntitySet, Rows, SlotRange, Value } from './set.ts'

/** After and before all keys that start with the bound's preceding values. */
const BEHIND = Symbol('behind')
const BEFORE = Symbol('before')
/** The first values of a key, inclusive; an empty list is no bound. */
type Bound = (Value | typeof BEHIND | typeof BEFORE)[]

/** @returns the slots [from, to) that contain all rows of the filter, ascending and apart from each other */
export function keyRanges(set: EntitySet, filter: Expression | null): SlotRange[] {
  if (!filter) return [[0, set.size()]]
  const rows = set.openKeys?.() ?? set.open()
  return merged(alternatives(filter, set.keys[0]!).map((part) => keyRange(set, rows, part)))
}

function keyRange(set: EntitySet, rows: Rows, filter: Expression): SlotRange {
  const keys = set.keys.map((key) => rows.value(key))
  const low = bound(filter, set.keys, ['gt', 'ge'], 1)
  const high = bound(filter, set.keys, ['lt', 'le'], -1)
  const size = set.size()
  const from = low.length ? seek(rows, 0, size, () => compare(low, keys) >= 0) : 0
  const to = high.length ? seek(rows, from, size, () => compare(high, keys) > 0) : size
  return [from, to]
}

/** The filter as alternatives that bound the first key each, such as a list of keys, with all other conditions. */
function alternatives(filter: Expression, key: string): Expression[] {
  const parts = conjunctsOf(filter)
  const lists = parts
    .map((part) => ({ part, branches: disjunctsOf(part) }))
    .filter(({ branches }) => branches.length > 1 && branches.every((each) => isBounded(each, key)))
    .sort((a, b) => b.branches.length - a.branches.length)
  const [longest] = lists
  if (!longest) return [filter]
  const others = parts.filter((part) => part !== longest.part)
  return longest.branches.map((branch) =>
    others.reduce((left, right): Expression => ({ kind: 'and', left, right }), branch),
  )
}

const isBounded = (filter: Expression, key: string) =>
  conjunctsOf(filter).some((part) => 'field' in part && part.field === key && part.kind !== 'ne')

/** Ranges in ascending order; those that touch are one. */
export function merged(ranges: SlotRange[]): SlotRange[] {
  const result: SlotRange[] = []
  for (const [from, to] of ranges.filter(([a, b]) => a < b).sort(([a], [b]) => a - b)) {
    const last = result.at(-1)
    if (last && from <= last[1]) last[1] = Math.max(last[1], to)
    else result.push([from, to])
  }
  return result
}

/** Binary search for the first slot for which the test is true; it must be true for all later slots. */
function seek(rows: Rows, low: number, high: number, test: () => boolean): number {
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

const conjunctsOf = (filter: Expression) => chainOf('and', filter)
const disjunctsOf = (filter: Expression) => chainOf('or', filter)

function chainOf(kind: 'and' | 'or', filter: Expression): Expression[] {
  const parts: Expression[] = []
  let rest = filter
  // Chains of many conditions are nested on the left.
  for (; rest.kind === kind; rest = rest.left) parts.push(...chainOf(kind, rest.right).toReversed())
  return [...parts, rest].reverse()
}
