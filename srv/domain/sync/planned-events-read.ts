import type { Page } from '../../../adapters/adapter.ts'
import type { RecordOf } from '../../../adapters/records.ts'
import { LEARNING_DAYS, toDate, toEpochDay } from '../../../engine/index.ts'
import { takeNumbers } from '../../base/database/counters.ts'
import { PlannedEvents, readAs } from '../../base/database/entities.ts'
import { inChunks } from '../../base/database/rows.ts'
import { insertRows } from '../../base/database/native/bulk.ts'
import type { Target } from '../../base/database/records/target.ts'
import { type LocalDays, readLocalDays } from '../../base/time/days.ts'
import { markPlanned } from '../../base/database/records/mark-planned.ts'

type PlannedEvent = RecordOf<'plannedEvents'>
type StoredEvent = PlannedEvent & { ID: number }

const COLUMNS = [
  ...(['ID', 'kind', 'sku', 'location', 'skuGroup', 'name'] as const),
  ...(['firstDay', 'lastDay', 'factor', 'price'] as const),
]

/**
 * A whole read of a source's planned events, stored at its end: if it breaks off, the plan stays as it was. For each kind it
 * replaces all events from its first one or from today, whichever is earlier. Earlier ones stay, because forecasts learn from
 * them.
 */
export class PlannedEventsRead implements Target {
  readonly #source: number
  readonly #days: LocalDays
  /** Stored events by key that the read has not met yet. */
  readonly #stored: Map<string, StoredEvent>
  readonly #added: PlannedEvent[] = []
  readonly #changed: StoredEvent[] = []
  /** By kind, the first day from which the read replaces all events. */
  readonly #from = new Map<string, string>()

  private constructor(source: number, stored: StoredEvent[], days: LocalDays) {
    this.#source = source
    this.#days = days
    this.#stored = new Map(stored.map((event) => [keyOf(event), event]))
  }

  static async begin(source: number) {
    const rows = await readAs<StoredEvent>(
      SELECT.from(PlannedEvents)
        .columns(...COLUMNS)
        .where({ source_ID: source, origin: 'source' }),
    )
    return new PlannedEventsRead(source, rows, await readLocalDays(source))
  }

  /** Of what is over nothing is deleted. */
  storedKeys(): Record<string, string>[] {
    return [...this.#stored.values()]
      .filter(({ lastDay }) => lastDay >= this.#days.first)
      .map(({ sku, location, skuGroup, kind, firstDay, name }) => {
        return { sku, location, skuGroup, kind, firstDay, name }
      })
  }

  write({ records }: Pick<Page, 'records'>) {
    const events = records as PlannedEvent[]
    let unchanged = 0
    for (const event of events) {
      const key = keyOf(event)
      const stored = this.#stored.get(key)
      this.#stored.delete(key)
      if (event.firstDay < this.#firstDayOf(event)) this.#from.set(event.kind, event.firstDay)
      if (!stored) this.#added.push(event)
      else if (valuesOf(stored) !== valuesOf(event)) this.#changed.push({ ...stored, ...event })
      else unchanged++
    }
    return Promise.resolve({ upserted: events.length - unchanged, unchanged, deleted: 0 })
  }

  /** A plan may change completely from one day to the next, so any number of events may be deleted. */
  async finish(): Promise<number> {
    const forgotten = toDate(toEpochDay(this.#days.first) - LEARNING_DAYS)
    const gone: StoredEvent[] = []
    for (const event of this.#stored.values()) {
      const from = this.#firstDayOf(event)
      if (event.firstDay >= from || event.lastDay < forgotten) gone.push(event)
      else if (event.lastDay >= from) this.#changed.push({ ...event, lastDay: dayBefore(from) })
    }
    await this.#delete(gone)
    await this.#insert(this.#added)
    await this.#upsert(this.#changed)
    await markPlanned(this.#source, [...gone, ...this.#added, ...this.#changed])
    return gone.length
  }

  #firstDayOf({ kind, location }: PlannedEvent): string {
    const { of, last } = this.#days
    return this.#from.get(kind) ?? (location ? of(location) : last)
  }

  async #insert(events: PlannedEvent[]) {
    if (!events.length) return
    const first = await takeNumbers('plannedEvent', events.length)
    const of = { source_ID: this.#source, origin: 'source' }
    const rows = events.map((event, i) => ({ ID: first + i, ...of, ...event }))
    await insertRows(PlannedEvents, rows)
  }

  async #upsert(events: StoredEvent[]) {
    const of = { source_ID: this.#source, origin: 'source' as const }
    for (const chunk of inChunks(events))
      await UPSERT.into(PlannedEvents).entries(chunk.map((event) => ({ ...of, ...event })))
  }

  async #delete(events: StoredEvent[]) {
    for (const chunk of inChunks(events))
      await DELETE.from(PlannedEvents).where({ ID: { in: chunk.map(({ ID }) => ID) } })
  }
}

const dayBefore = (day: string) => toDate(toEpochDay(day) - 1)

const keyOf = ({ sku, location, skuGroup, kind, firstDay, name }: PlannedEvent) =>
  JSON.stringify([sku, location, skuGroup, kind, firstDay, name])

const valuesOf = ({ lastDay, factor, price }: PlannedEvent) =>
  JSON.stringify([lastDay, factor, price])
