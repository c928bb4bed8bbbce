import { takeNumbers } from '../counters.ts'
import {
  BlockedPairs,
  CurrentOpenOrders,
  DemandRows,
  ErpForecastScores,
  Exceptions,
  ForecastOverrideCases,
  Forecasts,
  ForecastSamples,
  ForecastSeriesScores,
  OpenOrders,
  OpenReversals,
  readAs,
  Series,
  Stockouts,
} from '../entities.ts'
import { blocksOf } from '../native/index.ts'
import { inChunks } from '../rows.ts'

/** Stands for a number that is still to be assigned. */
const PENDING = 0

interface Pair {
  sku: string
  location: string
}

/** The numbers of a source's series, kept for the length of a read. */
export class SeriesIndex {
  readonly source: number
  /** The first number assigned here: series from it on are new and marked for a forecast. */
  #firstNew = Infinity
  readonly #locations = new Map<string, Map<string, number>>()
  /** Whether the source had none before, so that nothing can be left of an earlier read. */
  readonly areAllNew: boolean

  private constructor(source: number, areAllNew: boolean) {
    this.source = source
    this.areAllNew = areAllNew
  }

  static async load(source: number): Promise<SeriesIndex> {
    const rows = await readAs<{ ID: number } & Pair>(
      SELECT.from(Series).columns('ID', 'sku', 'location').where({ source_ID: source }),
    )
    const index = new SeriesIndex(source, !rows.length)
    for (const { ID, ...pair } of rows) index.#set(pair, ID)
    return index
  }

  get({ sku, location }: Pair): number | undefined {
    return this.#locations.get(location)?.get(sku)
  }

  isNew(series: number): boolean {
    return series >= this.#firstNew
  }

  #set({ sku, location }: Pair, ID: number) {
    let skus = this.#locations.get(location)
    if (!skus) this.#locations.set(location, (skus = new Map<string, number>()))
    skus.set(sku, ID)
  }

  /** The number of each pair; unknown pairs are assigned one, in the caller's transaction. */
  async numbersOf(pairs: readonly Pair[]): Promise<number[]> {
    const fresh: Pair[] = []
    const numbers = pairs.map((pair) => {
      const known = this.get(pair)
      if (known !== undefined) return known
      this.#set(pair, PENDING)
      fresh.push(pair)
      return PENDING
    })
    if (!fresh.length) return numbers
    await this.#add(fresh)
    return numbers.map((number, at) => (number === PENDING ? this.get(pairs[at]!)! : number))
  }

  async #add(fresh: Pair[]) {
    const first = await takeNumbers('series', fresh.length)
    this.#firstNew = Math.min(this.#firstNew, first)
    const entries = fresh.map(({ sku, location }, at) => ({
      ...{ ID: first + at, source_ID: this.source, sku, location, dirty: true },
    }))
    for (const { ID, ...pair } of entries) this.#set(pair, ID)
    await INSERT.into(Series).entries(entries)
  }
}

/** Asks for a new forecast of these series. */
export async function markForForecast(series: Iterable<number>) {
  for (const chunk of inChunks([...series])) {
    await UPDATE.entity(Series)
      .set({ dirty: true })
      .where({ ID: { in: chunk } })
  }
}

/** Removes those of some series that have no demand left, with their forecasts. */
export async function removeEmptySeries(series: number[]) {
  for (const chunk of inChunks(series)) {
    const left = await readAs<{ series: number }>(
      SELECT.distinct
        .from(DemandRows)
        .columns('series')
        .where({ block: { in: blocksOf(chunk) }, series: { in: chunk } }),
    )
    const kept = new Set(left.map((row) => row.series))
    await removeSeries(chunk.filter((each) => !kept.has(each)))
  }
}

/** Removes the series of one SKU. */
export async function removeSeriesNamed(source: number, sku: string) {
  const gone = await SELECT.from(Series).columns('ID').where({ source_ID: source, sku })
  if (gone.length) await removeSeries(gone.map(({ ID }) => ID))
}

/** Removes all series of a source, e.g. when its connection is deleted. */
export async function removeSeriesOf(source: number) {
  const gone = await SELECT.from(Series).columns('ID').where({ source_ID: source })
  await removeSeries(gone.map(({ ID }) => ID))
}

/** Removes the pairs of SKUs that the source no longer has. A SKU whose row was rejected still exists. */
export async function removeVanishedSkus(source: number) {
  const pairs = await readAs<{ ID: number }>(ofGoneSkus(Series, 'ID', source))
  await removeSeries(pairs.map(({ ID }) => ID))
  const ordered = await readAs<{ sku: string }>(ofGoneSkus(CurrentOpenOrders, 'sku', source))
  for (const chunk of inChunks(ordered.map(({ sku }) => sku)))
    await DELETE.from(OpenOrders).where({ source_ID: source, sku: { in: chunk } })
}

const ofGoneSkus = (
  entity: typeof Series | typeof CurrentOpenOrders,
  column: 'ID' | 'sku',
  source: number,
) =>
  SELECT.distinct.from(entity).alias('s').columns(column)
    .where`s.source_ID = ${source} and not exists (select 1 as one from restock.Skus as k where k.source.ID = s.source_ID and k.sku = s.sku) and not exists (select 1 as one from restock.QuarantinedRows as q where q.source.ID = s.source_ID and q.record = 'skus' and q.sku = s.sku)`

async function removeSeries(series: number[]) {
  for (const IDs of inChunks(series)) {
    const chunk = { in: IDs }
    await DELETE.from(DemandRows).where({ block: { in: blocksOf(IDs) }, series: chunk })
    const bySeries = [
      OpenReversals,
      Stockouts,
      Forecasts,
      ForecastOverrideCases,
      ErpForecastScores,
      ForecastSamples,
      ForecastSeriesScores,
      BlockedPairs,
      Exceptions,
    ]
    for (const entity of bySeries) {
      await DELETE.from(entity).where({ series: chunk })
    }
    await DELETE.from(Series).where({ ID: chunk })
  }
}
