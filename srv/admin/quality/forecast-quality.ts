import cds, { type Request } from '@sap/cds'
import { Learnt, PairForecasts, readAs, Series } from '../../store/entities.ts'
import { answer } from '../computed-rows.ts'
import { count } from '../health.ts'
import { measured, scoresOf, sourcesOf } from './parts.ts'
import { send } from '../services.ts'

const { SELECT } = cds.ql

/** Forecasts of a source whose confidence is looked at: shares are right to a few per cent. */
const SAMPLE = 400

type Confidence = 'high' | 'medium' | 'low'

interface Pair {
  sku: string
  location: string
}

/** What of each source is forecast, how sure a sample of the forecasts is, and how good they were. */
export async function forecastQuality(request: Request) {
  const rows = []
  for (const { ID, account } of await sourcesOf(request)) {
    rows.push({
      source: ID,
      number: `src_${ID}`,
      account,
      ...(await countsOf(ID)),
      ...(await sharesOf(ID)),
      ...(await measured(await scoresOf(ID))),
    })
  }
  return answer(request, rows)
}

interface Calibration {
  buckets?: { windows: number }[]
}

async function countsOf(source: number) {
  const learnt = await SELECT.one.from(Learnt).where({ source_ID: source })
  const of = { source_ID: source }
  const calibration = JSON.parse(learnt?.calibration ?? 'null') as Calibration | null
  const buckets = calibration?.buckets ?? []
  return {
    asOf: learnt?.asOf ?? null,
    engineVersion: learnt?.engineVersion ?? null,
    series: await count(Series, of),
    forecasts: await count(PairForecasts, { ...of, asOf: { '!=': null } }),
    waiting: await count(Series, { ...of, dirty: true }),
    windows: buckets.reduce((sum, { windows }) => sum + windows, 0),
  }
}

/** Every n-th series, so that the sample is spread over all of them, and the same until series come. */
async function sampleOf(source: number): Promise<Pair[]> {
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

async function sharesOf(source: number) {
  const pairs = await sampleOf(source)
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
