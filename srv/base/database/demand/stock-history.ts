// The days with and without stock, as the reads of stock found them.
import type { Page } from '../../../../adapters/adapter.ts'
import type { RecordOf } from '../../../../adapters/records.ts'
import {
  type EpochDay,
  LEARNING_DAYS,
  type StockHistory,
  toDate,
  toEpochDay,
} from '../../../../engine/index.ts'
import { type LocalDays, readLocalDays } from '../../time/days.ts'
import {
  readAs,
  Series,
  SeriesStock,
  SeriesStockHistory,
  Sources,
  StockDays,
  StockHistories,
  Stockouts,
} from '../entities.ts'
import { type DeletionGuard, guardDeletion, type Target } from '../records/target.ts'
import { inChunks, oneOf } from '../rows.ts'
import { markForForecast } from './series.ts'

/** The days on which the stock of a source was read, in order. */
async function stockDays(source: number): Promise<string[]> {
  const rows = await SELECT.from(StockDays).where({ source_ID: source }).orderBy('day')
  return rows.map(({ day }) => day)
}

/** The days for which the stock of a source is known. */
export interface StockReads {
  /** Days on which stock was read or reported, ascending. */
  days: Int32Array
  /** Those of them on which it was read. */
  readDays: Int32Array
  hasReports: boolean
  /** The locations of which the ERP reports; null for all. */
  reportedAt: ReadonlySet<string> | null
}

export const NO_READS: StockReads = {
  days: new Int32Array(0),
  readDays: new Int32Array(0),
  hasReports: false,
  reportedAt: null,
}

export async function loadStockReads(source: number): Promise<StockReads> {
  const rows = await SELECT.from(StockDays).where({ source_ID: source }).orderBy('day')
  const daysOf = (some: typeof rows) => Int32Array.from(some, ({ day }) => toEpochDay(day))
  const report = await SELECT.one.from(StockHistories).columns('sku').where({ source_ID: source })
  return {
    days: daysOf(rows),
    readDays: daysOf(rows.filter(({ reported }) => !reported)),
    hasReports: Boolean(report),
    reportedAt: await reportedLocations(source),
  }
}

async function reportedLocations(source: number): Promise<ReadonlySet<string> | null> {
  const row = await SELECT.one.from(Sources).columns('stockHistoryAt').where({ ID: source })
  return row?.stockHistoryAt ? new Set(JSON.parse(row.stockHistoryAt) as string[]) : null
}

/** The stockouts of some series up to the morning of `asOf`. @param reads those of their source */
export async function loadStockHistories(
  series: number[],
  asOf: string,
  { days, readDays, hasReports, reportedAt }: StockReads,
): Promise<(series: number) => StockHistory | undefined> {
  if (!days.length) return () => undefined
  const rows = await SELECT.from(Stockouts)
    .where({ series: { in: series }, firstDay: { '<=': asOf } })
    .orderBy('series', 'firstDay')
  const reported = hasReports ? await loadReportedStockouts(series) : null
  const unreported = reportedAt ? await seriesBeside(reportedAt, series) : null
  const last = toEpochDay(asOf) - 1
  const readBefore = readDays.filter((day) => day <= last)
  const seenOf = Map.groupBy(rows, (row) => row.series)
  return (series) => {
    const seen = unreported?.has(series) ? readBefore : days
    if (!seen.length) return undefined
    const spells = (seenOf.get(series) ?? []).map(({ firstDay, lastDay }): Spell => {
      const first = toEpochDay(firstDay)
      return [first, lastDay ? toEpochDay(lastDay) : Math.max(first, last)]
    })
    spells.push(...(reported?.get(series) ?? []))
    return { seen, empty: Int32Array.from(spells.sort(([a], [b]) => a - b).flat()) }
  }
}

/** Series of locations of which the ERP reports nothing: only what was read there tells of stock. */
async function seriesBeside(reportedAt: ReadonlySet<string>, series: number[]) {
  const rows = await readAs<{ ID: number; location: string }>(
    SELECT.from(Series)
      .columns('ID', 'location')
      .where({ ID: oneOf(series) }),
  )
  return new Set(rows.filter(({ location }) => !reportedAt.has(location)).map(({ ID }) => ID))
}

/** The first and the last day of a stockout. */
type Spell = [first: EpochDay, last: EpochDay]

