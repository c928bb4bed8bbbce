import cds from '@sap/cds'
import {
  type Booking,
  type Calibration,
  calibrationSample,
  contextsOf,
  EMPTY_CONTEXT,
  ENGINE_VERSION,
  type LocationContext,
  toEpochDay,
} from '../../../engine/index.ts'
import { Learnt as LearntRows, Sources } from '../../base/database/entities.ts'
import type { Pair, Plans } from '../plans/stored/plans.ts'
import { loadSample } from '../../base/database/demand/histories.ts'
import { loadHolidays, showHolidays } from '../plans/stored/holidays.ts'
import { packHistories } from './pack-histories.ts'
import { learnFrom } from './pool.ts'

/** What the series of a source teach each other. */
export interface Learnt {
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
export async function forecastFrom(source: number, sync: number): Promise<string | null> {
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
 * @param meanwhile is called while the threads learn, of whose parts one of them has fewer
 * @throws where the signal is aborted
 */
export async function learnParameters(
  source: number,
  days: LearningDays,
  plans: Plans | null,
  afresh: boolean,
  meanwhile: (contexts: Learnt['contexts']) => void,
  signal: AbortSignal | undefined,
): Promise<Learnt> {
  const known = afresh ? undefined : await loadLearnt(source, days)
  if (known) return known
  const { asOf } = days
  const day = toEpochDay(asOf)
  const { contexts, task } = await taskOf(source, days, plans)
  const learning = learnFrom({ asOf: day, ...task }, signal)
  meanwhile(contexts)
  const calibration = await learning
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
  return { contexts, calibration }
}

/** The sample itself is let go with this function: while the workers learn, only their task is held. */
async function taskOf(source: number, { asOf, asOfAt }: LearningDays, plans: Plans | null) {
  const day = toEpochDay(asOf)
  const sample = await loadSample(source, asOfAt)
  const locations = sample.map(({ location }) => location)
  const holidaysAt = await loadHolidays(source, asOf, locations)
  const ownDay = (location: string) => toEpochDay(asOfAt(location))
  const contexts = contextsOf(sample, ownDay, await bookingOf(source), holidaysAt)
  await cds.tx(() => showHolidays(source, asOf, contexts, holidaysAt))
  const chosen = calibrationSample(sample, ({ history }) => history, day)
  const task = {
    histories: packHistories(chosen.map(({ history }) => history)),
    plans: await plansOf(plans, chosen),
    locations: chosen.map(({ location }) => location),
    contexts: contextsFor(contexts, chosen),
  }
  return { contexts, task }
}

/** Null where nothing is planned. */
export async function plansOf(plans: Plans | null, pairs: readonly Pair[]) {
  const planOf = await plans?.forPairs(pairs)
  return planOf ? pairs.map(planOf) : null
}

/** How the source's demand is booked, where an option says so. */
async function bookingOf(source: number): Promise<Booking | undefined> {
  const row = await SELECT.one.from(Sources).columns('options').where({ ID: source })
  return (JSON.parse(row?.options ?? '{}') as { booking?: Booking }).booking
}

/** The contexts that these series need, by location. */
export const contextsFor = (
  contexts: Learnt['contexts'],
  series: readonly { location: string }[],
): Record<string, LocationContext> =>
  Object.fromEntries(
    [...new Set(series.map(({ location }) => location))].map((location) => [
      location,
      contexts.get(location) ?? EMPTY_CONTEXT,
    ]),
  )

/** The day is that of the location, where it is another than that of all. */
type StoredContext = [location: string, context: LocationContext, asOf?: string]

/** What was learnt by this engine before; undefined for nothing. */
export async function loadLearnt(
  source: number,
  { asOfAt }: Pick<LearningDays, 'asOfAt'>,
): Promise<Learnt | undefined> {
  const row = await SELECT.one
    .from(LearntRows)
    .where({ source_ID: source, engineVersion: ENGINE_VERSION })
  if (!row) return undefined
  const stored = JSON.parse(row.contexts!) as StoredContext[]
  for (const [location, context, asOf = row.asOf!] of stored)
    // Where rows end was seen on another day: later rows may have come.
    if (asOf !== asOfAt(location)) context.knownUntil = null
  const contexts = new Map(stored.map(([location, context]) => [location, context]))
  return { contexts, calibration: JSON.parse(row.calibration!) as Learnt['calibration'] }
}
