import type { DemandHistory, EpochDay, PlanKind, PlannedEffect } from '../types.ts'

/** In the order in which their amounts are told. */
export const PLAN_KINDS = [
  'promotion',
  'price',
  'event',
  'holiday',
  'closure',
] as const satisfies PlanKind[]

/** An entry of a plan; a selector that is empty selects all. */
export interface PlannedEvent extends Omit<PlannedEffect, 'factor'> {
  /**
   * Null where none is said: what a promotion does is learnt, and a closure leaves no demand. A promotion of 1 is none: what is
   * said more widely does not hold.
   */
  factor: number | null
  sku: string
  location: string
  group: string
}

/** A series as a plan selects it. */
export interface PlannedPair {
  sku: string
  location: string
  /** The group of its SKU; absent where none is known. */
  group?: string | null
}

/** What a plan says of a series. */
export type SeriesPlan = Pick<DemandHistory, 'plan' | 'plannedUntil' | 'effects'>

interface BookOptions {
  /** Days that are looked at, the first and the day after the last. */
  from: EpochDay
  to: EpochDay
  /** The day after the last one with a promotion of any series in a whole plan; null where it never had one. */
  promotionsUntil: EpochDay | null
}

/** The events of a plan by the series that they concern. */
export class PlanBook {
  readonly #options: BookOptions
  readonly #ofSku: Map<string, PlannedEvent[]>
  /** Events that name no SKU, and the plan of series without others, by location and group. */
  readonly #shared = new Map<string, { events: PlannedEvent[]; plan: SeriesPlan }>()

  constructor(events: readonly PlannedEvent[], options: BookOptions) {
    const { from, to } = options
    this.#options = options
    this.#ofSku = Map.groupBy(
      events.filter((event) => event.from < to && event.to >= from).sort(bySpecificity),
      ({ sku }) => sku,
    )
  }

  planOf(pair: PlannedPair): SeriesPlan {
    const { sku, location, group } = pair
    const concerns = (event: PlannedEvent) => isWithin(event, pair)
    const key = JSON.stringify([location, group])
    let shared = this.#shared.get(key)
    if (!shared) {
      const events = (this.#ofSku.get('') ?? []).filter(concerns)
      this.#shared.set(key, (shared = { events, plan: this.#make(events) }))
    }
    const own = this.#ofSku.get(sku)?.filter(concerns)
    return own?.length ? this.#make([...shared.events, ...own]) : shared.plan
  }

  /** @param events by specificity */
  #make(events: PlannedEvent[]): SeriesPlan {
    const { from, promotionsUntil } = this.#options
    const byKind = Map.groupBy(events, ({ kind }) => kind)
    const spans = PLAN_KINDS.flatMap((kind) => this.#decisive(byKind.get(kind) ?? []))
    const promotions = spans.filter(({ kind, factor }) => kind === 'promotion' && factor !== 1)
    const effects = spans.flatMap(({ factor, ...span }) =>
      factor === null || (factor === 1 && span.kind !== 'holiday') ? [] : { ...span, factor },
    )
    return {
      ...((promotionsUntil !== null || promotions.length > 0) && {
        plan: Int32Array.from(promotions.flatMap(daysOf)),
        plannedUntil: promotionsUntil ?? from,
      }),
      ...(effects.length > 0 && { effects }),
    }
  }

  /** Of events of one kind on one day the most specific one counts. */
  #decisive(events: PlannedEvent[]): Span[] {
    if (!events.length) return []
    const { from, to } = this.#options
    const winners = new Int32Array(to - from).fill(-1)
    events.forEach((event, i) =>
      winners.fill(i, Math.max(0, event.from - from), Math.max(0, event.to + 1 - from)),
    )
    const spans: Span[] = []
    for (let start = 0; start < winners.length;) {
      let end = start
      while (end < winners.length && winners[end] === winners[start]) end++
      const event = events[winners[start]!]
      if (event)
        spans.push({
          ...{ kind: event.kind, factor: factorOf(event) },
          ...{ from: from + start, to: from + end - 1 },
        })
      start = end
    }
    return spans
  }
}

type Span = Pick<PlannedEvent, 'kind' | 'from' | 'to' | 'factor'>

const daysOf = ({ from, to }: Span) => Array.from({ length: to - from + 1 }, (_, i) => from + i)

const factorOf = ({ kind, factor }: PlannedEvent) => (kind === 'closure' ? 0 : factor)

/**
 * Those that name more come later, of as many those that change something, and of these the one that begins later; any order
 * of the events gives the same.
 */
const bySpecificity = (a: PlannedEvent, b: PlannedEvent) =>
  rankOf(a) - rankOf(b) ||
  Number(b.factor === 1) - Number(a.factor === 1) ||
  a.from - b.from ||
  a.to - b.to ||
  (a.factor ?? -1) - (b.factor ?? -1)

type Selectors = Pick<PlannedEvent, 'sku' | 'location' | 'group'>

/** Whether the selectors beside the SKU select a pair. */
export const isWithin = (
  selectors: Pick<Selectors, 'location' | 'group'>,
  { location, group }: PlannedPair,
) =>
  (!selectors.location || selectors.location === location) &&
  (!selectors.group || selectors.group === group)

/** The higher, the more a selection names. */
export const rankOf = ({ sku, group, location }: Selectors) =>
  (sku ? 4 : 0) + (group ? 2 : 0) + (location ? 1 : 0)
