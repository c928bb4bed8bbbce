import cds from '@sap/cds'
import {
  bookingDay,
  type DemandHistory,
  EMPTY_CONTEXT,
  historyDays,
  inheritedModel,
  mergeHistories,
  parseModel,
  toDate,
  toEpochDay,
} from '../../engine/index.ts'
import { noteForecastsChanged, saveForecasts } from '../store/forecasts.ts'
import { EMPTY_HISTORY, loadForecastHistories } from '../store/demand/histories.ts'
import { loadStockReads, type StockReads } from '../store/demand/stock-history.ts'
import { updateSuccessions } from '../store/demand/successions.ts'
import { type NewEvent, publishEvents } from '../store/events/publish.ts'
import { markAll } from '../store/plans/mark-planned.ts'
import { Plans } from '../store/plans/plans.ts'
import { inBlocks } from '../store/native/index.ts'
import { Sources } from '../store/entities.ts'
import { reportProgress, stopSignalOf } from '../store/runs.ts'
import { withSource } from '../store/source-turn.ts'
import { today } from '../store/today.ts'
import {
  contextsFor,
  forecastFrom,
  learnParameters,
  type Learnt,
  loadLearnt,
  noteBegun,
  notePlan,
  owedToPlan,
  plansOf,
} from './learn.ts'
import { packHistories } from './pack-histories.ts'
import { forecastChunk } from './pool.ts'
import { measureQuality, type Replay, startReplay } from './quality/measure.ts'

/** Chunks under way at once: one being loaded or saved while the workers compute. */
const AHEAD = 3

export interface ForecastTask {
  source: number
  sync: number | null
  everything: boolean
}

interface SeriesRow {
  ID: number
  sku: string
  location: string
  predecessors: number[] | null
  takesOverOn: string | null
  dirty: boolean
}

/**
 * Forecasts the source's series that changed since their last forecast, or all of them. A sync that goes on on another
 * instance, or after a restart, forecasts what is left, by what it has learnt before.
 */
export const runForecasts = (task: ForecastTask) =>
  withSource(task.source, 'forecasts', () => run(task), stopSignalOf(task.sync))

async function run({ source, sync, ...task }: ForecastTask) {
  const end = await dataAsOf(source)
  if (!end) return { series: 0 }
  const signal = stopSignalOf(sync)
  const known = end < today() ? end : today()
  const plans = await Plans.load(source, known)
  const owed = await owedToPlan(source, known, plans)
  const everything = task.everything || owed.learning
  const isAll = everything || owed.forecasts
  const isGoingOn = isAll && (await isBegun(source, sync, known))
  await cds.tx(async () => {
    await updateSuccessions(source, known)
    // What is learnt is stored first, so that a run that breaks off afterwards owes the plan nothing any more.
    if (isAll && !isGoingOn) await markAll(source)
  })
  const series = (await SELECT.from('restock.Series')
    .columns('ID', 'sku', 'location', 'predecessors', 'takesOverOn', 'dirty')
    .where({ source_ID: source, ledBy: null, ...(!isAll && { dirty: true }) })
    .orderBy('ID')) as SeriesRow[]
  if (!series.length) return { series: 0 }
  const due = series.filter(({ dirty }) => dirty)
  let replay: Replay | undefined
  const beginReplay = (contexts: Learnt['contexts']) => {
    if (everything) replay ??= startReplay(source, known, series, contexts, signal)
  }
  const isAfresh = everything && !isGoingOn
  const learnt = await learnParameters(source, known, plans, isAfresh, beginReplay, signal)
  beginReplay(learnt.contexts)
  const asOf = forecastDay(learnt, known)
  if (isAll && !isGoingOn) await noteBegun(source, sync, asOf)
  const reads = await loadStockReads(source)
  let done = series.length - due.length
  const oneChunk = async (chunk: SeriesRow[], isLast: boolean) => {
    const models = await forecastRows(chunk, asOf, learnt, { reads, plans }, signal)
    await cds.tx(async () => {
      await saveForecasts(asOf, models)
      done += chunk.length
      const progress = { done, total: series.length, unit: 'series' }
      await reportProgress(sync, 'forecasting', progress, true)
      if (!isLast) return
      await noteForecastsChanged()
      await publishEvents([refreshed(source, asOf, series.length)])
    })
  }
  const running = new Set<Promise<void>>()
  try {
    for (const chunk of inBlocks(due)) {
      signal?.throwIfAborted()
      // The last one tells that all are there.
      const isLast = chunk.at(-1) === due.at(-1)
      if (isLast) await Promise.all(running)
      const work = oneChunk(chunk, isLast).finally(() => running.delete(work))
      running.add(work)
      if (running.size >= AHEAD) await Promise.race(running)
    }
    await Promise.all(running)
  } finally {
    await Promise.allSettled(running)
  }
  if (isAll) await notePlan(source, plans)
  const days = { known, asOf }
  if (replay) await measureQuality(source, days, series, learnt.contexts, replay, signal)
  return { series: series.length }
}

/** Whether this sync has begun before: all series were marked, and from the same day on what is left would be forecast. */
async function isBegun(source: number, sync: number | null, known: string): Promise<boolean> {
  const from = sync === null ? null : await forecastFrom(source, sync)
  if (from === null) return false
  const learnt = await loadLearnt(source, known)
  return learnt !== undefined && from === forecastDay(learnt, known)
}

async function dataAsOf(source: number): Promise<string | null> {
  const row = await SELECT.one.from(Sources).columns('dataAsOf').where({ ID: source })
  return row?.dataAsOf ?? null
}

/** @param known the day after the last one with demand */
const forecastDay = ({ contexts }: Learnt, known: string): string =>
  toDate(bookingDay(contexts.values(), toEpochDay(known), toEpochDay(today())))

const refreshed = (source: number, as_of: string, forecasts: number): NewEvent => ({
  type: 'forecast.refreshed',
  data: { id: `src_${source}`, as_of, forecasts },
})

async function forecastRows(
  rows: SeriesRow[],
  asOf: string,
  { contexts, calibration }: Learnt,
  { reads, plans }: { reads: StockReads; plans: Plans | null },
  signal: AbortSignal | undefined,
) {
  const daysOf = ({ location }: SeriesRow) => historyDays(contexts.get(location) ?? EMPTY_CONTEXT)
  const histories = new Map<number, DemandHistory>()
  for (const [historyDays, those] of Map.groupBy(rows, daysOf)) {
    const all = new Set(those.flatMap(({ ID, predecessors }) => [ID, ...(predecessors ?? [])]))
    const found = await loadForecastHistories([...all], asOf, { historyDays, reads })
    for (const [ID, history] of found) histories.set(ID, history)
  }
  const historyOf = (ID: number) => histories.get(ID) ?? EMPTY_HISTORY
  const chunk = {
    asOf: toEpochDay(asOf),
    histories: packHistories(
      rows.map(({ ID, predecessors, takesOverOn }) =>
        predecessors
          ? mergeHistories(historyOf(ID), predecessors.map(historyOf), toEpochDay(takesOverOn!))
          : historyOf(ID),
      ),
    ),
    plans: await plansOf(plans, rows),
    locations: rows.map(({ location }) => location),
    contexts: contextsFor(contexts, rows),
    calibration,
  }
  const models = await forecastChunk(chunk, signal)
  return rows.map(({ ID, takesOverOn }, index) => {
    const model = models[index]!
    if (!takesOverOn) return { series: ID, model }
    const startsOn = historyOf(ID).days.length ? null : toEpochDay(takesOverOn)
    return { series: ID, model: JSON.stringify(inheritedModel(parseModel(model), startsOn)) }
  })
}
