import { keyRanges, merged } from './bounds.ts'
import { bad } from './error.ts'
import { toPredicate } from './filter.ts'
import { intervals } from './intervals.ts'
import { SkipPositions } from './skip-positions.ts'
import type { Order, Query } from './query.ts'
import type { EntitySet, Rows, SlotRange, Value } from './set.ts'

/** Larger results can be sorted by their key only. */
const MAX_SORTED = 2_000_000

const skipped = new SkipPositions()

export interface Limits {
  /** Most rows of this answer. */
  rows: number
  /** Whether the answer has a next-link if rows are left. */
  hasNextLink: boolean
}

export interface PageOfRows {
  /** Loads the next row; false at the end of the page. */
  next(): boolean
  rows: Rows
  /** Start of the next page; null where there is none. Call it only after the last row. */
  following(): { at: number; left: number | null } | null
  /** Number of all rows that match the filter. */
  total(): number
}

/** The rows of one answer, in order. */
export function openPage(set: EntitySet, query: Query, limits: Limits): PageOfRows {
  const rows = set.open()
  const wanted = query.token ? query.token.left : query.top
  const limit = Math.min(wanted ?? Infinity, limits.rows)
  const source = isKeyOrder(set, query.order) ? byKey(set, query, rows) : sorted(set, query, rows)
  let taken = 0
  let started = false
  function start(): void {
    started = true
    const known = query.token ? query.token.at : skipped.get(set, query, query.skip)
    source.seek(known ?? 0)
    if (known === undefined) source.drop(query.skip)
  }
  return {
    rows,
    next() {
      if (!started) start()
      if (taken >= limit || !source.next()) return false
      if (++taken === limit && !query.token) {
        skipped.put(set, query, query.skip + taken, source.position())
      }
      return true
    },
    following() {
      const left = wanted === null ? null : wanted - taken
      if (!limits.hasNextLink || left === 0 || taken < limit) return null
      const at = source.position()
      return source.next() ? { at, left } : null
    },
    total() {
      const count = isKeyOrder(set, query.order) ? byKey(set, query, rows) : source
      count.seek(0)
      let total = 0
      while (count.next()) total++
      started = false
      return total
    },
  }
}

interface Source {
  next(): boolean
  /** The current position, for a later `seek`. */
  position(): number
  seek(position: number): void
  drop(count: number): void
}

function isKeyOrder(set: EntitySet, order: Order[]): boolean {
  return order.every(({ field, descending }, i) => !descending && field === set.keys[i])
}

/** Positions are slots. */
function byKey(set: EntitySet, query: Query, rows: Rows): Source {
  const ranges = slotRanges(set, query)
  const meets = query.filter ? toPredicate(query.filter, rows) : () => true
  let range = 0
  let slot = ranges[0]?.[0] ?? 0
  function next(): boolean {
    for (; range < ranges.length; slot = ranges[++range]?.[0] ?? slot) {
      const end = ranges[range]![1]
      while (slot < end) if (rows.load(slot++) && meets()) return true
    }
    return false
  }
  return {
    next,
    position: () => slot,
    seek(position) {
      range = ranges.findIndex(([, to]) => to > position)
      if (range < 0) range = ranges.length
      slot = Math.max(position, ranges[range]?.[0] ?? position)
    },
    drop(count) {
      for (let i = 0; i < count; i++) if (!next()) return
    },
  }
}

function slotRanges(set: EntitySet, query: Query): SlotRange[] {
  const byKey = keyRanges(set, query.filter)
  const ranges = set.ranges?.((field) => intervals(query.filter, field))
  if (!ranges) return byKey
  return merged(
    ranges.flatMap(([a, b]) =>
      byKey.map(([from, to]): SlotRange => [Math.max(a, from), Math.min(b, to)]),
    ),
  )
}

/** Positions count the sorted rows. */
function sorted(set: EntitySet, query: Query, rows: Rows): Source {
  const source = byKey(set, query, rows)
  const values = query.order.map(({ field }) => rows.value(field))
  const found: { slot: number; by: Value[] }[] = []
  while (source.next()) {
    found.push({ slot: source.position() - 1, by: values.map((value) => value()) })
    if (found.length > MAX_SORTED) throw bad(`Too many rows to sort ${set.name} by that`)
  }
  found.sort((a, b) => compare(a.by, b.by, query.order) || a.slot - b.slot)
  let at = 0
  return {
    next: () => at < found.length && rows.load(found[at++]!.slot),
    position: () => at,
    seek: (position) => void (at = position),
    drop: (count) => void (at += count),
  }
}

function compare(a: Value[], b: Value[], order: Order[]): number {
  for (const [i, { descending }] of order.entries()) {
    if (a[i] === b[i]) continue
    const less = a[i] === null || (b[i] !== null && a[i]! < b[i]!)
    return less === descending ? 1 : -1
  }
  return 0
}
