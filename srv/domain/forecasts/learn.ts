import cds from '@sap/cds'
import {
  type Booking,
  type Calibration,
  calibrationOf,
  calibrationSample,
  contextsOf,
  type Days,
  ENGINE_VERSION,
  LEARNT_HORIZONS,
  type LearntHorizon,
  type LocationContext,
  toEpochDay,
} from '../../../engine/index.ts'
import { loadSample } from '../../base/database/demand/histories.ts'
import { Learnt as LearntRows, Sources } from '../../base/database/entities.ts'
import { loadHolidays, showHolidays } from './holidays.ts'
import type { Plans } from './plans.ts'
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

/** The first day without known demand: the earliest of all locations, and that of each location. */
export interface LearningDays {
  asOf: string
  asOfAt: (location: string) => string
}

/**
 * Learns from a sample of each location's series, or recalls what was learnt before.
 * @param afresh whether to learn again although this engine has learnt already
 * @throws where the signal is aborted
 */
export async function learnParameters(
  source: number,
  days: LearningDays,
  plans: Plans | null,
  afresh: boolean,
  signal: AbortSignal | undefined,
): Promise<Learnt> {
  const known = afresh ? undefined : await loadLearnt(source, days.asOfAt)
  if (known) return known
  const { asOf } = days
  const { contexts, input } = await learningInput(source, days, plans)
  const learn = (horizon: Days) =>
    onThread<LearntHorizon>({ ...input, horizon }, { name: 'learnOne', signal })
  const calibration = calibrationOf(await Promise.all(LEARNT_HORIZONS.map(learn)))
  await UPSERT.into('restock.Learnt').entries({
    source_ID: source,
    asOf,
    engineVersion: ENGINE_VERSION,
    contexts: JSON.stringify(
      Array.from(contexts, ([location, context]): StoredContext => {
        const own = days.asOfAt(location)
        return own === asOf ? [location, context] : [location, context, own]
      }),
    ),
    calibration: JSON.stringify(calibration),
    plannedUntil: plans?.lastPromotion ?? null,
  })
  return { asOf, contexts, calibration }
}

/** A function of its own, so that the sample can be freed while the threads learn from its packed copy. */
async function learningInput(source: number, { asOf, asOfAt }: LearningDays, plans: Plans | null) {
  const sample = await loadSample(source, asOfAt)
  const locations = sample.map(({ location }) => location)
  const holidaysAt = await loadHolidays(source, asOf, locations)
  const ownDay = (location: string) => toEpochDay(asOfAt(location))
  const contexts = contextsOf(sample, ownDay, await bookingOf(source), holidaysAt)
  await cds.tx(() => showHolidays(source, asOf, contexts, holidaysAt))
  const chosen = calibrationSample(sample, ({ history }) => history, toEpochDay(asOf))
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
  asOfAt?: LearningDays['asOfAt'],
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
