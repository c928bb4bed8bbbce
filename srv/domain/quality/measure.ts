import cds from '@sap/cds'
import {
  EMPTY_CONTEXT,
  historyDays,
  type LocationContext,
  toDate,
  toEpochDay,
} from '../../../engine/index.ts'
import { EMPTY_HISTORY } from '../../base/database/demand/histories.ts'
import { packHistories } from '../../base/database/demand/pack-histories.ts'
import { loadStockReads } from '../../base/database/demand/stock-history.ts'
import { Forecasts, readAs, Series } from '../../base/database/entities.ts'
import { withSource } from '../../base/work/source-turn.ts'
import { forecastFrom, loadLearnt, onThread } from '../forecasts/index.ts'
import { keepExpected, scoreExpected } from './erp-forecasts.ts'
import { keepOverridden, scoreOverridden } from './overrides.ts'
import { originsBefore, REPLAY, type Replayed, type ReplayInput, WINDOW } from './replay.ts'
import { sampleForecasts, scoreSampled } from './sampled-forecasts.ts'
import { forgetBefore, isReplayed, replaceReplayed } from './scores.ts'
import { loadSampled, sampleOf } from './wanted.ts'

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
