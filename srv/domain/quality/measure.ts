import cds from '@sap/cds'
import {
  type Confidence,
  type DemandClass,
  EMPTY_CONTEXT,
  historyDays,
  type LocationContext,
  naiveForecast,
  parseModel,
  predictDemand,
  toDate,
  toEpochDay,
  type Units,
} from '../../../engine/index.ts'
import { EMPTY_HISTORY } from '../../base/database/demand/histories.ts'
import { packHistories } from '../../base/database/demand/pack-histories.ts'
import { loadStockReads } from '../../base/database/demand/stock-history.ts'
import { Forecasts, ForecastSamples, readAs, Series } from '../../base/database/entities.ts'
import { withSource } from '../../base/work/source-turn.ts'
import { forecastFrom, loadLearnt, onThread } from '../forecasts/index.ts'
import { keepExpected, scoreExpected } from './erp-forecasts.ts'
import { keepOverridden, scoreOverridden } from './overrides.ts'
import {
  type Case,
  classAt,
  originsBefore,
  REPLAY,
  type Replayed,
  type ReplayInput,
  scoresOf,
  type SeriesCase,
  seriesScoresOf,
  WINDOW,
} from './replay.ts'
import { addGiven, forgetBefore, isReplayed, replaceReplayed } from './scores.ts'
import { loadSampled, PATIENCE, sampleOf, wantedOf } from './wanted.ts'

const LOG = cds.log('forecasting')
/** How many days figures are kept. */
const KEPT = 730

interface Sampled {
  ID: number
  sku: string
  location: string
}

type Contexts = ReadonlyMap<string, LocationContext>

/**
 * Measures the forecasts of each source whose forecasts a sync has all made anew. It never fails: the next sync tries again
 * what could not be measured. If the signal is aborted, the next attempt of the sync measures.
 */
export async function measureForecasts(
  sources: readonly number[],
  sync: number | null,
  signal: AbortSignal,
) {
  for (const source of sources)
    await withSource(source, 'quality', () => measure(source, sync, signal), signal).catch(
      (error: unknown) => {
        if (!signal.aborted)
          LOG.error(`The forecasts of src_${source} could not be measured:`, error)
      },
    )
}

async function measure(source: number, sync: number | null, signal: AbortSignal) {
  const learnt = await loadLearnt(source)
  if (!learnt || (await forecastFrom(source, sync)) === null) return
  const { asOf, contexts } = learnt
  const sample = await readSample(source)
  if (!sample.length) return
  const replay = replayUnlessDone(source, asOf, sample, contexts, signal)
  // Its error is thrown where the scores are awaited.
  replay.catch(() => {})
  const byDay = [...Map.groupBy(sample, ({ forecastOn }) => forecastOn)]
  for (const step of [
    () => scoreSampled(source, asOf, contexts),
    () => scoreOverridden(source, asOf, contexts),
    () => scoreExpected(source, asOf, sample, contexts),
    () => keepOverridden(),
    ...byDay.flatMap(([day, those]) => [
      () => keepExpected(source, day, those),
      () => sampleForecasts(source, day, those, contexts),
    ]),
  ]) {
    signal.throwIfAborted()
    await step()
  }
  const replayed = await replay
  // Without scores the history is still too short.
  if (replayed.scores.length) await replaceReplayed(source, replayed)
  await forgetBefore(source, toDate(toEpochDay(asOf) - KEPT))
}

/** A sample of a source's series, each with the day from which on it is forecast. */
async function readSample(source: number) {
  const sample = sampleOf(
    await readAs<Sampled>(
      SELECT.from(Series)
        .columns('ID', 'sku', 'location')
        .where({ source_ID: source, ledBy: null })
        .orderBy('ID'),
    ),
  )
  const forecasts = await SELECT.from(Forecasts)
    .columns('series', 'asOf')
    .where({ series: { in: sample.map(({ ID }) => ID) } })
  const dayOf = new Map(forecasts.map(({ series, asOf }) => [Number(series), String(asOf)]))
  return sample.flatMap((pair) => {
    const forecastOn = dayOf.get(Number(pair.ID))
    return forecastOn === undefined ? [] : [{ ...pair, forecastOn }]
  })
}

/** Scores the source's past with the present engine, unless that has been done. */
async function replayUnlessDone(
  source: number,
  asOf: string,
  sample: readonly Sampled[],
  contexts: Contexts,
  signal: AbortSignal,
): Promise<Replayed> {
  if (await isReplayed(source)) return { scores: [], series: [] }
  const day = toEpochDay(asOf)
  const origins = originsBefore(day)
  const lookBack = Math.max(
    ...sample.map(({ location }) => historyDays(contexts.get(location) ?? EMPTY_CONTEXT)),
  )
  const numbers = sample.map(({ ID }) => ID)
  const found = await loadSampled(numbers, asOf, {
    historyDays: lookBack + origins.length * WINDOW,
    returns: 'booked',
    reads: await loadStockReads(source),
  })
  const histories = packHistories(numbers.map((ID) => found.get(ID) ?? EMPTY_HISTORY))
  const locations = sample.map(({ location }) => location)
  const knownUntil = Object.fromEntries(
    locations.map((location) => [location, contexts.get(location)?.knownUntil ?? day]),
  )
  const input: ReplayInput = { origins, histories, locations, knownUntil }
  const work = { ...REPLAY, handsOver: histories, signal }
  const { scores, series } = await onThread<Replayed>(input, work)
  return { scores, series: series.map((score) => ({ ...score, series: numbers[score.series]! })) }
}

// Forecasts that were really given are stored for a sample, and scored when their days have passed.

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
async function sampleForecasts(
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
async function scoreSampled(
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
