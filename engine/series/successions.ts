// A SKU that follows one that is phased out: its demand is its own and that of the one before.
import { MAX_HORIZON_DAYS } from '../horizon.ts'
import type { DemandHistory, EpochDay, Units } from '../types.ts'
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
  /** From when on it is asked for instead of each of them. */
  endings: EpochDay[]
  /** The first of these days. */
  takesOverOn: EpochDay
}

/** Whether the day lies near enough for a successor to have a forecast: none looks further. */
export const isNearEnd = (phaseOutOn: EpochDay, asOf: EpochDay): boolean =>
  phaseOutOn - asOf <= MAX_HORIZON_DAYS

/** Whether a SKU can take over the demand of another: it cannot where both name a unit, and another one. */
export const isSameUnit = (a: string | null | undefined, b: string | null | undefined): boolean =>
  !a?.trim() || !b?.trim() || a.trim().toLowerCase() === b.trim().toLowerCase()

/** SKUs that follow one another in a circle, each circle from its first SKU on. @param successors by SKU */
export function circlesOf(successors: ReadonlyMap<string, string>): string[][] {
  const circles: string[][] = []
  const seen = new Set<string>()
  for (const start of [...successors.keys()].sort(byText)) {
    const path: string[] = []
    let sku: string | undefined = start
    for (; sku !== undefined && !seen.has(sku); sku = successors.get(sku)) {
      seen.add(sku)
      path.push(sku)
    }
    const at = path.indexOf(sku ?? '')
    if (at < 0) continue
    const circle = path.slice(at)
    const first = circle.indexOf(circle.toSorted(byText)[0]!)
    circles.push([...circle.slice(first), ...circle.slice(0, first)])
  }
  return circles
}

/** By heir. Several may lead to one, and heirs may have heirs. */
export function inheritancesOf(successions: readonly Succession[]): Map<number, Inheritance> {
  const byHeir = Map.groupBy(successions, ({ heir }) => heir)
  return new Map(
    [...byHeir].map(([heir, direct]) => {
      const takesOverOn = Math.min(...direct.map(({ phaseOutOn }) => phaseOutOn))
      const ancestors = ancestorsOf(heir, byHeir)
      const predecessors = ancestors.map(({ series }) => series)
      const endings = ancestors.map(({ phaseOutOn }) => phaseOutOn)
      return [heir, { predecessors, endings, takesOverOn }]
    }),
  )
}

/** By SKU; each once, though master data may go round in a circle. What one heir hands on waits for the end of that one too. */
function ancestorsOf(heir: number, byHeir: ReadonlyMap<number, Succession[]>): Succession[] {
  const known = new Map<number, Succession | null>([[heir, null]])
  for (const [each, own] of known)
    for (const succession of byHeir.get(each) ?? []) {
      if (known.has(succession.series)) continue
      const phaseOutOn = Math.max(succession.phaseOutOn, own?.phaseOutOn ?? -Infinity)
      known.set(succession.series, { ...succession, phaseOutOn })
    }
  return [...known.values()].filter((each) => each !== null).sort((a, b) => byText(a.sku, b.sku))
}

/** Of the days before one, the share of the demand of an heir and its predecessors together that the heir is asked for. */
export type ShareBefore = [day: EpochDay, share: number]

/** So many days tell how demand is shared by an heir and those that are not phased out yet. */
const SHARED_DAYS = MAX_HORIZON_DAYS

/**
 * Predecessors are asked for themselves until they end: of the days before that, the heir has the share that it and those that have
 * ended have had of late, since it was first asked for. By day, ascending; none where all have ended.
 */
export function sharesBefore(
  own: DemandHistory,
  predecessors: readonly { history: DemandHistory; endsOn: EpochDay }[],
  asOf: EpochDay,
): ShareBefore[] {
  const from = Math.max(asOf - SHARED_DAYS, own.days[0] ?? -Infinity)
  const demands = predecessors.map(({ history, endsOn }) => ({
    ...{ endsOn, demand: demandBetween(history, from, asOf) },
  }))
  const ownDemand = demandBetween(own, from, asOf)
  const all = demands.reduce((sum, { demand }) => sum + demand, ownDemand)
  const usual = own.days.length ? 1 : 0
  const ends = new Set(demands.map(({ endsOn }) => endsOn).filter((day) => day > asOf))
  return [...ends]
    .sort((a, b) => a - b)
    .map((day) => {
      const theirs = demands.reduce(
        (sum, { endsOn, demand }) => (endsOn < day ? sum + demand : sum),
        ownDemand,
      )
      return [day, all > 0 ? theirs / all : usual]
    })
}

function demandBetween({ days, quantities }: DemandHistory, from: EpochDay, to: EpochDay): Units {
  return days.reduce((sum, day, at) => (day >= from && day < to ? sum + quantities[at]! : sum), 0)
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
