import cds from '@sap/cds'
import {
  EMPTY_CONTEXT,
  historyDays,
  type LocationContext,
  toDate,
  toEpochDay,
} from '../../../engine/index.ts'
import { EMPTY_HISTORY } from '../../base/database/demand/histories.ts'
import { loadStockReads } from '../../base/database/demand/stock-history.ts'
import { packHistories } from '../forecasts/pack-histories.ts'
import { type Replayed, replaySample } from '../forecasts/pool.ts'
import { WINDOW } from './replay.ts'
import { keepExpected, scoreExpected } from './erp-forecasts.ts'
import { sampleForecasts, scoreSampled } from './sampled-forecasts.ts'
import { keepOverridden, scoreOverridden } from './overrides.ts'
import { originsBefore } from './replay.ts'
import { loadSampled, sampleOf } from './wanted.ts'
import { forgetBefore, isReplayed, replaceReplayed } from './scores.ts'

const LOG = cds.log('forecasting')
/** Days that figures are kept for. */
const KEPT = 730

interface Series {
  ID: number
  sku: string
  location: string
}

type Contexts = Map<string, LocationContext>

/**
 * Measures how good a source's forecasts are, after all of them were made anew. What fails here is tried
 * again after the next time: the forecasts themselves are there.
 * @param days until when demand is known everywhere, and by the day from which on they are forecast the series
 * @throws where the signal is aborted: whoever goes on measures
 */
export async function measureQuality(
  source: number,
  { known, byDay }: { known: string; byDay: [asOf: string, series: Series[]][] },
  series: Series[],
  contexts: Contexts,
  replay: Replay,
  signal: AbortSignal | undefined,
) {
  try {
    const sample = sampleOf(series)
    const sampled = new Set(sample)
    const ofDays = byDay.map(
      ([asOf, those]) => [asOf, those.filter((each) => sampled.has(each))] as const,
    )
    for (const step of [
      () => scoreSampled(source, known, contexts),
      () => scoreOverridden(source, known, contexts),
      () => scoreExpected(source, known, sample, contexts),
      () => keepOverridden(),
      ...ofDays.flatMap(([asOf, own]) => [
        () => keepExpected(source, asOf, own),
        () => sampleForecasts(source, asOf, own, contexts),
      ]),
    ]) {
      signal?.throwIfAborted()
      await step()
    }
    const { scores, series: ofSeries } = await replay
    // Without any case the past is too short still.
    if (scores.length) await replaceReplayed(source, scores, ofSeries)
    await forgetBefore(source, toDate(toEpochDay(known) - KEPT))
  } catch (error) {
    if (signal?.aborted) throw error
    LOG.error(`The forecasts of src_${source} could not be measured:`, error)
  }
}

/** The scores of a source's past, where they are not there yet. */
export type Replay = Promise<Replayed>

const NOTHING: Replayed = { scores: [], series: [] }

/** Goes on beside other work of the threads, and fails where its scores are waited for. */
export function startReplay(
  source: number,
  asOf: string,
  series: Series[],
  contexts: Contexts,
  signal: AbortSignal | undefined,
): Replay {
  const replay = isReplayed(source).then((isThere) =>
    isThere ? NOTHING : replayPast(source, asOf, sampleOf(series), contexts, signal),
  )
  replay.catch(() => {})
  return replay
}

async function replayPast(
  source: number,
  asOf: string,
  sample: Series[],
  contexts: Contexts,
  signal: AbortSignal | undefined,
) {
  const day = toEpochDay(asOf)
  const origins = originsBefore(day)
  const lookBack = Math.max(
    ...sample.map(({ location }) => historyDays(contexts.get(location) ?? EMPTY_CONTEXT)),
  )
  const histories = await loadSampled(
    sample.map(({ ID }) => ID),
    asOf,
    {
      historyDays: lookBack + origins.length * WINDOW,
      returns: 'booked',
      reads: await loadStockReads(source),
    },
  )
  const task = {
    origins,
    histories: packHistories(sample.map(({ ID }) => histories.get(ID) ?? EMPTY_HISTORY)),
    locations: sample.map(({ location }) => location),
    knownUntil: Object.fromEntries(
      sample.map(({ location }) => [location, contexts.get(location)?.knownUntil ?? day]),
    ),
  }
  const { scores, series } = await replaySample(task, signal)
  return { scores, series: series.map((score) => ({ ...score, series: sample[score.series]!.ID })) }
}
