import { blocksOf } from '../native/index.ts'
import {
  BlockedPairs,
  CurrentOpenOrders,
  DemandRows,
  Exceptions,
  Forecasts,
  ForecastOverrideCases,
  ErpForecastScores,
  ForecastSamples,
  ForecastSeriesScores,
  OpenOrders,
  OpenReversals,
  Series,
  Stockouts,
  readAs,
} from '../entities.ts'
import { inChunks } from '../in-chunks.ts'

/** Asks for a new forecast of these series. */
export async function markForForecast(series: Iterable<number>) {
  for (const chunk of inChunks([...series])) {
    await UPDATE.entity(Series)
      .set({ dirty: true })
      .where({ ID: { in: chunk } })
  }
}

/** Those of some pairs whose demand is gone are gone too, with their forecasts. */
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

/** All pairs of a source, e.g. when its connection is deleted. */
export async function removeSeriesOf(source: number) {
  const gone = await SELECT.from(Series).columns('ID').where({ source_ID: source })
  await removeSeries(gone.map(({ ID }) => ID))
}

/**
 * Pairs of SKUs that the source no longer has, with their history and open orders; one that could not be read is still
 * there.
 */
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
