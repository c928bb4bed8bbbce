// The planned events of a source, for the series that are forecast.
import {
  type EpochDay,
  LEARNING_DAYS,
  MAX_HORIZON_DAYS,
  PlanBook,
  type PlannedEvent,
  type PlanKind,
  type SeriesPlan,
  toEpochDay,
} from '../../../engine/index.ts'
import { PlannedEvents, readAs, Skus } from '../../base/database/entities.ts'
import { inChunks } from '../../base/database/rows.ts'
import type { EventSelector } from '../../base/database/records/mark-planned.ts'

interface PlannedEventRow extends EventSelector {
  kind: PlanKind
  firstDay: string
  lastDay: string
  factor: number | null
}

const COLUMNS = [
  ...(['kind', 'sku', 'location', 'skuGroup'] as const),
  ...(['firstDay', 'lastDay', 'factor'] as const),
]

export interface Pair {
  sku: string
  location: string
}

/** The planned events of one source, looked up for some series at a time. */
export class Plans {
  readonly #source: number
  readonly #asOf: EpochDay
  /** The last day with a promotion that the source plans; null if it never planned one. */
  readonly lastPromotion: string | null
  /** Events that name no SKU. */
  readonly #wide: PlannedEvent[]
  readonly #hasOfSkus: boolean

  private constructor(
    source: number,
    asOf: string,
    lastPromotion: string | null,
    wide: PlannedEvent[],
    hasOfSkus: boolean,
  ) {
    this.#source = source
    this.#asOf = toEpochDay(asOf)
    this.lastPromotion = lastPromotion
    this.#wide = wide
    this.#hasOfSkus = hasOfSkus
  }

  /** @param asOf the first forecast day @returns null if nothing was ever planned */
  static async load(source: number, asOf: string): Promise<Plans | null> {
    const wide = await readAs<PlannedEventRow>(
      SELECT.from(PlannedEvents).columns(...COLUMNS)
        .where`sku = '' and origin != 'holiday' and (source.ID = ${source} or source.ID is null)`,
    )
    const ofSku = await SELECT.one.from(PlannedEvents).columns('ID')
      .where`sku != '' and (source.ID = ${source} or source.ID is null)`
    if (!wide.length && !ofSku) return null
    const last = await SELECT.one.from(PlannedEvents).columns('lastDay')
      .where`kind = 'promotion' and origin = 'source' and source.ID = ${source}`.orderBy(
      'lastDay desc',
    )
    return new Plans(source, asOf, last?.lastDay ?? null, wide.map(toEvent), Boolean(ofSku))
  }

  async of(pairs: readonly Pair[]): Promise<SeriesPlan[]> {
    const skus = [...new Set(pairs.map(({ sku }) => sku))]
    const events = [...this.#wide]
    if (this.#hasOfSkus)
      for (const chunk of inChunks(skus)) events.push(...(await this.#eventsOf(chunk)))
    const groups = events.some(({ group }) => group) ? await this.#groupsOf(skus) : null
    const book = new PlanBook(events, {
      from: this.#asOf - LEARNING_DAYS,
      to: this.#asOf + 2 * MAX_HORIZON_DAYS,
      promotionsUntil: this.lastPromotion === null ? null : toEpochDay(this.lastPromotion) + 1,
    })
    return pairs.map(({ sku, location }) =>
      book.planOf({ sku, location, group: groups?.get(sku) ?? null }),
    )
  }

  async #eventsOf(skus: string[]): Promise<PlannedEvent[]> {
    const rows = await readAs<PlannedEventRow>(
      SELECT.from(PlannedEvents).columns(...COLUMNS)
        .where`sku in ${skus} and (source.ID = ${this.#source} or source.ID is null)`,
    )
    return rows.map(toEvent)
  }

  async #groupsOf(skus: string[]): Promise<Map<string, string>> {
    const groups = new Map<string, string>()
    for (const chunk of inChunks(skus)) {
      const where = { source_ID: this.#source, sku: { in: chunk } }
      const rows = await SELECT.from(Skus).columns('sku', 'skuGroup').where(where)
      for (const { sku, skuGroup } of rows) if (skuGroup) groups.set(sku, skuGroup)
    }
    return groups
  }
}

const toEvent = ({ kind, sku, location, skuGroup, ...row }: PlannedEventRow): PlannedEvent => ({
  ...{ kind, sku, location, group: skuGroup, factor: row.factor },
  from: toEpochDay(row.firstDay),
  to: toEpochDay(row.lastDay),
})
