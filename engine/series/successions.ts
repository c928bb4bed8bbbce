// A SKU that follows one that is phased out: its demand is its own and that of the one before.
import { MAX_HORIZON_DAYS } from '../horizon.ts'
import type { DemandHistory, EpochDay } from '../types.ts'
import { byText } from './natural-order.ts'

/** A series whose SKU is phased out, and the series that is asked for instead from that day on. */
export interface Succession {
  series: number
  sku: string
  heir: number
  phaseOutOn: EpochDay
}

/** Whose demand counts as that of a series too, by SKU; and from when on it is asked for instead. */
export interface Inheritance {
  predecessors: number[]
  takesOverOn: EpochDay
}

/** Whether the day lies near enough for a successor to have a forecast: none looks further. */
export const isNearEnd = (phaseOutOn: EpochDay, asOf: EpochDay): boolean =>
  phaseOutOn - asOf <= MAX_HORIZON_DAYS

/** By heir. Several may lead to one, and heirs may have heirs. */
export function inheritancesOf(successions: readonly Succession[]): Map<number, Inheritance> {
  const byHeir = Map.groupBy(successions, ({ heir }) => heir)
  return new Map(
    [...byHeir].map(([heir, direct]) => {
      const takesOverOn = Math.min(...direct.map(({ phaseOutOn }) => phaseOutOn))
      return [heir, { predecessors: ancestorsOf(heir, byHeir), takesOverOn }]
    }),
  )
}

/** By SKU; each once, though master data may go round in a circle. */
function ancestorsOf(heir: number, byHeir: ReadonlyMap<number, Succession[]>): number[] {
  const known = new Map([[heir, '']])
  for (const each of known.keys())
    for (const { series, sku } of byHeir.get(each) ?? [])
      if (!known.has(series)) known.set(series, sku)
  known.delete(heir)
  return [...known].sort(([, a], [, b]) => byText(a, b)).map(([series]) => series)
}

/**
 * Demand of an heir and its predecessors together.
 * @param takesOver the day from which on the heir is asked for instead of them
 */
export function mergeHistories(
  own: DemandHistory,
  predecessors: readonly DemandHistory[],
  takesOver: EpochDay,
): DemandHistory {
  const all = [own, ...predecessors]
  const [units, promoted] = [new Map<number, number>(), new Set<number>()]
  for (const { days, quantities, promo } of all) {
    days.forEach((day, at) => {
      units.set(day, (units.get(day) ?? 0) + quantities[at]!)
      if (promo?.[at]) promoted.add(day)
    })
  }
  const days = Int32Array.from(units.keys()).sort()
  const stock = stockOf(own, predecessors, takesOver)
  return {
    days,
    quantities: Float64Array.from(days, (day) => units.get(day)!),
    ...(all.some(({ promo }) => promo) && {
      promo: Uint8Array.from(days, (day) => (promoted.has(day) ? 1 : 0)),
    }),
    ...(stock && { stock }),
  }
}

/** Stockouts of the one that was asked for; before the takeover of none where there are several. */
function stockOf(
  own: DemandHistory,
  predecessors: readonly DemandHistory[],
  takesOver: EpochDay,
): DemandHistory['stock'] {
  const [first, ...others] = predecessors
  const seen = own.stock?.seen ?? first?.stock?.seen
  if (!seen) return undefined
  const before = others.length ? [] : clip(first?.stock?.empty, -Infinity, takesOver - 1)
  const since = clip(own.stock?.empty, takesOver, Infinity)
  return { seen, empty: Int32Array.from([...before, ...since]) }
}

/** Ranges of days, their first and last one after the other, as far as they lie in from..to. */
function clip(ranges: Int32Array | undefined, from: number, to: number): number[] {
  const clipped: number[] = []
  for (let at = 0; at < (ranges?.length ?? 0); at += 2) {
    const [first, last] = [Math.max(from, ranges![at]!), Math.min(to, ranges![at + 1]!)]
    if (first <= last) clipped.push(first, last)
  }
  return clipped
}
