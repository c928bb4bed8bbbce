import { setTimeout as sleep } from 'node:timers/promises'
import cds from '@sap/cds'
import { isDemandDay, MAX_FACTOR } from '../../../adapters/records.ts'
import { PLAN_KINDS, type PlanKind } from '../../../engine/index.ts'
import { assertCountry, UnknownCountry } from '../../../holidays/public-holidays.ts'
import { afterCommit, inTransaction, runDetached } from '../../base/cap/context.ts'
import { writeAuditLog } from '../../base/database/audit.ts'
import { takeNumbers } from '../../base/database/counters.ts'
import {
  HolidayCalendars,
  PlannedEvents,
  readAs,
  Series,
  Syncs,
} from '../../base/database/entities.ts'
import {
  type EventSelector,
  markLearning,
  markPlanned,
} from '../../base/database/records/mark-planned.ts'
import { givenIn, newestPage, type PageQuery, toPage } from '../../base/database/rows.ts'
import { invalidParameter, isRefusal, Refusal } from '../../base/errors.ts'
import { queueRun } from '../../base/work/runs.ts'
import {
  assertMaySetPolicy,
  visibleHolidayCalendars,
  visiblePlannedEvents,
} from '../authority/index.ts'

interface EventValues {
  kind: PlanKind
  name: string
  firstDay: string
  lastDay: string
  factor: number | null
  price: number | null
}

/** An event as it is entered; `lastDay` defaults to the first day, everything else to empty. */
type NewEvent = Pick<EventValues, 'kind' | 'firstDay'> & {
  [Name in keyof EventValues | keyof EventSelector]?: (EventValues & EventSelector)[Name] | null
}

/** An event of the calendar or of a source, or a public holiday; an empty name selects everything. */
export interface CalendarEvent extends EventValues, EventSelector {
  ID: number
  /** Null for an entry of the calendar. */
  source_ID: number | null
  origin: 'source' | 'calendar' | 'holiday'
  changedAt: string | null
  changedBy: string | null
  /** For a new event: the number of SKUs at locations that it concerns. */
  concerns?: number
}

export interface PlansQuery extends PageQuery {
  filter?: { notBefore?: string | null } & Partial<Record<string, string | null>>
}

/** What a filter asks of rows with a last day. */
export const conditionsOf = ({ notBefore, ...equal }: NonNullable<PlansQuery['filter']> = {}) => [
  givenIn(equal),
  notBefore ? { lastDay: { '>=': notBefore } } : null,
]

const events = () =>
  SELECT.from(PlannedEvents).columns(
    ...(['ID', 'source_ID', 'origin', 'kind', 'sku', 'location', 'skuGroup'] as const),
    ...(['name', 'firstDay', 'lastDay', 'factor', 'price', 'changedAt', 'changedBy'] as const),
  )

/** The events of the calendar and of sources, newest first. */
export const listEvents = ({ filter, ...page }: PlansQuery) =>
  newestPage<CalendarEvent>(
    events(),
    page,
    ...conditionsOf(filter),
    visiblePlannedEvents(cds.context!.user),
  )

/**
 * Enters an event; what it concerns is forecast and proposed anew in the background.
 * @throws Refusal invalid_parameter
 */
export const addEvent = (given: NewEvent) =>
  inTransaction(async (): Promise<CalendarEvent> => {
    const user = cds.context!.user
    await assertMaySetPolicy(user, given)
    const event = {
      kind: given.kind,
      firstDay: given.firstDay,
      lastDay: given.lastDay ?? given.firstDay,
      factor: given.factor ?? null,
      price: given.price ?? null,
      sku: given.sku ?? '',
      location: given.location ?? '',
      skuGroup: given.skuGroup ?? '',
      name: given.name ?? '',
    }
    checkEvent(event)
    const row = {
      ...event,
      ID: await takeNumbers('plannedEvent'),
      origin: 'calendar' as const,
      changedAt: new Date().toISOString(),
      changedBy: user.id,
    }
    await INSERT.into(PlannedEvents).entries(row)
    await writeAuditLog('plan.added', objectOfEvent(row.ID), textOf(event))
    return { ...row, source_ID: null, concerns: await markConcerned(event) }
  })

