// Forecasts that were given: kept for a sample, and scored when their days have passed.
import cds from '@sap/cds'
import {
  EMPTY_CONTEXT,
  naiveForecast,
  predictDemand,
  type Confidence,
  type DemandClass,
  type LocationContext,
  parseModel,
  toDate,
  toEpochDay,
} from '../../../engine/index.ts'
import { EMPTY_HISTORY } from '../../base/database/demand/histories.ts'
import { type Case, classAt, scoresOf, type SeriesCase, seriesScoresOf, WINDOW } from './replay.ts'
import { loadSampled } from './wanted.ts'
import { isKnown, locationsOf, wantedIn } from './wanted.ts'
import { addGiven, addGivenSeries } from './scores.ts'

const SAMPLES = 'restock.ForecastSamples'

/** Days between two forecasts of a series that are kept. */
const PAUSE = 7
/** Days after which a window is let go whose demand never came. */
const PATIENCE = 56

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

/** Keeps the present forecasts of a sample, but for series of which a late one is kept already. */
export async function sampleForecasts(
  source: number,
  asOf: string,
  sample: readonly { ID: number; location: string }[],
  contexts: Map<string, LocationContext>,
) {
  const day = toEpochDay(asOf)
  const late = (await SELECT.from(SAMPLES)
    .columns('series')
    .where({ source_ID: source, asOf: { '>': toDate(day - PAUSE) } })) as { series: number }[]
  const kept = new Set(late.map(({ series }) => series))
  const contextOf = new Map(sample.map(({ ID, location }) => [ID, contexts.get(location)]))
  const wanted = sample.flatMap(({ ID }) => (kept.has(ID) ? [] : ID))
  if (!wanted.length) return
  const forecasts = (await SELECT.from('restock.Forecasts')
    .columns('series', 'model')
    .where({ series: { in: wanted }, asOf })) as { series: number; model: string }[]
  const histories = await loadSampled(wanted, asOf)
  const entries = forecasts.flatMap(({ series, model }) => {
    const history = histories.get(series) ?? EMPTY_HISTORY
    const demandClass = classAt(history, day)
    if (!demandClass) return []
    const { p10, p50, p90, confidence } = predictDemand(parseModel(model), WINDOW)
    const naive = naiveForecast(history, day, contextOf.get(series) ?? EMPTY_CONTEXT, WINDOW)
    return {
      ...{ series, asOf, source_ID: source, demandClass, confidence, p10, p50, p90 },
      ...{ naiveP10: naive.p10, naiveP50: naive.p50, naiveP90: naive.p90 },
    }
  })
  if (entries.length) await UPSERT.into(SAMPLES).entries(entries)
}

/** Scores the forecasts whose days have passed. @param asOf up to when demand is known */
export async function scoreSampled(
  source: number,
  asOf: string,
  contexts: Map<string, LocationContext>,
) {
  const day = toEpochDay(asOf)
  const of = { source_ID: source }
  const due = (await SELECT.from(SAMPLES).where({
    ...of,
    asOf: { '<=': toDate(day - WINDOW) },
  })) as SampleRow[]
  if (!due.length) return
  const locations = await locationsOf(due)
  const contextOf = ({ series }: SampleRow) => contexts.get(locations.get(series) ?? '')
  for (const [start, rows] of Map.groupBy(due, (row) => row.asOf)) {
    const end = toEpochDay(start) + WINDOW
    await scoreWindow(
      source,
      start,
      contextOf,
      rows.filter((row) => isKnown(contextOf(row), end, day)),
    )
  }
  await DELETE.from(SAMPLES).where({ ...of, asOf: { '<=': toDate(day - WINDOW - PATIENCE) } })
}

/**
 * Its forecasts are gone and their figures there at once: none is lost, none counts twice. Those that ran out of stock
 * are gone without figures.
 */
async function scoreWindow(
  source: number,
  start: string,
  contextOf: (row: SampleRow) => LocationContext | undefined,
  rows: SampleRow[],
) {
  if (!rows.length) return
  const asOf = toEpochDay(start)
  const end = asOf + WINDOW
  const series = rows.map((row) => row.series)
  const wanted = await wantedIn(source, { from: asOf, to: end }, rows, contextOf)
  const cases = rows.flatMap((row) => {
    const demand = wanted.get(row.series)
    return demand === undefined ? [] : [{ ...row, asOf, demand }]
  })
  await cds.tx(async () => {
    const gone: unknown = await DELETE.from(SAMPLES).where({ asOf: start, series: { in: series } })
    if (gone !== rows.length) throw new Error(`another run scores the forecasts of ${start}`)
    await addGiven(source, scoresOf(cases))
    await addGivenSeries(source, seriesScoresOf(cases.flatMap(withNaive)))
  })
}

/** What was kept by a version that kept no yardstick is scored without one. */
function withNaive({
  naiveP10,
  naiveP50,
  naiveP90,
  ...row
}: Omit<SampleRow, 'asOf'> & Case): SeriesCase[] {
  if (naiveP10 === null || naiveP50 === null || naiveP90 === null) return []
  return [{ ...row, naive: { p10: naiveP10, p50: naiveP50, p90: naiveP90 } }]
}
