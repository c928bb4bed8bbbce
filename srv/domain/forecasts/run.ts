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
  toDate,
  toEpochDay,
} from '../../../engine/index.ts'
import { noteForecastsChanged, saveForecasts } from './lookup.ts'
import { EMPTY_HISTORY, loadForecastHistories } from '../../base/database/demand/histories.ts'
import { loadStockReads, type StockReads } from '../../base/database/demand/stock-history.ts'
import { updateSuccessions } from '../../base/database/demand/successions.ts'
import { type NewEvent, publishEvents } from '../../base/database/events.ts'
import { markAll } from '../../base/database/records/mark-planned.ts'
import { Plans } from '../plans/stored/plans.ts'
import { inBlocks } from '../../base/database/native/index.ts'
import { Sources, Syncs } from '../../base/database/entities.ts'
import { type LocalDays, readLocalDays } from '../../base/time/days.ts'
import { reportProgress, stopSignalOf } from '../../base/work/runs.ts'
import { withSource } from '../../base/work/source-turn.ts'
import {
  contextsFor,
  forecastFrom,
  type LearningDays,
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
import { measureQuality, type Replay, startReplay } from '../quality/measure.ts'

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
  const days = await readLocalDays(source, await beganAt(sync))
  // A day that is not over at a location is not known there, whoever has rows of it already.
  const asOfAt = (location: string) => earlier(end, days.of(location))
  const today = await firstDay(source, days)
  const known = earlier(end, today)
  const learning = { asOf: known, asOfAt }
  const plans = await Plans.load(source, known)
  const owed = await owedToPlan(source, known, plans)
  const everything = task.everything || owed.learning
  const isAll = everything || owed.forecasts
  const isGoingOn = isAll && (await isBegun(source, sync, learning, today))
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
  const learnt = await learnParameters(source, learning, plans, isAfresh, beginReplay, signal)
  beginReplay(learnt.contexts)
  if (isAll && !isGoingOn) await noteBegun(source, sync, forecastDay(learnt, known, today))
  const dayOf = forecastDays(learnt, asOfAt, days)
  const byDay = groupByDay(due, dayOf)
  const last = byDay.at(-1)?.[1].at(-1)
  const reads = await loadStockReads(source)
  let done = series.length - due.length
  const oneChunk = async (asOf: string, chunk: SeriesRow[], isLast: boolean) => {
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
    for (const [asOf, those] of byDay)
      for (const chunk of inBlocks(those)) {
        signal?.throwIfAborted()
        // The last one tells that all are there.
        const isLast = chunk.at(-1) === last
        if (isLast) await Promise.all(running)
        const work = oneChunk(asOf, chunk, isLast).finally(() => running.delete(work))
        running.add(work)
        if (running.size >= AHEAD) await Promise.race(running)
      }
    await Promise.all(running)
  } finally {
    await Promise.allSettled(running)
  }
  if (isAll) await notePlan(source, plans)
  const scored = { known, byDay: groupByDay(series, dayOf) }
  if (replay) await measureQuality(source, scored, series, learnt.contexts, replay, signal)
  return { series: series.length }
}

/** Whether this sync has begun before: all series were marked, and from the same day on what is left would be forecast. */
async function isBegun(
  source: number,
  sync: number | null,
  learning: LearningDays,
  today: string,
): Promise<boolean> {
  const from = sync === null ? null : await forecastFrom(source, sync)
  if (from === null) return false
  const learnt = await loadLearnt(source, learning)
  return learnt !== undefined && from === forecastDay(learnt, learning.asOf, today)
}

async function dataAsOf(source: number): Promise<string | null> {
  const row = await SELECT.one.from(Sources).columns('dataAsOf').where({ ID: source })
  return row?.dataAsOf ?? null
}

const earlier = (a: string, b: string) => (a < b ? a : b)

/** When the sync began to read: a day that was not over by then was not read whole. */
async function beganAt(sync: number | null): Promise<Date> {
  const now = new Date()
  if (sync === null) return now
  const row = await SELECT.one.from(Syncs).columns('startedAt').where({ ID: sync })
  const began = row?.startedAt ? new Date(row.startedAt) : now
  return began < now ? began : now
}

/** The earliest day of the locations that have demand. */
async function firstDay(source: number, days: LocalDays): Promise<string> {
  if (days.first === days.last) return days.usual
  const rows = (await SELECT.distinct
    .from('restock.Series')
    .columns('location')
    .where({ source_ID: source })) as Pick<SeriesRow, 'location'>[]
  return rows.map(({ location }) => days.of(location)).reduce(earlier, days.last)
}

/** @param known the day after the last one with demand */
const forecastDay = ({ contexts }: Learnt, known: string, today: string): string =>
  toDate(bookingDay(contexts.values(), toEpochDay(known), toEpochDay(today)))

/** From which day on each series is forecast, by its location. */
function forecastDays(
  learnt: Learnt,
  knownAt: (location: string) => string,
  days: LocalDays,
): (row: SeriesRow) => string {
  const found = new Map<string, string>()
  return ({ location }) => {
    const [known, today] = [knownAt(location), days.of(location)]
    let asOf = found.get(known + today)
    if (asOf === undefined) found.set(known + today, (asOf = forecastDay(learnt, known, today)))
    return asOf
  }
}

const groupByDay = (series: SeriesRow[], dayOf: (row: SeriesRow) => string) =>
  [...Map.groupBy(series, dayOf)].sort(([a], [b]) => byText(a, b))

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
