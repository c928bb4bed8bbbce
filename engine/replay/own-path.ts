import type { Days, Units } from '../types.ts'

/** What is known of a pair's past stock; day 0 is the first one that is replayed. */
export interface KnownPast {
  days: Days
  /** Units that left by day; where demand waits, that were wanted. */
  sold: Float64Array
  /** Stock at the end of days, NaN where nobody knows; entry 0 is the eve of the first day, entry d + 1 the end of day d. */
  levels: Float64Array
  /** Units that came by day; null where no receipt is known of anything. */
  receipts: Float64Array | null
  /** Whether demand was booked on days without stock, so that it waited. */
  waits: boolean
}

/** The way that a pair's stock really went. */
export interface OwnPath {
  /** As `levels`, and below 0 where demand waits. */
  net: Float64Array
  arrivals: Float64Array
  /** 1 for days of which the stock is known. */
  counted: Uint8Array
  /** Whether the stock of most days was named, or follows from receipts and demand. */
  isNamed: boolean
  /** Units that neither demand nor receipts explain. */
  unexplained: Units
}

/** Without receipts nobody knows more days than these after a count. */
const LONGEST_BETWEEN_COUNTS: Days = 7
/** Of days whose stock is named. */
const MOST_DAYS = 0.8

/** Null where neither stock nor receipts say anything. */
export function ownPath(past: KnownPast): OwnPath | null {
  const { days, levels, receipts } = past
  const named = levels.reduce((sum, level) => sum + (Number.isNaN(level) ? 0 : 1), 0)
  if (named === 0 || (!receipts && named < 2)) return null
  const arrivals = receipts ?? arrivalsBetween(past)
  const path: OwnPath = {
    net: new Float64Array(days + 1).fill(NaN),
    arrivals,
    counted: new Uint8Array(days).fill(receipts ? 1 : 0),
    isNamed: named >= MOST_DAYS * (days + 1),
    unexplained: 0,
  }
  const first = firstCertain(past)
  goForward(past, path, first)
  goBack(past, path, first)
  if (!receipts) markCounted(path, levels)
  return path
}

/**
 * The day of the first stock that is known. Where demand waits, an empty shelf does not say how much of it waits: there it is the
 * first stock above 0, if there is any.
 */
function firstCertain({ levels, waits }: KnownPast): number {
  const above = waits ? levels.findIndex((level) => level > 0) : -1
  return above >= 0 ? above : levels.findIndex((level) => !Number.isNaN(level))
}

function goForward({ days, sold, levels, waits }: KnownPast, path: OwnPath, first: number) {
  const { net, arrivals } = path
  net[first] = levels[first]!
  for (let at = first + 1; at <= days; at++) {
    let expected = net[at - 1]! + arrivals[at - 1]! - sold[at - 1]!
    if (!waits && expected < 0) {
      path.unexplained += Number.isNaN(levels[at]!) ? -expected : 0
      expected = 0
    }
    const level = levels[at]!
    if (Number.isNaN(level)) net[at] = expected
    else {
      path.unexplained += Math.abs(level - Math.max(0, expected))
      net[at] = level > 0 ? level : Math.min(0, expected)
    }
  }
}

/** The days before the first stock that is known. Where demand waits, what lies below 0 on an empty shelf is the demand that waited. */
function goBack({ sold, levels, waits }: KnownPast, path: OwnPath, first: number) {
  const { net, arrivals } = path
  for (let at = first; at > 0; at--) {
    const before = net[at]! - arrivals[at - 1]! + sold[at - 1]!
    const isEmpty = waits && levels[at - 1] === 0
    const known = isEmpty ? Math.min(0, before) : Math.max(0, before)
    path.unexplained += Math.abs(before - known)
    net[at - 1] = known
  }
}

/** What the stock of two days says of the arrivals between them, booked on the later one. */
function arrivalsBetween({ days, sold, levels }: KnownPast): Float64Array {
  const arrivals = new Float64Array(days)
  let [last, left] = [NaN, 0]
  for (let at = 0; at <= days; at++) {
    if (at > 0) left += sold[at - 1]!
    const level = levels[at]!
    if (Number.isNaN(level)) continue
    if (at > 0 && !Number.isNaN(last)) arrivals[at - 1] = Math.max(0, level - last + left)
    ;[last, left] = [level, 0]
  }
  return arrivals
}

function markCounted({ counted }: OwnPath, levels: Float64Array) {
  let known = -1
  for (let at = 0; at < levels.length; at++) {
    if (Number.isNaN(levels[at]!)) continue
    if (known >= 0 && at - known <= LONGEST_BETWEEN_COUNTS) counted.fill(1, known, at)
    known = at
  }
}
