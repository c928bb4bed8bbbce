import { netReturns, PLAN_KINDS } from '../../engine/index.ts'
import type { BacktestHistory, EpochDay, PlannedEffect, SeriesPlan } from '../../engine/index.ts'
import type { GroupedRows } from './history-rows.ts'

// Arrays that workers see without a copy.
export const sharedInts = (length: number) => new Int32Array(new SharedArrayBuffer(4 * length))
export const sharedFloats = (length: number) => new Float64Array(new SharedArrayBuffer(8 * length))

/** Plans of many pairs in shared memory; those of pair i are `starts[i]` up to but not including `starts[i + 1]`. */
export interface SharedPlans {
  /** The day after the last one with a promotion; null where the plan names none. */
  until: EpochDay | null
  starts: Int32Array
  days: Int32Array
  effectStarts: Int32Array
  /** Of each effect its kind's place in the list, first and last day, and factor. */
  effects: Float64Array
}

const COLUMNS = 4

export function sharePlans(plans: readonly SeriesPlan[], until: EpochDay | null): SharedPlans {
  const starts = sharedInts(plans.length + 1)
  const effectStarts = sharedInts(plans.length + 1)
  plans.forEach(({ plan, effects }, i) => {
    starts[i + 1] = starts[i]! + (plan?.length ?? 0)
    effectStarts[i + 1] = effectStarts[i]! + (effects?.length ?? 0)
  })
  const days = sharedInts(starts[plans.length]!)
  const effects = sharedFloats(COLUMNS * effectStarts[plans.length]!)
  plans.forEach((own, i) => {
    if (own.plan) days.set(own.plan, starts[i])
    effects.set(own.effects?.flatMap(toNumbers) ?? [], COLUMNS * effectStarts[i]!)
  })
  return { until, starts, days, effectStarts, effects }
}

const toNumbers = ({ kind, from, to, factor }: PlannedEffect) => [
  ...[PLAN_KINDS.indexOf(kind), from, to, factor],
]

function planOf(plans: SharedPlans, pair: number): SeriesPlan {
  const { until, starts, days, effectStarts } = plans
  const [from, to] = [effectStarts[pair]!, effectStarts[pair + 1]!]
  return {
    ...(until !== null && {
      plan: days.subarray(starts[pair], starts[pair + 1]),
      plannedUntil: until,
    }),
    ...(to > from && {
      effects: Array.from({ length: to - from }, (_, i) => effectAt(plans, from + i)),
    }),
  }
}

function effectAt({ effects }: SharedPlans, at: number): PlannedEffect {
  const [kind, from, to, factor] = effects.subarray(COLUMNS * at, COLUMNS * (at + 1))
  return { kind: PLAN_KINDS[kind!]!, from: from!, to: to!, factor: factor! }
}

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
  /** Absent where nobody knows of any stock. */
  stock?: SharedStock
}

/** Days with and without stock of many pairs in shared memory. */
export interface SharedStock {
  /** Days on which stock was seen, by location; the place of each pair's among them. */
  seen: Int32Array[]
  placeOf: Int32Array
  /** First and last days without stock; those of pair i are `starts[i]` up to but not including `starts[i + 1]`. */
  starts: Int32Array
  empty: Int32Array
}

/**
 * @param locations those of the pairs, in their order
 * @param levels stock at the end of days
 * @param seen days on which stock was seen, by location
 */
export function shareStock(
  locations: readonly string[],
  levels: Histories,
  seen: ReadonlyMap<string, Int32Array>,
): SharedStock {
  const places = new Map([...new Set(locations)].map((name, place) => [name, place]))
  const [placeOf, starts] = [sharedInts(locations.length), sharedInts(locations.length + 1)]
  const found: EpochDay[] = []
  locations.forEach((location, pair) => {
    placeOf[pair] = places.get(location)!
    starts[pair] = found.length
    const { days, quantities } = historyOf(levels, pair)
    for (let i = 0; i < days.length; i++) {
      if (quantities[i]! > 0) continue
      if (found.length > starts[pair] && found.at(-1) === days[i]! - 1)
        found[found.length - 1] = days[i]!
      else found.push(days[i]!, days[i]!)
    }
  })
  starts[locations.length] = found.length
  const empty = sharedInts(found.length)
  empty.set(found)
  return {
    seen: [...places.keys()].map((name) => seen.get(name) ?? new Int32Array(0)),
    placeOf,
    starts,
    empty,
  }
}

/** None of a location whose stock was never seen. */
function stockOf({ seen, placeOf, starts, empty }: SharedStock, pair: number) {
  const own = seen[placeOf[pair]!]!
  if (!own.length) return {}
  return { stock: { seen: own, empty: empty.subarray(starts[pair], starts[pair + 1]) } }
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
  const { starts, days, quantities, promos, baselines, plans, stock } = histories
  const from = starts[pair]!
  const to = starts[pair + 1]!
  return {
    days: days.subarray(from, to),
    quantities: quantities.subarray(from, to),
    ...(promos && { promo: promos.subarray(from, to) }),
    ...(baselines && { baseline: baselines.subarray(from, to) }),
    ...(plans && planOf(plans, pair)),
    ...(stock && stockOf(stock, pair)),
  }
}
