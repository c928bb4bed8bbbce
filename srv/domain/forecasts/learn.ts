import { setImmediate as turn } from 'node:timers/promises'
import cds from '@sap/cds'
import {
  type Booking,
  type Calibration,
  calibrationOf,
  calibrationSample,
  ContextLearner,
  type Days,
  ENGINE_VERSION,
  LEARNT_HORIZONS,
  type LearntHorizon,
  type LocationContext,
  toEpochDay,
} from '../../../engine/index.ts'
import { loadSample } from '../../base/database/demand/histories.ts'
import { Learnt as LearntRows, Series, Sources, Syncs } from '../../base/database/entities.ts'
import { type LocalDays, readLocalDays } from '../../base/time/days.ts'
import { doInChunks } from '../../base/work/chunks.ts'
import { type ChunkContext, defineStep, type Of } from '../../base/work/steps.ts'
import { loadHolidays, showHolidays } from './holidays.ts'
import { Plans } from './plans.ts'
import { historiesInput, onThread } from './threads.ts'

/** What is learnt from all series of a source together. */
export interface Learnt {
  /** The first day whose demand was not known. */
  asOf: string
  contexts: Map<string, LocationContext>
  /** Null if the history is too short to weigh the methods: then all count alike. */
  calibration: Calibration | null
}

/**
 * What is outdated because the source now plans promotions up to another day: all forecasts, and also what was learnt
 * if the source has begun or ceased to plan promotions ahead.
 */
export async function outdatedByPlans(source: number, asOf: string, plans: Plans | null) {
  const columns = ['asOf', 'plannedUntil'] as const
  const row = await SELECT.one
    .from(LearntRows)
    .columns(...columns)
    .where({ source_ID: source })
  if (!row) return { learning: false, forecasts: false }
  const [before, now] = [row.plannedUntil ?? '', plans?.lastPromotion ?? '']
  return { learning: before >= row.asOf! !== now >= asOf, forecasts: before !== now }
}

/** The day from which this sync has begun to forecast all series of a source; null if it has not. */
export async function forecastFrom(source: number, sync: number | null): Promise<string | null> {
  const of = { source_ID: source, sync }
  const row = await SELECT.one.from(LearntRows).columns('forecastFrom').where(of)
  return row?.forecastFrom ?? null
}

/** Called once all series are marked and the learnt parameters are stored. */
export const noteBegun = (source: number, sync: number | null, forecastFrom: string) =>
  UPDATE.entity(LearntRows).set({ sync, forecastFrom }).where({ source_ID: source })

/** Called once all forecasts take the plan into account. */
export const notePlan = (source: number, plans: Plans | null) =>
  UPDATE.entity(LearntRows)
    .set({ plannedUntil: plans?.lastPromotion ?? null })
    .where({ source_ID: source })

/** Up to which day demand counts as known, and the present day. */
export interface KnownDays {
  /** The first day without known demand: the earliest of all locations. */
  asOf: string
  /** The same of each location: its day counts as known only once it is over there, even if there are rows of it already. */
  asOfAt: (location: string) => string
  /** The present day by location, and the earliest of those with demand, when the sync began to read. */
  days: LocalDays
  today: string
}