/** Stockouts of some series that the ERP reports. */
async function loadReportedStockouts(series: number[]): Promise<Map<number, Spell[]>> {
  const rows = await readAs<{ ID: number; stockouts: string }>(
    SELECT.from(SeriesStockHistory).where({ ID: { in: series } }),
  )
  return new Map(rows.map(({ ID, stockouts }) => [ID, JSON.parse(stockouts) as Spell[]]))
}

interface Pair {
  sku: string
  location: string
}

/** A whole read of days without stock that the ERP reports; the first and last day of each stockout are stored. */
export class StockHistoryRead implements Target {
  readonly #source: number
  /** The stored stockouts by pair. */
  readonly #stored: Map<string, string>
  readonly #empty = new Map<string, number[]>()
  readonly #days = new Set<string>()
  readonly #locations = new Set<string>()
  /** The window of days: older ones are not learnt from, and on later ones the stock is read itself. */
  readonly #from: string
  readonly #local: LocalDays

  private constructor(source: number, stored: Map<string, string>, days: LocalDays) {
    this.#source = source
    this.#from = toDate(toEpochDay(days.first) - LEARNING_DAYS)
    this.#local = days
    this.#stored = stored
  }

  static async begin(source: number) {
    const rows = await SELECT.from(StockHistories).where({ source_ID: source })
    const stored = new Map(rows.map((row) => [keyOf(row), row.stockouts!]))
    return new StockHistoryRead(source, stored, await readLocalDays(source))
  }

