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
import { historiesTask, onThread } from './threads.ts'

/** What the series of a source teach each other. */
export interface Learnt {
  /** From which day on nothing was known. */
  asOf: string
  contexts: Map<string, LocationContext>
  /** Null where their past is too short: then all methods count alike. */
  calibration: Calibration | null
}

/**
 * What has to be done anew because promotions are planned up to another day than the forecasts know: all forecasts, and all
 * that is learnt where it is known now whether promotions will run, or no longer.
 */
export async function owedToPlan(source: number, asOf: string, plans: Plans | null) {
  const columns = ['asOf', 'plannedUntil'] as const
  const row = await SELECT.one
    .from(LearntRows)
    .columns(...columns)
    .where({ source_ID: source })
  if (!row) return { learning: false, forecasts: false }
  const [before, now] = [row.plannedUntil ?? '', plans?.lastPromotion ?? '']
  return { learning: before >= row.asOf! !== now >= asOf, forecasts: before !== now }
}

/** From which day on this sync has begun to forecast all series of a source; null where it has not. */
export async function forecastFrom(source: number, sync: number | null): Promise<string | null> {
  const of = { source_ID: source, sync }
  const row = await SELECT.one.from(LearntRows).columns('forecastFrom').where(of)
  return row?.forecastFrom ?? null
}

/** All series are marked, and what they are forecast by is there. */
export const noteBegun = (source: number, sync: number | null, forecastFrom: string) =>
  UPDATE.entity(LearntRows).set({ sync, forecastFrom }).where({ source_ID: source })

/** After all forecasts know it. */
export const notePlan = (source: number, plans: Plans | null) =>
  UPDATE.entity(LearntRows)
    .set({ plannedUntil: plans?.lastPromotion ?? null })
    .where({ source_ID: source })

/** From which day on nothing is known: of all locations together the earliest one, and each location's own. */
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
  const { contexts, task } = await learningTask(source, days, plans)
  const learn = (horizon: Days) =>
    onThread<LearntHorizon>({ ...task, horizon }, { name: 'learnOne', signal })
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

/** The sample itself is let go with this function: while the threads learn, only their task is held. */
async function learningTask(source: number, { asOf, asOfAt }: LearningDays, plans: Plans | null) {
  const sample = await loadSample(source, asOfAt)
  const locations = sample.map(({ location }) => location)
  const holidaysAt = await loadHolidays(source, asOf, locations)
  const ownDay = (location: string) => toEpochDay(asOfAt(location))
  const contexts = contextsOf(sample, ownDay, await bookingOf(source), holidaysAt)
  await cds.tx(() => showHolidays(source, asOf, contexts, holidaysAt))
  const chosen = calibrationSample(sample, ({ history }) => history, toEpochDay(asOf))
  return { contexts, task: await historiesTask(asOf, chosen, contexts, plans) }
}

/** How the source's demand is booked, where an option says so. */
async function bookingOf(source: number): Promise<Booking | undefined> {
  const row = await SELECT.one.from(Sources).columns('options').where({ ID: source })
  return (JSON.parse(row?.options ?? '{}') as { booking?: Booking }).booking
}

/** The day is that of the location, where it is another than that of all. */
type StoredContext = [location: string, context: LocationContext, asOf?: string]

/**
 * What this engine has learnt last; undefined for nothing.
 * @param asOfAt the day of each location now: where rows ended on another one, later rows may have come
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