/** @returns null for a source without demand */
export async function readKnownDays({ source, sync }: Of): Promise<KnownDays | null> {
  const row = await SELECT.one.from(Sources).columns('dataAsOf').where({ ID: source })
  const end = row?.dataAsOf
  if (!end) return null
  const days = await readLocalDays(source, await beganAt(sync))
  const today = await firstDay(source, days)
  const asOfAt = (location: string) => earlier(end, days.of(location))
  return { asOf: earlier(end, today), asOfAt, days, today }
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

/**
 * Learns from a sample of each location's series, or recalls what was learnt before.
 * @param plans what the source plans
 * @param afresh whether to learn again although this engine has learnt already
 * @throws where the run's signal is aborted
 */
export async function learnParameters(
  context: ChunkContext,
  { asOf, asOfAt }: KnownDays,
  plans: Plans | null,
  afresh: boolean,
): Promise<Learnt> {
  const { source } = context
  const known = afresh ? undefined : await loadLearnt(source, asOfAt)
  if (known) return known
  const chunks = LEARNT_HORIZONS.map((horizon, at) => ({
    ...{ input: { horizon, tellsContexts: at === 0 }, units: 0 },
  }))
  const learnt = await doInChunks(LEARNING, context, chunks)
  const contexts = new Map(learnt[0]!.contexts)
  const holidaysAt = await loadHolidays(source, asOf, [...contexts.keys()])
  await cds.tx(() => showHolidays(source, asOf, contexts, holidaysAt))
  const calibration = calibrationOf(learnt.map(({ horizon }) => horizon))
  await UPSERT.into('restock.Learnt').entries({
    source_ID: source,
    asOf,
    engineVersion: ENGINE_VERSION,
    contexts: JSON.stringify(
      Array.from(contexts, ([location, context]): StoredContext => {
        const own = asOfAt(location)
        return own === asOf ? [location, context] : [location, context, own]
      }),
    ),
    calibration: JSON.stringify(calibration),
    plannedUntil: plans?.lastPromotion ?? null,
  })
  return { asOf, contexts, calibration }
}

interface LearntChunk {
  horizon: LearntHorizon
  contexts?: [location: string, context: LocationContext][]
}

/** A chunk of learning is one horizon; the first one tells what is learnt of locations, too. */
const LEARNING = defineStep<{ horizon: Days; tellsContexts: boolean }, LearntChunk>({
  name: 'learn',
  isOnThreads: true,
  async work({ horizon, tellsContexts }, { signal, share, ...of }) {
    const { contexts, input } = await share('sample', () => learningInput(of))
    const learnt = await onThread<LearntHorizon>(
      { ...input, horizon },
      { name: 'learnOne', signal },
    )
    const result = { horizon: learnt, ...(tellsContexts && { contexts: [...contexts] }) }
    return () => Promise.resolve({ result, isAdvance: false })
  },
})

/** After so many series others get a turn: some milliseconds. */
const SERIES_A_TURN = 128

/** A function of its own, so that the sample can be freed while the threads learn from its packed copy. */
async function learningInput(of: Of) {
  const { source } = of
  const { asOf, asOfAt } = (await readKnownDays(of))!
  const sample = await loadSample(source, asOfAt)
  const locations = sample.map(({ location }) => location)
  const holidaysAt = await loadHolidays(source, asOf, locations)
  const ownDay = (location: string) => toEpochDay(asOfAt(location))
  const learner = new ContextLearner(ownDay, await bookingOf(source), holidaysAt)
  for (const [at, series] of sample.entries()) {
    if (at && at % SERIES_A_TURN === 0) await turn()
    learner.add(series)
  }
  const contexts = learner.contexts()
  const chosen = calibrationSample(sample, ({ history }) => history, toEpochDay(asOf))
  const plans = await Plans.load(source, asOf)
  return { contexts, input: await historiesInput(asOf, chosen, contexts, plans) }
}

/** The rhythm in which the source books demand, if one of its options says so. */
async function bookingOf(source: number): Promise<Booking | undefined> {
  const row = await SELECT.one.from(Sources).columns('options').where({ ID: source })
  return (JSON.parse(row?.options ?? '{}') as { booking?: Booking }).booking
}

/** With the location's own day if it differs from the common one. */
type StoredContext = [location: string, context: LocationContext, asOf?: string]

/**
 * What this version of the engine has learnt last; undefined for nothing.
 * @param asOfAt the present day of each location. Where it has changed since, later rows may have come, so that
 * `knownUntil` no longer holds
 */
export async function loadLearnt(
  source: number,
  asOfAt?: KnownDays['asOfAt'],
): Promise<Learnt | undefined> {
  const row = await SELECT.one
    .from(LearntRows)
    .where({ source_ID: source, engineVersion: ENGINE_VERSION })
  if (!row) return undefined
  const stored = JSON.parse(row.contexts!) as StoredContext[]
  for (const [location, context, asOf = row.asOf!] of stored)
    if (asOfAt && asOf !== asOfAt(location)) context.knownUntil = null
  const contexts = new Map(stored.map(([location, context]) => [location, context]))
  const calibration = JSON.parse(row.calibration!) as Learnt['calibration']
  return { asOf: row.asOf!, contexts, calibration }
}
