import cds from '@sap/cds'
import type { RecordOf } from '../../../../adapters/records.ts'
import { toDate, toEpochDay } from '../../../../engine/index.ts'
import { readLocalDays } from '../../time/days.ts'
import { type Batch, type DeletionGuard, guardDeletion, type Target } from '../records/target.ts'
import {
  blockOf,
  blocksOf,
  type DemandRow,
  type DemandRowList,
  type DocumentDay,
  native,
} from '../native/index.ts'
import { type DemandColumns, packDemand } from './columns.ts'
import { DemandBatch, Reversals, SeenDays, sortRows } from './demand-batch.ts'
import { markForForecast, removeEmptySeries, removeSeriesOf, SeriesIndex } from './series.ts'
import { DemandRows, Series, readAs } from '../entities.ts'
import { inChunks } from '../rows.ts'

type Demand = RecordOf<'demand'>

interface Reading {
  read: number
  whole: boolean
  /** Whether it begins anew when it is interrupted. */
  isRestarted: boolean
}

/** A read of demand under way. */
export class DemandRead implements Target {
  readonly #source: number
  readonly #series: SeriesIndex
  readonly #reversals: Reversals
  /** The stamp of the rows that this read finds. */
  readonly #read: number
  /** Whether it is a whole read, which deletes the rows that it does not find. */
  readonly #whole: boolean
  /**
   * What a whole read has found that is never resumed: days without documents are kept here, so that nothing is written of
   * those that are unchanged. All else is stamped; null where all is.
   */
  readonly #seen: SeenDays | null
  /** The series of each pair that was read. */
  readonly #numbers: number[] = []
  /** Series that are marked for a forecast. */
  readonly #marked = new Set<number>()

  private constructor(
    { read, whole, isRestarted }: Reading,
    series: SeriesIndex,
    reversals: Reversals,
  ) {
    this.#source = series.source
    this.#series = series
    this.#reversals = reversals
    this.#read = read
    this.#whole = whole
    this.#seen = whole && isRestarted ? new SeenDays() : null
  }

  static async begin(source: number, reading: Reading) {
    const series = await SeriesIndex.load(source)
    return new DemandRead(reading, series, await Reversals.load(source, reading.read))
  }

