import cds from '@sap/cds'
import type { Page } from '../../../adapters/adapter.ts'
import type { RecordOf } from '../../../adapters/records.ts'
import { type DeletionGuard, guardDeletion } from '../records/deletion-guard.ts'
import { blockOf, blocksOf, type DemandRow, native } from '../native/index.ts'
import { type Reversal, Reversals } from './reversals.ts'
import { SeriesIndex } from './series-index.ts'
import { markForForecast, removeEmptySeries, removeSeriesOf } from './series.ts'
import type { Target } from '../records/target.ts'
import { DemandRows, Series, readAs } from '../entities.ts'
import { inChunks } from '../in-chunks.ts'

type Demand = RecordOf<'demand'>

/** A read of demand under way. */
export class DemandRead implements Target {
  readonly #source: number
  readonly #series: SeriesIndex
  readonly #reversals: Reversals
  /** Stamps what it sees. */
  readonly #read: number
  /** Whether it reads all there is, so that what it does not see is deleted. */
  readonly #whole: boolean

  private constructor(
    { read, whole }: { read: number; whole: boolean },
    series: SeriesIndex,
    reversals: Reversals,
  ) {
    this.#source = series.source
    this.#series = series
    this.#reversals = reversals
    this.#read = read
    this.#whole = whole
  }

  static async begin(source: number, reading: { read: number; whole: boolean }) {
    const series = await SeriesIndex.load(source)
    return new DemandRead(reading, series, await Reversals.load(source, reading.read))
  }

  /**
   * Upserts demand; series whose demand really changed need a new forecast. Documents that are named
   * as deleted are gone, or only what the records say is left of them.
   */
  async write(page: Pick<Page, 'records' | 'deleted'>) {
    const records = page.records as Demand[]
    const numbers = await this.#series.numbersOf(records)
    const rows: DemandRow[] = []
    const reversals: Reversal[] = []
    for (const [at, record] of records.entries()) {
      const { date, quantity, price, promo, document = '', reversalOf } = record
      const row = { series: numbers[at]!, date, document, quantity, price, promo }
      if (reversalOf) reversals.push({ ...row, original: reversalOf })
      else rows.push(row)
    }
    const documents = page.deleted?.map(({ document }) => document!) ?? []
    const deleted = await deleteDocuments(this.#source, documents, rows)
    const placed = await this.#reversals.place(reversals, rows)
    const upserted = await this.#store(rows.concat(placed))
    return { upserted, unchanged: Math.max(0, records.length - upserted), deleted }
  }

  async finish(guard: DeletionGuard): Promise<number> {
    for await (const rows of this.#reversals.placeStored()) await this.#store(rows)
    if (!this.#whole) return 0
    const { deleted, series } = await deleteUnseen(this.#source, this.#read, guard)
    await removeEmptySeries([...series, ...(await this.#reversals.seriesOfPending())])
    return deleted
  }

  /** In the order of the key, which several times over is faster to write; of a repeated key the last. */
  async #store(rows: DemandRow[]): Promise<number> {
    const ordered = rows.sort(byKey)
    const unique = ordered.filter(
      (row, at) => at + 1 === ordered.length || byKey(row, ordered[at + 1]!),
    )
    if (!unique.length) return 0
    const changed = await native().upsertDemand(unique, this.#read, this.#whole)
    await markForForecast(new Set(changed))
    return changed.length
  }
}

function byKey(a: DemandRow, b: DemandRow): number {
  const blocks = blockOf(a.series) - blockOf(b.series)
  if (blocks) return blocks
  if (a.date !== b.date) return a.date < b.date ? -1 : 1
  if (a.series !== b.series) return a.series - b.series
  return a.document < b.document ? -1 : a.document > b.document ? 1 : 0
}

const inSource = (source: number) =>
  cds.parse.expr(`series in (select ID from restock.Series where source.ID = ${source})`)

/** Documents have no index: they are looked for in one pass over the source's demand. */
async function deleteDocuments(source: number, documents: string[], kept: DemandRow[]) {
  const keyOf = ({ series, date, document }: DemandRow) => `${series} ${date} ${document}`
  const stays = new Set(documents.length ? kept.map(keyOf) : [])
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

/** What a whole read did not see. @throws DeletionWithheld */
async function deleteUnseen(source: number, read: number, guard: DeletionGuard) {
  const unseen = await readAs<{ series: number; rows: number }>(
    SELECT.from(DemandRows)
      .columns('series', 'count(*) as rows')
      .where({ seenIn: { '!=': read } })
      .where(inSource(source))
      .groupBy('series')
      .orderBy('series'),
  )
  if (!unseen.length) return { deleted: 0, series: [] }
  const gone = unseen.reduce((sum, { rows }) => sum + Number(rows), 0)
  const [count] = await readAs<{ total: number }>(
    SELECT.from(DemandRows).columns('count(*) as total').where(inSource(source)),
  )
  guardDeletion(gone, Number(count!.total), guard)
  const series = unseen.map((row) => row.series)
  for (const chunk of inChunks(series)) {
    const unseenOf = { block: { in: blocksOf(chunk) }, series: { in: chunk } }
    await DELETE.from(DemandRows).where({ ...unseenOf, seenIn: { '!=': read } })
    await markForForecast(chunk)
  }
  return { deleted: gone, series }
}

/** Whether any demand of a source is stored. */
export async function hasDemand(source: number): Promise<boolean> {
  return Boolean(await SELECT.one.from(DemandRows).columns('series').where(inSource(source)))
}

/** The day after the last one with demand: the first day to forecast; null without any demand. */
export async function demandEnd(source: number): Promise<string | null> {
  const series = await readAs<{ ID: number }>(
    SELECT.from(Series).columns('ID').where({ source_ID: source }),
  )
  let last = ''
  for (const [block, rows] of Map.groupBy(series, ({ ID }) => blockOf(ID))) {
    const later = await SELECT.one
      .from(DemandRows)
      .columns('date')
      .where({
        block,
        date: { '>': last || '0001-01-01' },
        series: { in: rows.map(({ ID }) => ID) },
      })
      .orderBy('date desc')
    if (later) last = later.date
  }
  if (!last) return null
  const next = new Date(`${last}T00:00:00Z`)
  next.setUTCDate(next.getUTCDate() + 1)
  return next.toISOString().slice(0, 10)
}

/** Removes the source's demand and series. */
export const removeDemand = (source: number) => removeSeriesOf(source)
