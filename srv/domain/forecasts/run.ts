import cds from '@sap/cds'
import {
  bookingDay,
  byText,
  type DemandHistory,
  EMPTY_CONTEXT,
  historyDays,
  inheritedModel,
  mergeHistories,
  parseModel,
  sharesBefore,
  toDate,
  toEpochDay,
} from '../../../engine/index.ts'
import { runDetached } from '../../base/cap/context.ts'
import { EMPTY_HISTORY, loadForecastHistories } from '../../base/database/demand/histories.ts'
import { loadStockReads, type StockReads } from '../../base/database/demand/stock-history.ts'
import { updateSuccessions } from '../../base/database/demand/series.ts'
import { readAs, Series, Syncs } from '../../base/database/entities.ts'
import { publishEvents } from '../../base/database/events.ts'
import { inBlocks } from '../../base/database/native/index.ts'
import { markAll } from '../../base/database/records/mark-planned.ts'
import { oneOf } from '../../base/database/rows.ts'
import type { LocalDays } from '../../base/time/days.ts'
import { chunkContext, doInChunks } from '../../base/work/chunks.ts'
import { reportProgress, stopSignalOf } from '../../base/work/runs.ts'
import { defineStep, type Of } from '../../base/work/steps.ts'
import { withSource } from '../../base/work/source-turn.ts'
import {
  forecastFrom,
  type KnownDays,
  learnParameters,
  type Learnt,
  loadLearnt,
  noteBegun,
  notePlan,
  outdatedByPlans,
  readKnownDays,
} from './learn.ts'
import { noteForecastsChanged, saveForecasts } from './lookup.ts'
import { Plans } from './plans.ts'
import { historiesInput, onThread } from './threads.ts'

export interface ForecastRun {
  source: number
  sync: number | null
  everything: boolean
}

/**
 * Forecasts the source's series that changed since their last forecast, or all of them. After a restart, or on another
 * instance, a sync continues with the remaining series and the parameters it has learnt before.
 */
export const runForecasts = (request: ForecastRun): Promise<void> =>
  runDetached(`sync_${request.sync}`, () =>
    withSource(request.source, 'forecasts', () => run(request), stopSignalOf(request.sync)),
  )

async function run({ source, sync, ...request }: ForecastRun) {
  const context = chunkContext({ source, sync })
  const known = await readKnownDays(context)
  if (!known) return
  const { asOf, asOfAt, days, today } = known
  const plans = await Plans.load(source, asOf)
  const outdated = await outdatedByPlans(source, asOf, plans)
  const everything = request.everything || outdated.learning
  const isAll = everything || outdated.forecasts
  const isGoingOn = isAll && (await isBegun(context, known))
  await cds.tx(async () => {
    await updateSuccessions(source, asOf)
    // The marks are set before anything is learnt: if the run breaks off later, the series are still marked.
    if (isAll && !isGoingOn) await markAll(source)
  })
  const series = await readAs<{ ID: number; location: string; dirty: boolean }>(
    SELECT.from(Series)
      .columns('ID', 'location', 'dirty')
      .where({ source_ID: source, ledBy: null, ...(!isAll && { dirty: true }) })
      .orderBy('ID'),
  )
  // An earlier attempt may have forecast all, and ended before it said so.
  const hasForecast = await hasProgress(sync)
  if (!series.length && !hasForecast) return
  const learnt = await learnParameters(context, known, plans, everything && !isGoingOn)
  const from = forecastDay(learnt, asOf, today)
  if (isAll && !isGoingOn) await noteBegun(source, sync, from)
  const due = series.filter(({ dirty }) => dirty)
  const byDay = Map.groupBy(due, forecastDays(learnt, asOfAt, days))
  const chunks = [...byDay]
    .sort(([a], [b]) => byText(a, b))
    .flatMap(([day, those]) =>
      [...inBlocks(those)].map((rows) => ({
        input: { asOf: day, series: rows.map(({ ID }) => ID) },
        units: rows.length,
      })),
    )
  // Where nothing is left and there is no progress, an earlier attempt has done and told all.
  if (due.length || hasForecast) {
    const done = series.length - due.length
    await reportProgress(sync, 'forecasting', { done, total: series.length, unit: 'series' }, false)
    await doInChunks(FORECASTING, context, chunks)
    await cds.tx(async () => {
      await noteForecastsChanged()
      const data = { id: `src_${source}`, as_of: chunks.at(-1)?.input.asOf ?? from }
      await publishEvents([
        { type: 'forecast.refreshed', data: { ...data, forecasts: series.length } },
      ])
      // Without progress a later attempt does not say it again.
      await reportProgress(sync, 'forecasting', { done: 0, total: 0, unit: 'series' }, true)
    })
  }
  if (isAll) await notePlan(source, plans)
}

