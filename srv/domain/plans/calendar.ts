import cds from '@sap/cds'
import { isDemandDay, MAX_FACTOR } from '../../../adapters/records.ts'
import { PLAN_KINDS, type PlanKind } from '../../../engine/index.ts'
import type { Predicate } from '../authority/index.ts'
import { Refusal } from '../../base/errors.ts'
import { writeAuditLog } from '../../base/database/audit.ts'
import { takeNumbers } from '../../base/database/counters.ts'
import { PlannedEvents, readAs } from '../../base/database/entities.ts'
import { toPage } from '../../base/database/rows.ts'
import { type EventSelector, markPlanned } from '../../base/database/records/mark-planned.ts'

interface Values {
  kind: PlanKind
  name: string
  firstDay: string
  lastDay: string
  factor: number | null
  price: number | null
}

/** As somebody enters it: what is left out is empty, and one day long. */
export type NewEvent = Pick<Values, 'kind' | 'firstDay'> & {
  [Name in keyof Values | keyof EventSelector]?: (Values & EventSelector)[Name] | null
}

interface Row extends Values, EventSelector {
  ID: number
  source_ID: number | null
  origin: 'source' | 'calendar' | 'holiday'
  changedAt: string | null
  changedBy: string | null
}

export interface EventQuery {
  filter?: { notBefore?: string | null } & Partial<Record<string, string | null>>
  /** The last ID seen. */
  after?: string | null
  limit: number
}

const COLUMNS = [
  ...(['ID', 'source_ID', 'origin', 'kind', 'sku', 'location', 'skuGroup', 'name'] as const),
  ...(['firstDay', 'lastDay', 'factor', 'price', 'changedAt', 'changedBy'] as const),
]

/** Newest first, those of sources too. @param visible those that the user sees; null for all */
export async function listEvents(
  { filter = {}, after, limit }: EventQuery,
  visible: Predicate | null,
) {
  const { notBefore, ...equal } = filter
  const query = SELECT.from(PlannedEvents)
    .columns(...COLUMNS)
    .limit(limit + 1)
  const given = Object.entries(equal).filter(([, value]) => value != null)
  if (given.length) void query.where(Object.fromEntries(given))
  if (notBefore) void query.where({ lastDay: { '>=': notBefore } })
  if (visible) void query.where(visible)
  if (after) void query.where({ ID: { '<': Number(after) } })
  const rows = await readAs<Row>(query.orderBy('ID desc'))
  const page = toPage(rows, limit, ({ ID }) => ID)
  return { ...page, data: page.data.map(toEvent) }
}

/**
 * Enters an event and asks for new forecasts of the series that it concerns.
 * @throws Refusal invalid_parameter
 */
export async function addEvent(given: NewEvent) {
  const { kind, firstDay, factor = null, price = null } = given
  const { sku, location, skuGroup, name } = given
  const event = {
    ...{ kind, firstDay, lastDay: given.lastDay ?? firstDay, factor, price },
    ...{ sku: sku ?? '', location: location ?? '', skuGroup: skuGroup ?? '', name: name ?? '' },
  }
  checkEvent(event)
  const row = {
    ...{ ID: await takeNumbers('plannedEvent'), ...event },
    changedAt: new Date().toISOString(),
    changedBy: cds.context?.user?.id ?? 'system',
  }
  const stored = { ...row, origin: 'calendar' as const }
  await INSERT.into(PlannedEvents).entries(stored)
  await writeAuditLog('plan.added', objectOf(row.ID), textOf(event))
  return { ...stored, source: null, concerns: await markPlanned(null, [event]) }
}

/** @throws Refusal not_found */
export async function removeEvent(ID: number) {
  const event = await findEvent(ID, null)
  if (!(await DELETE.from(PlannedEvents).where({ ID }))) throw unknown()
  await writeAuditLog('plan.removed', objectOf(ID), textOf(event))
  return { ...event, concerns: await markPlanned(null, [event]) }
}

/** An entry of the calendar. @param visible those that the user sees; null for all @throws Refusal not_found */
export async function findEvent(ID: number, visible: Predicate | null) {
  const of = { ID, origin: 'calendar' as const }
  const query = SELECT.from(PlannedEvents)
    .columns(...COLUMNS)
    .where(of)
  if (visible) void query.where(visible)
  const [row] = await readAs<Row>(query)
  if (row) return toEvent(row)
  throw unknown()
}

const unknown = () =>
  new Refusal('not_found', 'The calendar has no such event; what a source plans is changed there.')

const toEvent = ({ source_ID, ...row }: Row) => ({ ...row, source: source_ID })

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
function textOf({ kind, factor, price, ...values }: Values & EventSelector): string {
  const { firstDay, lastDay, sku, location, skuGroup, name } = values
  const said = {
    ...{ planKind: kind, firstDay, lastDay, sku, location, skuGroup },
    ...{ planFactor: factor, planPrice: price, name },
  }
  const given = Object.entries(said).filter(([, value]) => value !== '' && value !== null)
  return JSON.stringify(Object.fromEntries(given))
}
