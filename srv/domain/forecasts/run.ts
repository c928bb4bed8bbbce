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
  outdatedByPlans,
} from './learn.ts'
import { noteForecastsChanged, saveForecasts } from './lookup.ts'
import { Plans } from './plans.ts'
import { historiesInput, onThread } from './threads.ts'

/** Most chunks at once: while workers compute some, another one is loaded or saved. */
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

interface Known {
  learnt: Learnt
  plans: Plans | null
  reads: StockReads
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
  const end = await dataAsOf(source)
  if (!end) return
  const signal = stopSignalOf(sync)
  const days = await readLocalDays(source, await beganAt(sync))
  // The demand of a day counts as known only once that day is over at the location, even if there are rows of it
  // already.
  const asOfAt = (location: string) => earlier(end, days.of(location))
  const today = await firstDay(source, days)
  const known = earlier(end, today)
  const learning = { asOf: known, asOfAt }
  const plans = await Plans.load(source, known)
  const outdated = await outdatedByPlans(source, known, plans)
  const everything = request.everything || outdated.learning
  const isAll = everything || outdated.forecasts
  const isGoingOn = isAll && (await isBegun(source, sync, learning, today))
  await cds.tx(async () => {
    await updateSuccessions(source, known)
    // The marks are set before anything is learnt: if the run breaks off later, the series are still marked.
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

/** Works on several pieces at once. The last one waits for all others, since its transaction ends the forecasting. */
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
  return rows.map(({ ID, takesOverOn }, index) => {
    const model = models[index]!
    if (!takesOverOn) return { series: ID, model }
    const startsOn = historyOf(ID).days.length ? null : toEpochDay(takesOverOn)
    return { series: ID, model: JSON.stringify(inheritedModel(parseModel(model), startsOn)) }
  })
}

/** Whether an earlier attempt of this sync has marked all series, to be forecast from the same day as now. */
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

/** When the sync began to read: it may have missed demand of a day that was not over by then. */
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

/** The first forecast day of each series, by its location. */
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
