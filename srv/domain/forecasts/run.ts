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
import { runDetached } from '../../base/cap/context.ts'
import { EMPTY_HISTORY, loadForecastHistories } from '../../base/database/demand/histories.ts'
import { loadStockReads, type StockReads } from '../../base/database/demand/stock-history.ts'
import { updateSuccessions } from '../../base/database/demand/successions.ts'
import { readAs, Series, Sources, Syncs } from '../../base/database/entities.ts'
import { publishEvents } from '../../base/database/events.ts'
import { inBlocks } from '../../base/database/native/index.ts'
import { markAll } from '../../base/database/records/mark-planned.ts'
import { type LocalDays, readLocalDays } from '../../base/time/days.ts'
import { reportProgress, stopSignalOf } from '../../base/work/runs.ts'
import { withSource } from '../../base/work/source-turn.ts'
import {
  forecastFrom,
  type LearningDays,
  learnParameters,
  type Learnt,
  loadLearnt,
  noteBegun,
  notePlan,
  owedToPlan,
} from './learn.ts'
import { noteForecastsChanged, saveForecasts } from './lookup.ts'
import { Plans } from './plans.ts'
import { historiesTask, onThread } from './threads.ts'

/** Chunks under way at once: one being loaded or saved while the workers compute. */
const AHEAD = 3

export interface ForecastRun {
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

/** What the series of a source are forecast by. */
interface Known {
  learnt: Learnt
  plans: Plans | null
  reads: StockReads
}

/**
 * Forecasts the source's series that changed since their last forecast, or all of them. A sync that goes on on another
 * instance, or after a restart, forecasts what is left, by what it has learnt before.
 */
export const runForecasts = (task: ForecastRun): Promise<void> =>
  runDetached(`sync_${task.sync}`, () =>
    withSource(task.source, 'forecasts', () => run(task), stopSignalOf(task.sync)),
  )

async function run({ source, sync, ...task }: ForecastRun) {
  const end = await dataAsOf(source)
  if (!end) return
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
  const series = await readAs<SeriesRow>(
    SELECT.from(Series)
      .columns('ID', 'sku', 'location', 'predecessors', 'takesOverOn', 'dirty')
      .where({ source_ID: source, ledBy: null, ...(!isAll && { dirty: true }) })
      .orderBy('ID'),
  )
  if (!series.length) return
  const isAfresh = everything && !isGoingOn
  const learnt = await learnParameters(source, learning, plans, isAfresh, signal)
  if (isAll && !isGoingOn) await noteBegun(source, sync, forecastDay(learnt, known, today))
  const due = series.filter(({ dirty }) => dirty)
  const byDay = Map.groupBy(due, forecastDays(learnt, asOfAt, days))
  const chunks = [...byDay]
    .sort(([a], [b]) => byText(a, b))
    .flatMap(([asOf, those]) => [...inBlocks(those)].map((rows) => ({ asOf, rows })))
  const by = { learnt, plans, reads: await loadStockReads(source) }
  let done = series.length - due.length
  await inTurn(chunks, signal, async ({ asOf, rows }, isLast) => {
    const models = await forecastRows(rows, asOf, by, signal)
    await cds.tx(async () => {
      await saveForecasts(asOf, models)
      done += rows.length
      const progress = { done, total: series.length, unit: 'series' }
      await reportProgress(sync, 'forecasting', progress, true)
      if (!isLast) return
      await noteForecastsChanged()
      const data = { id: `src_${source}`, as_of: asOf, forecasts: series.length }
      await publishEvents([{ type: 'forecast.refreshed', data }])
    })
  })
  if (isAll) await notePlan(source, plans)
}

/** Does some pieces of work at once; the last one once all others are done, since it tells that all is there. */
async function inTurn<Piece>(
  pieces: readonly Piece[],
  signal: AbortSignal | undefined,
  work: (piece: Piece, isLast: boolean) => Promise<void>,
) {
  const running = new Set<Promise<void>>()
  try {
    for (const piece of pieces) {
      signal?.throwIfAborted()
      const isLast = piece === pieces.at(-1)
      if (isLast) await Promise.all(running)
      const one = work(piece, isLast).finally(() => running.delete(one))
      running.add(one)
      if (running.size >= AHEAD) await Promise.race(running)
    }
    await Promise.all(running)
  } finally {
    await Promise.allSettled(running)
  }
}

/** The models of some series that are forecast from the same day on. */
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
  const task = await historiesTask(asOf, pairs, learnt.contexts, plans)
  const models = await onThread<string[]>(
    { ...task, calibration: learnt.calibration },
    { name: 'forecastAll', handsOver: task.histories, signal },
  )
  return rows.map(({ ID, takesOverOn }, index) => {
    const model = models[index]!
    if (!takesOverOn) return { series: ID, model }
    const startsOn = historyOf(ID).days.length ? null : toEpochDay(takesOverOn)
    return { series: ID, model: JSON.stringify(inheritedModel(parseModel(model), startsOn)) }
  })
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
  const learnt = await loadLearnt(source, learning.asOfAt)
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
  const rows = await SELECT.distinct.from(Series).columns('location').where({ source_ID: source })
  return rows.map(({ location }) => days.of(location!)).reduce(earlier, days.last)
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