  storedKeys(): Record<string, string>[] {
    return [...this.#stored.keys()].map((key) => ({ ...pairOf(key) }))
  }

  write({ records }: Pick<Page, 'records'>) {
    for (const { sku, location, date, onHand } of records as RecordOf<'stockHistory'>[]) {
      if (date < this.#from || date >= this.#local.of(location)) continue
      this.#days.add(date)
      this.#locations.add(location)
      if (onHand > 0) continue
      const key = keyOf({ sku, location })
      const days = this.#empty.get(key)
      if (days) days.push(toEpochDay(date))
      else this.#empty.set(key, [toEpochDay(date)])
    }
    return Promise.resolve({ upserted: 0, unchanged: records.length, deleted: 0 })
  }

  async finish(guard: DeletionGuard): Promise<number> {
    const gone = [...this.#stored.keys()].filter((key) => !this.#empty.has(key))
    guardDeletion(gone.length, this.#stored.size, guard)
    const changed = [...this.#empty]
      .map(([key, days]) => ({ key, stockouts: JSON.stringify(spellsOf(days)) }))
      .filter(({ key, stockouts }) => this.#stored.get(key) !== stockouts)
    const source_ID = this.#source
    for (const rows of inChunks(changed)) {
      await UPSERT.into(StockHistories).entries(
        rows.map(({ key, stockouts }) => ({ source_ID, ...pairOf(key), stockouts })),
      )
    }
    await this.#delete(gone.map(pairOf))
    await this.#replaceDays()
    await this.#noteLocations()
    await this.#markForForecast([...gone, ...changed.map(({ key }) => key)].map(pairOf))
    return gone.length
  }

  /** Days on which stock was read stay as they are. */
  async #replaceDays() {
    const of = { source_ID: this.#source }
    await DELETE.from(StockDays).where({ ...of, reported: true })
    const rows = await SELECT.from(StockDays).columns('day').where(of)
    const read = new Set(rows.map(({ day }) => day))
    const days = [...this.#days].filter((day) => !read.has(day))
    if (days.length)
      await INSERT.into(StockDays).entries(days.map((day) => ({ ...of, day, reported: true })))
  }

  /** Where a location comes or goes, all that is forecast there has other days with stock. */
  async #noteLocations() {
    const before = (await reportedLocations(this.#source)) ?? new Set()
    const changed = [...before, ...this.#locations].filter(
      (location) => !(before.has(location) && this.#locations.has(location)),
    )
    if (!changed.length) return
    const stockHistoryAt = JSON.stringify([...this.#locations].sort())
    await UPDATE.entity(Sources).set({ stockHistoryAt }).where({ ID: this.#source })
    for (const location of changed)
      await UPDATE.entity(Series).set({ dirty: true }).where({ source_ID: this.#source, location })
  }

  async #delete(pairs: Pair[]) {
    for (const where of byLocation(pairs))
      await DELETE.from(StockHistories).where({ source_ID: this.#source, ...where })
  }

  async #markForForecast(pairs: Pair[]) {
    for (const where of byLocation(pairs))
      await UPDATE.entity(Series)
        .set({ dirty: true })
        .where({ source_ID: this.#source, ...where })
  }
}

const keyOf = ({ sku, location }: Pair) => JSON.stringify([sku, location])

function pairOf(key: string): Pair {
  const [sku, location] = JSON.parse(key) as [string, string]
  return { sku, location }
}

function* byLocation(pairs: Pair[]) {
  for (const [location, those] of Map.groupBy(pairs, (pair) => pair.location))
    for (const chunk of inChunks(those))
      yield { location, sku: { in: chunk.map(({ sku }) => sku) } }
}

/** The first and last day of each run of consecutive days. */
function spellsOf(days: number[]): [first: number, last: number][] {
  const spells: [number, number][] = []
  for (const day of days.sort((a, b) => a - b)) {
    const spell = spells.at(-1)
    if (spell && day <= spell[1] + 1) spell[1] = day
    else spells.push([day, day])
  }
  return spells
}

// Records the stockouts that each read of stock finds, for as long as forecasts look back.

/** Records the day that it is at each location as one on which stock was read, in the same transaction. */
export async function noteStockRead(source: number) {
  const { usual, others } = await readLocalDays(source)
  const days = new Set([usual, ...others.values()])
  await UPSERT.into(StockDays).entries(
    [...days].map((day) => ({ source_ID: source, day, reported: false })),
  )
}

/** Begins and ends stockouts by the stock that was just read. Calling it twice changes nothing. */
export async function recordStockouts(source: number) {
  const days = await stockDays(source)
  if (!days.length) return
  const local = await readLocalDays(source)
  const empty = await readAs<{ ID: number }>(
    SELECT.from(SeriesStock)
      .columns('ID')
      .where({ source_ID: source, onHand: { '<=': 0 } }),
  )
  const open = await readAs<{ series: number }>(
    SELECT.from(Stockouts).columns('series').where({ lastDay: null })
      .where`series in (select ID from restock.Series where source.ID = ${source})`,
  )
  const now = new Set(empty.map(({ ID }) => ID))
  const before = new Set(open.map(({ series }) => series))
  const begun = [...now].filter((series) => !before.has(series))
  for (const [today, those] of await byLocalDay(begun, local))
    await beginStockouts(those, lastUntil(days, today).day)
  const ended = [...before].filter((series) => !now.has(series))
  for (const [today, those] of await byLocalDay(ended, local)) {
    const { day, dayBefore } = lastUntil(days, today)
    await endStockouts(those, dayBefore, day)
  }
  await markForForecast([...begun, ...ended])
  await forgetOld(source, local.first)
}

/** The last day up to today on which stock was read, and the one before it; the same day if there is none. */
function lastUntil(days: string[], today: string) {
  const past = days.filter((day) => day <= today)
  const day = past.at(-1) ?? days[0]!
  return { day, dayBefore: past.at(-2) ?? day }
}

/** Groups series by the present day of their location. */
async function byLocalDay(series: number[], { usual, others, of }: LocalDays) {
  if (!others.size) return new Map([[usual, series]])
  const locations = new Map<number, string>()
  for (const chunk of inChunks(series)) {
    const rows = await readAs<{ ID: number; location: string }>(
      SELECT.from(Series)
        .columns('ID', 'location')
        .where({ ID: { in: chunk } }),
    )
    for (const { ID, location } of rows) locations.set(Number(ID), location)
  }
  return Map.groupBy(series, (ID) => of(locations.get(Number(ID)) ?? ''))
}

async function beginStockouts(series: number[], firstDay: string) {
  for (const chunk of inChunks(series))
    await UPSERT.into(Stockouts).entries(
      chunk.map((each) => ({ series: each, firstDay, lastDay: null })),
    )
}

/** @param last the last day on which they were found without stock; `day` if that was their only one */
async function endStockouts(series: number[], last: string, day: string) {
  for (const chunk of inChunks(series)) {
    const open = { series: { in: chunk }, lastDay: null }
    await UPDATE.entity(Stockouts)
      .set({ lastDay: last })
      .where({ ...open, firstDay: { '<=': last } })
    await UPDATE.entity(Stockouts).set({ lastDay: day }).where(open)
  }
}

/** Deletes old days, at most once a day, together with the stockouts before them. */
async function forgetOld(source: number, today: string) {
  const day = toDate(toEpochDay(today) - LEARNING_DAYS)
  const gone: unknown = await DELETE.from(StockDays).where({ source_ID: source, day: { '<': day } })
  if (gone) await DELETE.from(Stockouts).where({ lastDay: { '<': day } })
}