async function hasProgress(sync: number | null): Promise<boolean> {
  if (sync === null) return false
  const row = await SELECT.one.from(Syncs).columns('done').where({ ID: sync })
  return Number(row?.done ?? 0) > 0
}

interface ForecastChunk {
  /** The first forecast day of all its series. */
  asOf: string
  series: number[]
}

const FORECASTING = defineStep<ForecastChunk, null>({
  name: 'forecast',
  isOnThreads: true,
  async work({ asOf, series }, { signal, share, ...of }) {
    const by = await share('known', () => readKnown(of))
    const rows = await readAs<SeriesRow>(
      SELECT.from(Series)
        .columns('ID', 'sku', 'location', 'predecessors', 'endings', 'takesOverOn')
        .where({ ID: oneOf(series) })
        .orderBy('ID'),
    )
    const models = await forecastRows(rows, asOf, by, signal)
    return async () => {
      await saveForecasts(asOf, models)
      return { result: null, isAdvance: true }
    }
  },
})

/** What all forecasts of a run are made from, besides the demand of their series. */
interface Known {
  learnt: Learnt
  plans: Plans | null
  reads: StockReads
}

async function readKnown(of: Of): Promise<Known> {
  const { asOf, asOfAt } = (await readKnownDays(of))!
  const learnt = (await loadLearnt(of.source, asOfAt))!
  const plans = await Plans.load(of.source, asOf)
  return { learnt, plans, reads: await loadStockReads(of.source) }
}

interface SeriesRow {
  ID: number
  sku: string
  location: string
  predecessors: number[] | null
  /** Null without predecessors, and where a former version has stored them. */
  endings: number[] | null
  takesOverOn: string | null
}

/** Forecasts some series that have the same first forecast day. */
async function forecastRows(
  rows: SeriesRow[],
  asOf: string,
  { learnt, plans, reads }: Known,
  signal: AbortSignal | undefined,
) {
  const daysOf = ({ location }: SeriesRow) =>
    historyDays(learnt.contexts.get(location) ?? EMPTY_CONTEXT)
  const histories = new Map<number, DemandHistory>()
  for (const [historyDays, those] of Map.groupBy(rows, daysOf)) {
    const all = new Set(those.flatMap(({ ID, predecessors }) => [ID, ...(predecessors ?? [])]))
    const found = await loadForecastHistories([...all], asOf, { historyDays, reads })
    for (const [ID, history] of found) histories.set(ID, history)
  }
  const historyOf = (ID: number) => histories.get(ID) ?? EMPTY_HISTORY
  const pairs = rows.map(({ ID, sku, location, predecessors, takesOverOn }) => {
    const own = historyOf(ID)
    if (!predecessors) return { sku, location, history: own }
    const former = predecessors.map(historyOf)
    return { sku, location, history: mergeHistories(own, former, toEpochDay(takesOverOn!)) }
  })
  const input = await historiesInput(asOf, pairs, learnt.contexts, plans)
  const models = await onThread<string[]>(
    { ...input, calibration: learnt.calibration },
    { name: 'forecastAll', handsOver: input.histories, signal },
  )
  return rows.map(({ ID, predecessors, endings, takesOverOn }, index) => {
    const model = models[index]!
    if (!predecessors) return { series: ID, model }
    const former = predecessors.map((each, at) => ({
      history: historyOf(each),
      endsOn: endings?.[at] ?? toEpochDay(takesOverOn!),
    }))
    const shares = sharesBefore(historyOf(ID), former, toEpochDay(asOf))
    return { series: ID, model: JSON.stringify(inheritedModel(parseModel(model), shares)) }
  })
}

/** Whether an earlier attempt of this sync has marked all series, to be forecast from the same day as now. */
async function isBegun({ source, sync }: Of, { asOf, asOfAt, today }: KnownDays): Promise<boolean> {
  const from = sync === null ? null : await forecastFrom(source, sync)
  if (from === null) return false
  const learnt = await loadLearnt(source, asOfAt)
  return learnt !== undefined && from === forecastDay(learnt, asOf, today)
}

/** @param known the day after the last one with demand */
const forecastDay = ({ contexts }: Learnt, known: string, today: string): string =>
  toDate(bookingDay(contexts.values(), toEpochDay(known), toEpochDay(today)))

/** The first forecast day of each series, by its location. */
function forecastDays(
  learnt: Learnt,
  knownAt: (location: string) => string,
  days: LocalDays,
): (row: { location: string }) => string {
  const found = new Map<string, string>()
  return ({ location }) => {
    const [known, today] = [knownAt(location), days.of(location)]
    let asOf = found.get(known + today)
    if (asOf === undefined) found.set(known + today, (asOf = forecastDay(learnt, known, today)))
    return asOf
  }
}
