import type { GroupedRows } from './history-rows.ts'
import { type BacktestHistory, netReturns } from '../../engine/index.ts'
import { planOf, type SharedPlans } from './plans.ts'
import { sharedFloats, sharedInts } from './shared-arrays.ts'

/**
 * Histories of many pairs in shared memory, one entry per pair and day, so that workers need no copy. The
 * entries of pair i are `starts[i]` up to but not including `starts[i + 1]`.
 */
export interface Histories {
  starts: Int32Array
  days: Int32Array
  quantities: Float64Array
  /** 1 on a day with a promotion; absent where the file has none. */
  promos?: Uint8Array
  /** The file's own forecast for the day, NaN where it has none; absent without such a column. */
  baselines?: Float64Array
  /** Absent where no plan was given. */
  plans?: SharedPlans
}

/** Adds up the rows of a day, nets returns against earlier sales, and releases the rows. */
export function toHistories(rows: GroupedRows): Histories {
  const pairs = rows.starts.length - 1
  const starts = sharedInts(pairs + 1)
  const days = sharedInts(rows.count)
  const quantities = sharedFloats(rows.count)
  const promos = rows.hasPromos && new Uint8Array(new SharedArrayBuffer(rows.count))
  const baselines = rows.hasBaselines && sharedFloats(rows.count).fill(NaN)
  let end = 0
  for (let pair = 0; pair < pairs; pair++) {
    starts[pair] = end
    for (let at = rows.starts[pair]!; at < rows.starts[pair + 1]!; at++) {
      const day = rows.dayAt(at)
      if (end === starts[pair]! || days[end - 1] !== day) days[end++] = day
      quantities[end - 1]! += rows.quantityAt(at)
      if (promos) promos[end - 1]! |= rows.promoAt(at)
      if (baselines) baselines[end - 1] = bothOf(baselines[end - 1]!, rows.baselineAt(at))
    }
    netReturns(quantities.subarray(starts[pair], end))
  }
  starts[pairs] = end
  rows.release()
  return {
    starts,
    days: days.subarray(0, end),
    quantities: quantities.subarray(0, end),
    ...(promos && { promos: promos.subarray(0, end) }),
    ...(baselines && { baselines: baselines.subarray(0, end) }),
  }
}

/** The sum of two numbers, in which NaN counts as missing. */
const bothOf = (a: number, b: number) => (Number.isNaN(a) ? b : Number.isNaN(b) ? a : a + b)

/** The history of one pair, without a copy. */
export function historyOf(histories: Histories, pair: number): BacktestHistory {
  const { starts, days, quantities, promos, baselines, plans } = histories
  const from = starts[pair]!
  const to = starts[pair + 1]!
  return {
    days: days.subarray(from, to),
    quantities: quantities.subarray(from, to),
    ...(promos && { promo: promos.subarray(from, to) }),
    ...(baselines && { baseline: baselines.subarray(from, to) }),
    ...(plans && planOf(plans, pair)),
  }
}
