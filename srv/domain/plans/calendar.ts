import cds from '@sap/cds'
import { isDemandDay, MAX_FACTOR } from '../../../adapters/records.ts'
import { PLAN_KINDS, type PlanKind } from '../../../engine/index.ts'
import { afterCommit, inTransaction } from '../../base/cap/context.ts'
import { Refusal } from '../../base/errors.ts'
import { writeAuditLog } from '../../base/database/audit.ts'
import { takeNumbers } from '../../base/database/counters.ts'
import { PlannedEvents, readAs } from '../../base/database/entities.ts'
import { toPage } from '../../base/database/rows.ts'
import { type EventSelector, markPlanned } from '../../base/database/records/mark-planned.ts'
import { assertMaySetPolicy, visiblePlannedEvents } from '../authority/index.ts'
import { forecastAnew } from './forecast-anew.ts'

interface Values {
  kind: PlanKind
  name: string
  firstDay: string
  lastDay: string
  factor: number | null
  price: number | null
}

/** An event as it is entered; `lastDay` defaults to the first day, everything else to empty. */
export type NewEvent = Pick<Values, 'kind' | 'firstDay'> & {
  [Name in keyof Values | keyof EventSelector]?: (Values & EventSelector)[Name] | null
}

/** An event of the calendar or of a source, or a public holiday; an empty name selects everything. */
export interface CalendarEvent extends Values, EventSelector {
  ID: number
  /** Null for an entry of the calendar. */
  source_ID: number | null
  origin: 'source' | 'calendar' | 'holiday'
  changedAt: string | null
  changedBy: string | null
  /** For a new event: the number of SKUs at locations that it concerns. */
  concerns?: number
}

export interface EventQuery {
  filter?: { notBefore?: string | null } & Partial<Record<string, string | null>>
  /** The last ID seen. */
  after?: string | null
  limit: number
}

const events = () =>
  SELECT.from(PlannedEvents).columns(
    ...(['ID', 'source_ID', 'origin', 'kind', 'sku', 'location', 'skuGroup'] as const),
    ...(['name', 'firstDay', 'lastDay', 'factor', 'price', 'changedAt', 'changedBy'] as const),
  )

/** The events of the calendar and of sources, newest first. */
export async function listEvents({ filter = {}, after, limit }: EventQuery) {
  const { notBefore, ...equal } = filter
  const query = events().limit(limit + 1)
  const visible = visiblePlannedEvents(cds.context!.user)
  const given = Object.entries(equal).filter(([, value]) => value != null)
  if (given.length) void query.where(Object.fromEntries(given))
  if (notBefore) void query.where({ lastDay: { '>=': notBefore } })
  if (visible) void query.where(visible)
  if (after) void query.where({ ID: { '<': Number(after) } })
  return toPage(await readAs<CalendarEvent>(query.orderBy('ID desc')), limit, ({ ID }) => ID)
}

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
    await writeAuditLog('plan.added', objectOf(row.ID), textOf(event))
    return { ...row, source_ID: null, concerns: await markConcerned(event) }
  })

/** @throws Refusal not_found */
export const removeEvent = (ID: number) =>
  inTransaction(async () => {
    const event = await findEvent(ID)
    await assertMaySetPolicy(cds.context!.user, event)
    if (!(await DELETE.from(PlannedEvents).where({ ID }))) throw unknown()
    await writeAuditLog('plan.removed', objectOf(ID), textOf(event))
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

function checkEvent({ kind, firstDay, lastDay, factor }: Values) {
  if (!PLAN_KINDS.includes(kind)) throw refused('kind', `must be one of ${PLAN_KINDS.join(', ')}`)
  if (!isDemandDay(firstDay)) throw refused('from', 'must lie between 1970 and 2199')
  if (!isDemandDay(lastDay)) throw refused('to', 'must lie between 1970 and 2199')
  if (lastDay < firstDay) throw refused('to', 'must not lie before from')
  if (kind === 'closure' && factor !== null)
    throw refused('factor', 'must be empty for a closure, which leaves no demand')
  if (kind !== 'closure' && kind !== 'promotion' && factor === null)
    throw refused('factor', `must say what this ${kind} makes of usual demand, such as 1.5`)
  if (factor !== null && !(factor >= 0 && factor <= MAX_FACTOR))
    throw refused('factor', `must be a number from 0 to ${MAX_FACTOR}`)
}

const refused = (target: string, what: string) =>
  new Refusal('invalid_parameter', `${target}: ${what}`, { target })

const objectOf = (ID: number) => `plan_${ID}`

/** By the names of their labels: the change log tells them in the reader's language (srv/doors/admin/audit-text.ts). */
function textOf({ kind, factor, price, ...names }: Values & EventSelector): string {
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