  /**
   * Upserts demand, and marks series whose demand has really changed. Rows of documents that are named as deleted are
   * removed, except those that the records contain.
   */
  async write({ records, demand, deleted: named = [] }: Batch) {
    const columns = demand ?? packDemand(records as Demand[])
    const batch = new DemandBatch(columns, await this.#numbersOf(columns))
    if (this.#seen) batch.noteWholeDays(this.#seen)
    const documents = named.map(({ document }) => document!)
    const deleted = await deleteDocuments(this.#source, documents, batch)
    const resolved = await this.#reversals.dateReversals(batch)
    const upserted =
      (await this.#store(batch.sorted(), batch.series)) + (await this.#storeResolved(resolved))
    return { upserted, unchanged: Math.max(0, batch.length - upserted), deleted }
  }

  async finish(guard: DeletionGuard): Promise<number> {
    for await (const rows of this.#reversals.dateStored()) await this.#storeResolved(rows)
    if (!this.#whole) return 0
    const { deleted, series } = this.#series.areAllNew
      ? { deleted: 0, series: [] }
      : await deleteUnseen(this.#source, this.#read, this.#seen, guard)
    await removeEmptySeries([...series, ...(await this.#reversals.seriesOfPending())])
    return deleted
  }

  /** The series of all pairs of the read so far. */
  async #numbersOf({ firstPair, skus, locations }: DemandColumns): Promise<number[]> {
    const pairs = skus.map((sku, at) => ({ sku, location: locations[at]! }))
    this.#numbers.length = firstPair
    for (const number of await this.#series.numbersOf(pairs)) this.#numbers.push(number)
    return this.#numbers
  }

  #storeResolved(rows: DemandRow[]): Promise<number> {
    return this.#store(
      sortRows(rows),
      rows.map(({ series }) => series),
    )
  }

  /** @param series those of the rows @returns how many rows are new or changed */
  async #store(rows: DemandRowList, series: ArrayLike<number>): Promise<number> {
    if (!rows.length) return 0
    if (this.#areNew(series)) return native().insertDemand(rows, this.#read)
    const changed = await native().upsertDemand(rows, this.#read, this.#stamps)
    await this.#mark(changed)
    return changed.length
  }

  /** Whether an unchanged row is stamped as well. */
  readonly #stamps = ({ document }: DemandRow) => this.#whole && !(this.#seen && !document)

  #areNew(series: ArrayLike<number>): boolean {
    for (let at = 0; at < series.length; at++) if (!this.#series.isNew(series[at]!)) return false
    return true
  }

  /** Each series is marked once, since nothing removes the mark before the read ends. */
  async #mark(changed: number[]) {
    const unmarked = new Set(changed.filter((series) => !this.#isMarked(series)))
    await markForForecast(unmarked)
    for (const series of unmarked) this.#marked.add(series)
  }

  #isMarked(series: number): boolean {
    return this.#series.isNew(series) || this.#marked.has(series)
  }
}

const inSource = (source: number) =>
  cds.parse.expr(`series in (select ID from restock.Series where source.ID = ${source})`)

/** Documents have no index: they are looked for in one pass over the source's demand. */
async function deleteDocuments(source: number, documents: string[], kept: DemandBatch) {
  const keyOf = ({ series, date, document }: DocumentDay) => `${series} ${date} ${document}`
  const stays = new Set<string>()
  if (documents.length) for (let at = 0; at < kept.length; at++) stays.add(keyOf(kept.at(at)))
  let deleted = 0
  for (const chunk of inChunks(documents)) {
    const found = await readAs<DemandRow>(
      SELECT.from(DemandRows)
        .columns('series', 'date', 'document')
        .where({ document: { in: chunk } })
        .where(inSource(source)),
    )
    const gone = found.filter((row) => !stays.has(keyOf(row)))
    for (const { series, date, document } of gone) {
      const key = { block: blockOf(series), date, series, document }
      deleted += await DELETE.from(DemandRows).where(key)
    }
    await markForForecast(new Set(gone.map(({ series }) => series)))
  }
  return deleted
}

/** Rows of a series that a whole read did not find. */
interface Unseen {
  series: number
  rows: number
  /** Which of its rows. */
  where: object
}

/** Deletes the rows that a whole read did not find. @throws DeletionWithheld */
async function deleteUnseen(
  source: number,
  read: number,
  seen: SeenDays | null,
  guard: DeletionGuard,
) {
  const stamped = { seenIn: { '!=': read } }
  const unseen = seen
    ? [
        ...(await countUnseen(source, { ...stamped, document: { '!=': '' } })),
        ...(await findUnseenDays(source, seen)),
      ]
    : await countUnseen(source, stamped)
  if (!unseen.length) return { deleted: 0, series: [] }
  const gone = unseen.reduce((sum, { rows }) => sum + rows, 0)
  const [count] = await readAs<{ total: number }>(
    SELECT.from(DemandRows).columns('count(*) as total').where(inSource(source)),
  )
  guardDeletion(gone, Number(count!.total), guard)
  for (const [where, those] of Map.groupBy(unseen, (each) => each.where)) {
    for (const chunk of inChunks(those.map(({ series }) => series))) {
      const ofSeries = { block: { in: blocksOf(chunk) }, series: { in: chunk } }
      await DELETE.from(DemandRows).where({ ...ofSeries, ...where })
    }
  }
  const series = [...new Set(unseen.map((each) => each.series))]
  for (const chunk of inChunks(series)) await markForForecast(chunk)
  return { deleted: gone, series }
}

async function countUnseen(source: number, where: object): Promise<Unseen[]> {
  const rows = await readAs<{ series: number; rows: number }>(
    SELECT.from(DemandRows)
      .columns('series', 'count(*) as rows')
      .where(where)
      .where(inSource(source))
      .groupBy('series')
      .orderBy('series'),
  )
  return rows.map(({ series, rows }) => ({ series: Number(series), rows: Number(rows), where }))
}

/**
 * Finds whole days that were not seen: those before all that were, since the data of a system often begin a day later each
 * day, and those of series of which more are stored than were seen.
 */
async function findUnseenDays(source: number, seen: SeenDays): Promise<Unseen[]> {
  const first = seen.first === null ? '9999-12-31' : toDate(seen.first)
  const unseen = await countUnseen(source, { document: '', date: { '<': first } })
  const later = { document: '', date: { '>=': first } }
  const suspects = (await countUnseen(source, later)).filter(
    ({ series, rows }) => rows > seen.countOf(series),
  )
  for (const chunk of inChunks(suspects.map(({ series }) => series))) {
    const rows = await readAs<{ series: number; date: string }>(
      SELECT.from(DemandRows)
        .columns('series', 'date')
        .where({ block: { in: blocksOf(chunk) }, series: { in: chunk }, ...later }),
    )
    const gone = rows.filter(({ series, date }) => !seen.has(Number(series), toEpochDay(date)))
    for (const [series, days] of Map.groupBy(gone, (row) => Number(row.series))) {
      const where = { document: '', date: { in: days.map(({ date }) => date) } }
      unseen.push({ series, rows: days.length, where })
    }
  }
  return unseen
}

/** Whether any demand of a source is stored. */
export async function hasDemand(source: number): Promise<boolean> {
  return Boolean(await SELECT.one.from(DemandRows).columns('series').where(inSource(source)))
}

/**
 * The day after the last one with demand: the first day to forecast; null without any demand. Rows dated after the day of
 * their location, such as pre-orders or misspelt years, are left out: they say nothing about the days before them.
 */
export async function demandEnd(source: number): Promise<string | null> {
  let last = ''
  for (const { block, series, today } of await inBlocksOfOneDay(source)) {
    const after = last || '0001-01-01'
    const later = await SELECT.one
      .from(DemandRows)
      .columns('date')
      .where({ block, date: { between: after, and: today }, series: { in: series } })
      .orderBy('date desc')
    if (later) last = later.date
  }
  return last ? toDate(toEpochDay(last) + 1) : null
}

/** The series of a source by block, and by the day of their locations where these have several. */
async function inBlocksOfOneDay(source: number) {
  const days = await readLocalDays(source)
  const all = await readAs<{ ID: number; location: string }>(
    SELECT.from(Series).columns('ID', 'location').where({ source_ID: source }),
  )
  const byBlock = Map.groupBy(all, ({ ID }) => blockOf(ID))
  return [...byBlock].flatMap(([block, rows]) =>
    [...Map.groupBy(rows, ({ location }) => days.of(location))].map(([today, those]) => ({
      ...{ block, today },
      series: those.map(({ ID }) => ID),
    })),
  )
}

/** Removes the source's demand and series. */
export const removeDemand = (source: number) => removeSeriesOf(source)