/** @throws Refusal not_found */
export const removeEvent = (ID: number) =>
  inTransaction(async () => {
    const event = await findEvent(ID)
    await assertMaySetPolicy(cds.context!.user, event)
    if (!(await DELETE.from(PlannedEvents).where({ ID }))) throw unknown()
    await writeAuditLog('plan.removed', objectOfEvent(ID), textOf(event))
    await markConcerned(event)
  })

/** @returns how many SKUs at locations it concerns */
async function markConcerned(event: EventSelector) {
  const concerns = await markPlanned(null, [event])
  if (concerns) afterCommit(() => forecastAnew(event))
  return concerns
}

/** An entry of the calendar. @throws Refusal not_found */
export async function findEvent(ID: number): Promise<CalendarEvent> {
  const query = events().where({ ID, origin: 'calendar' })
  const visible = visiblePlannedEvents(cds.context!.user)
  if (visible) void query.where(visible)
  const [event] = await readAs<CalendarEvent>(query)
  if (event) return event
  throw unknown()
}

const unknown = () =>
  new Refusal('not_found', 'The calendar has no such event; what a source plans is changed there.')

function checkEvent({ kind, firstDay, lastDay, factor }: EventValues) {
  if (!PLAN_KINDS.includes(kind))
    throw invalidParameter('kind', `must be one of ${PLAN_KINDS.join(', ')}`)
  if (!isDemandDay(firstDay)) throw invalidParameter('from', 'must lie between 1970 and 2199')
  if (!isDemandDay(lastDay)) throw invalidParameter('to', 'must lie between 1970 and 2199')
  if (lastDay < firstDay) throw invalidParameter('to', 'must not lie before from')
  if (kind === 'closure' && factor !== null)
    throw invalidParameter('factor', 'must be empty for a closure, which leaves no demand')
  if (kind !== 'closure' && kind !== 'promotion' && factor === null)
    throw invalidParameter(
      'factor',
      `must say what this ${kind} makes of usual demand, such as 1.5`,
    )
  if (factor !== null && !(factor >= 0 && factor <= MAX_FACTOR))
    throw invalidParameter('factor', `must be a number from 0 to ${MAX_FACTOR}`)
}

const objectOfEvent = (ID: number) => `plan_${ID}`

/** By the names of their labels: the change log tells them in the reader's language (srv/doors/admin/audit-text.ts). */
function textOf({ kind, factor, price, ...names }: EventValues & EventSelector): string {
  const { firstDay, lastDay, sku, location, skuGroup, name } = names
  const said = {
    planKind: kind,
    firstDay,
    lastDay,
    sku,
    location,
    skuGroup,
    planFactor: factor,
    planPrice: price,
    name,
  }
  const given = Object.entries(said).filter(([, value]) => value !== '' && value !== null)
  return JSON.stringify(Object.fromEntries(given))
}

// Which country's public holidays apply at which location, as administrators enter it.

interface CalendarValues {
  /** Empty for all locations without a calendar of their own. */
  location: string
  /** Null for no public holidays. */
  country: string | null
  region: string | null
}

export interface HolidayCalendar extends CalendarValues {
  changedAt: string
  changedBy: string
  /** For a calendar that was just set: the number of SKUs at locations that it concerns. */
  concerns?: number
}

const calendars = () =>
  SELECT.from(HolidayCalendars).columns('location', 'country', 'region', 'changedAt', 'changedBy')

export async function listCalendars({ after, limit }: PageQuery) {
  const query = calendars().limit(limit + 1)
  const visible = visibleHolidayCalendars(cds.context!.user)
  if (visible) void query.where(visible)
  if (after != null) void query.where({ location: { '>': after } })
  const rows = await readAs<HolidayCalendar>(query.orderBy('location'))
  return toPage(rows, limit, ({ location }) => location)
}

/**
 * Sets a calendar. The series at the location are learnt, forecast and proposed anew in the background.
 * @throws Refusal invalid_parameter
 */
