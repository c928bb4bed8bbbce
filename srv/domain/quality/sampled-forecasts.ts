// Forecasts that were really given are stored for a sample, and scored when their days have passed.
import cds from '@sap/cds'
import {
  type Confidence,
  type DemandClass,
  EMPTY_CONTEXT,
  type LocationContext,
  naiveForecast,
  parseModel,
  predictDemand,
  toDate,
  toEpochDay,
  type Units,
} from '../../../engine/index.ts'
import { EMPTY_HISTORY } from '../../base/database/demand/histories.ts'
import { Forecasts, ForecastSamples, readAs } from '../../base/database/entities.ts'
import { type Case, classAt, scoresOf, type SeriesCase, seriesScoresOf, WINDOW } from './replay.ts'
import { addGiven } from './scores.ts'
import { loadSampled, PATIENCE, wantedOf } from './wanted.ts'

/** How many days lie between two stored forecasts of a series. */
const PAUSE = 7

interface SampleRow {
  series: number
  asOf: string
  demandClass: DemandClass
  confidence: Confidence
  p10: number
  p50: number
  p90: number
  naiveP10: number | null
  naiveP50: number | null
  naiveP90: number | null
}

/** Stores the present forecasts of a sample, except of series with a recent one. */
export async function sampleForecasts(
  source: number,
  asOf: string,
  sample: readonly { ID: number; location: string }[],
  contexts: ReadonlyMap<string, LocationContext>,
) {
  const day = toEpochDay(asOf)
  const late = await readAs<{ series: number }>(
    SELECT.from(ForecastSamples)
      .columns('series')
      .where({ source_ID: source, asOf: { '>': toDate(day - PAUSE) } }),
  )
  const kept = new Set(late.map(({ series }) => series))
  const contextOf = new Map(sample.map(({ ID, location }) => [ID, contexts.get(location)]))
  const wanted = sample.flatMap(({ ID }) => (kept.has(ID) ? [] : ID))
  if (!wanted.length) return
  const forecasts = await readAs<{ series: number; model: string }>(
    SELECT.from(Forecasts)
      .columns('series', 'model')
      .where({ series: { in: wanted }, asOf }),
  )
  const histories = await loadSampled(wanted, asOf)
  const entries = forecasts.flatMap(({ series, model }) => {
    const history = histories.get(series) ?? EMPTY_HISTORY
    const demandClass = classAt(history, day)
    if (!demandClass) return []
    const { p10, p50, p90, confidence } = predictDemand(parseModel(model), WINDOW)
    const naive = naiveForecast(history, day, contextOf.get(series) ?? EMPTY_CONTEXT, WINDOW)
    return {
      series,
      asOf,
      source_ID: source,
      demandClass,
      confidence,
      p10,
      p50,
      p90,
      naiveP10: naive.p10,
      naiveP50: naive.p50,
      naiveP90: naive.p90,
    }
  })
  if (entries.length) await UPSERT.into(ForecastSamples).entries(entries)
}

/** Scores the forecasts whose days have passed. @param asOf the day up to which demand is known */
export async function scoreSampled(
  source: number,
  asOf: string,
  contexts: ReadonlyMap<string, LocationContext>,
) {
  const day = toEpochDay(asOf)
  const until = (days: number) => ({ source_ID: source, asOf: { '<=': toDate(day - days) } })
  const rows = await readAs<SampleRow>(SELECT.from(ForecastSamples).where(until(WINDOW)))
  const due = rows.map((row) => {
    const lastDay = toDate(toEpochDay(row.asOf) + WINDOW - 1)
    return { ...row, firstDay: row.asOf, lastDay }
  })
  for await (const { rows, wanted } of wantedOf(source, asOf, due, contexts))
    await cds.tx(() => scoreWindow(source, rows, wanted))
  if (due.length) await DELETE.from(ForecastSamples).where(until(WINDOW + PATIENCE))
}

/**
 * Replaces the forecasts of a window by their figures in one transaction, so that none is lost or counted twice. Those of
 * pairs that ran out of stock are deleted without figures.
 */
async function scoreWindow(
  source: number,
  rows: readonly SampleRow[],
  wanted: ReadonlyMap<number, Units>,
) {
  const { asOf } = rows[0]!
  const series = { in: rows.map((row) => row.series) }
  const gone: unknown = await DELETE.from(ForecastSamples).where({ asOf, series })
  if (gone !== rows.length) throw new Error(`another run scores the forecasts of ${asOf}`)
  const cases = rows.flatMap((row) => {
    const demand = wanted.get(row.series)
    return demand === undefined ? [] : [{ ...row, asOf: toEpochDay(asOf), demand }]
  })
  await addGiven(source, scoresOf(cases), seriesScoresOf(cases.flatMap(withNaive)))
}

/** A former version stored no naive forecast; such rows are scored without it. */
function withNaive({
  naiveP10,
  naiveP50,
  naiveP90,
  ...row
}: Omit<SampleRow, 'asOf'> & Case): SeriesCase[] {
  if (naiveP10 === null || naiveP50 === null || naiveP90 === null) return []
  return [{ ...row, naive: { p10: naiveP10, p50: naiveP50, p90: naiveP90 } }]
}
