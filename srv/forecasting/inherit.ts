// A successor's forecast is made of its own demand and that of its predecessors.
import { type DemandHistory, type EpochDay, parseModel } from '../../engine/index.ts'

/** @param takesOver the day from which on the successor is asked for instead of them */
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

/**
 * A model, as it is stored, of a merged history.
 * @param startsOn the day before which nobody asks for the SKU; null where it has been asked for
 */
export function inheritedModel(stored: string, startsOn: EpochDay | null): string {
  const { drivers, ...model } = parseModel(stored)
  const start = startsOn !== null && startsOn > model.asOf ? { startsOn } : {}
  return JSON.stringify({ ...model, drivers: [...drivers, 'predecessor'], ...start })
}