export const setCalendar = (given: { [Name in keyof CalendarValues]?: string | null }) =>
  inTransaction(async (): Promise<HolidayCalendar> => {
    const user = cds.context!.user
    await assertMaySetPolicy(user, { location: given.location })
    const country = given.country?.toUpperCase() || null
    const region = given.region?.toUpperCase() || null
    if (region && !country) throw invalidParameter('region', 'needs a country')
    if (country)
      await assertCountry({ country, region }).catch((error: unknown) => {
        throw error instanceof UnknownCountry ? invalidParameter(error.field, error.message) : error
      })
    const changedAt = new Date().toISOString()
    const location = given.location ?? ''
    const row = { location, country, region, changedAt, changedBy: user.id }
    const before = await find(location)
    await UPSERT.into(HolidayCalendars).entries(row)
    const detail = { before: before ? saidOf(before) : null, after: saidOf(row) }
    await writeAuditLog('holidays.set', objectOfCalendar(location), JSON.stringify(detail))
    return { ...row, concerns: await learnAnew(location) }
  })

/** @throws Refusal not_found */
export const removeCalendar = (location: string) =>
  inTransaction(async () => {
    await assertMaySetPolicy(cds.context!.user, { location })
    const before = await find(location)
    if (!before || !(await DELETE.from(HolidayCalendars).where({ location }))) {
      const where = location ? `location ${location}` : 'all locations'
      throw new Refusal('not_found', `No country is set for ${where}.`)
    }
    await writeAuditLog(
      'holidays.removed',
      objectOfCalendar(location),
      JSON.stringify(saidOf(before)),
    )
    await learnAnew(location)
  })

/** @returns how many SKUs at locations it concerns */
async function learnAnew(location: string) {
  const concerns = await markLearning(location)
  if (concerns) afterCommit(() => forecastAnew({ holidaysOf: location }))
  return concerns
}

async function find(location: string): Promise<HolidayCalendar | undefined> {
  return (await readAs<HolidayCalendar>(calendars().where({ location })))[0]
}

const saidOf = ({ country, region }: CalendarValues) => ({ country, region })
const objectOfCalendar = (location: string) => `holidays:${location || '*'}`

// What a change concerns is forecast anew, by one sync of each source.

/** What is to be forecast anew: what an event selects, or a location whose public holidays changed. */
type Change = EventSelector | HolidaysChange

interface HolidaysChange {
  /** Empty: at all locations. */
  holidaysOf: string
}

const LOG = cds.log('plans')
const POLL_MS = 1_000

/** Changes by source, for which no sync has been started yet. */
const waiting = new Map<number, Change[]>()
const running = new Map<number, Promise<void>>()

/** Starts one sync of each source with marked series. If a restart interrupts this, the next sync does it. */
function forecastAnew(change: Change): Promise<void> {
  return runDetached('plan', async () => {
    const rows = await SELECT.distinct.from(Series).columns('source_ID').where({ dirty: true })
    await Promise.all(
      rows.map(({ source_ID }) => {
        const source = source_ID!
        waiting.set(source, [...(waiting.get(source) ?? []), change])
        const work =
          running.get(source) ?? syncWaiting(source).finally(() => running.delete(source))
        running.set(source, work)
        return work
      }),
    )
  }).catch((error) => LOG.error('forecasts after a change of the plan:', error))
}

async function syncWaiting(source: number) {
  while (waiting.has(source)) {
    const hasWaited = await waitForSync(source)
    const changes = waiting.get(source)!
    waiting.delete(source)
    // The sync that has just ended may have removed the marks without having seen the change.
    if (hasWaited) await cds.tx(() => markAgain(source, changes))
    // The next sync forecasts a source that is not connected at present.
    await queueRun({ source, mode: 'incremental', isAutomatic: true }).catch((error) => {
      if (!isRefusal(error)) throw error
    })
  }
}

async function markAgain(source: number, changes: Change[]) {
  const events = changes.filter((change) => 'sku' in change)
  if (events.length) await markPlanned(source, events)
  for (const change of changes) if ('holidaysOf' in change) await markLearning(change.holidaysOf)
}

/** @returns whether there was one to wait for */
async function waitForSync(source: number): Promise<boolean> {
  const unfinished = { source_ID: source, status: { in: ['queued', 'running'] } }
  let hasWaited = false
  while (await SELECT.one.from(Syncs).columns('ID').where(unfinished)) {
    hasWaited = true
    await sleep(POLL_MS, undefined, { ref: false })
  }
  return hasWaited
}
