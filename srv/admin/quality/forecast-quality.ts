import type { Request } from '@sap/cds'
import { Learnt, PairForecasts, readAs, Series } from '../../store/entities.ts'
import { pageOf } from '../rows.ts'
import { countRows } from '../health.ts'
import { measuredFigures, readScores, readRequestedSources } from './parts.ts'
import { send } from '../../services.ts'

/** Forecasts in the sample of a source: shares are accurate to a few percentage points. */
const SAMPLE = 400

type Confidence = 'high' | 'medium' | 'low'

interface Pair {
  sku: string
  location: string
}

/** Number, confidence and measured quality of the forecasts of each source. */
export async function readForecastQuality(request: Request) {
  const rows = []
  for (const { ID, account } of await readRequestedSources(request)) {
    rows.push({
      source: ID,
      number: `src_${ID}`,
      account,
      ...(await readCounts(ID)),
      ...(await readConfidenceShares(ID)),
      ...(await measuredFigures(await readScores(ID))),
    })
  }
  return pageOf(request, rows)
}

interface Calibration {
  buckets?: { windows: number }[]
}

async function readCounts(source: number) {
  const learnt = await SELECT.one.from(Learnt).where({ source_ID: source })
  const of = { source_ID: source }
  const calibration = JSON.parse(learnt?.calibration ?? 'null') as Calibration | null
  const buckets = calibration?.buckets ?? []
  return {
    asOf: learnt?.asOf ?? null,
    engineVersion: learnt?.engineVersion ?? null,
    series: await countRows(Series, of),
    forecasts: await countRows(PairForecasts, { ...of, asOf: { '!=': null } }),
    waiting: await countRows(Series, { ...of, dirty: true }),
    windows: buckets.reduce((sum, { windows }) => sum + windows, 0),
  }
}

/** Every n-th series: an even sample, which stays the same until series are added. */
async function readSample(source: number): Promise<Pair[]> {
  const IDs = await readAs<{ ID: number }>(
    SELECT.from(Series).columns('ID').where({ source_ID: source }).orderBy('ID'),
  )
  const step = Math.max(1, Math.floor(IDs.length / SAMPLE))
  const chosen = IDs.filter((_, at) => at % step === 0).slice(0, SAMPLE)
  return readAs<Pair>(
    SELECT.from(Series)
      .columns('sku', 'location')
      .where({ ID: { in: chosen.map(({ ID }) => ID) } }),
  )
}

async function readConfidenceShares(source: number) {
  const pairs = await readSample(source)
  const answers = pairs.length
    ? await send<{ forecast: { confidence: Confidence } | null }[]>(
        'ForecastingService',
        'lookup',
        {
          ...{ pairs, horizon: null },
        },
      )
    : []
  const found = answers.flatMap(({ forecast }) => forecast?.confidence ?? [])
  const share = (wanted: Confidence) =>
    found.length
      ? Math.round((1000 * found.filter((each) => each === wanted).length) / found.length) / 10
      : null
  return {
    sampled: found.length,
    ...{ highShare: share('high'), mediumShare: share('medium'), lowShare: share('low') },
  }
}
