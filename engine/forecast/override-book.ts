import { isWithin, type PlannedPair, rankOf } from '../series/plan-book.ts'
import type { Units } from '../types.ts'
import type { ForecastModel } from './model.ts'
import { type DayOverride, dayOverrides, expectedOf, type ForecastOverride } from './override.ts'

/** An override with the pairs that it names; a selector that is empty selects all. */
export interface SelectedOverride extends ForecastOverride {
  sku: string
  location: string
  group: string
}

/** What the forecasts expect of the days of a number, of all its pairs. */
export interface ExpectedTotal {
  units: Units
  pairs: number
}

/** Overrides by the pairs that they concern. */
export class OverrideBook {
  readonly #bySku: Map<string, SelectedOverride[]>
  readonly #totals: ReadonlyMap<number, ExpectedTotal>

  /** @param totals by override, of the numbers that may concern several pairs */
  constructor(
    overrides: readonly SelectedOverride[],
    totals: ReadonlyMap<number, ExpectedTotal> = new Map(),
  ) {
    this.#bySku = Map.groupBy(overrides, ({ sku }) => sku)
    this.#totals = totals
  }

  get all(): SelectedOverride[] {
    return [...this.#bySku.values()].flat()
  }

  get isEmpty(): boolean {
    return this.#bySku.size === 0
  }

  /** As they move the forecast of a pair; none in most cases. */
  of(pair: PlannedPair, model: ForecastModel): DayOverride[] {
    const wide = this.#bySku.get('') ?? []
    const own = this.#bySku.get(pair.sku) ?? []
    if (!wide.length && !own.length) return NONE
    const found = [...wide, ...own].filter((override) => isWithin(override, pair)).sort(byDecision)
    if (!found.length) return NONE
    return dayOverrides(model, found, (override) => this.#shareOf(override, model))
  }

  /** By what is expected of it, or the same for all where nothing is. */
  #shareOf(override: ForecastOverride, model: ForecastModel): number {
    const total = this.#totals.get(override.ID)
    if (!total) return 1
    return total.units > 0 ? expectedOf(model, override) / total.units : 1 / total.pairs
  }
}

/** What names more decides, and of as much what was said later. */
const byDecision = (a: SelectedOverride, b: SelectedOverride) =>
  rankOf(a) - rankOf(b) || a.ID - b.ID

const NONE: DayOverride[] = []
