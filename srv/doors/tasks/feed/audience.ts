// A proposal as the task that people are shown.
import { hash } from 'node:crypto'
import type { ProposalStatus } from '#cds-models/restock'
import { addDays } from '../../../../engine/proposal/index.ts'
import { Proposals, readAs, Skus, TaskAudiences } from '../../../base/database/entities.ts'
import { settings } from '../../../base/settings/config.ts'
import { readAllLocalDays } from '../../../base/time/days.ts'
import { startOfDay } from '../../../base/time/time-zone.ts'
import {
  type Limit,
  mayReach,
  permitsRow,
  type Person,
  type Worth,
} from '../../../domain/authority/index.ts'
import { allowsStep, type TermColumns, termsOf } from '../../../domain/proposals/index.ts'
import { groupOf, type TaskBasis } from '../settings.ts'
import { type Draft, type Priority, subjectOf, type TaskStatus } from '../task.ts'

/** The columns of restock.Proposals that a task shows; numbers may come as text. */
export interface TaskProposal {
  ID: number
  source_ID: number
  sku: string
  location: string
  supplier: string | null
  fromLocation: string | null
  quantity: number | string
  value: number | string | null
  currency: string | null
  status: ProposalStatus
  urgency: string
  orderBy: string | null
  createdAt: string
  snoozedUntil: string | null
  decidedAt: string | null
  decidedBy: string | null
  updatedAt: string
  calculation_leadTimeDays: number
  calculation_horizonDays: number
  calculation_onHand: number
  calculation_p50: number | string
  exceptions: string[] | null
}

const PROPOSAL_COLUMNS = [
  ...['ID', 'source_ID', 'sku', 'location', 'supplier', 'quantity', 'value', 'currency'],
  'fromLocation',
  ...['status', 'urgency', 'orderBy', 'createdAt', 'snoozedUntil', 'decidedAt', 'decidedBy'],
  ...['updatedAt', 'calculation_leadTimeDays', 'calculation_horizonDays'],
  ...['calculation_onHand', 'calculation_p50', 'exceptions'],
]

export async function proposalsOf(ids: number[]): Promise<TaskProposal[]> {
  return readAs<TaskProposal>(
    SELECT.from(Proposals)
      .columns(...PROPOSAL_COLUMNS)
      .where({ ID: { in: ids } }),
  )
}

const STATUS: Record<string, TaskStatus> = {
  pending: 'READY',
  awaiting_second_approval: 'READY',
  snoozed: 'FOR_RESUBMISSION',
  approved: 'COMPLETED',
  ordered: 'COMPLETED',
  rejected: 'COMPLETED',
  superseded: 'CANCELED',
  expired: 'CANCELED',
  cancelled: 'CANCELED',
}

export const statusOf = ({ status }: Pick<TaskProposal, 'status'>): TaskStatus =>
  STATUS[status] ?? 'CANCELED'

const PRIORITY: Record<string, Priority> = {
  stocked_out: 'VERY_HIGH',
  stockout_before_arrival: 'HIGH',
  due: 'MEDIUM',
  ahead: 'LOW',
}

export const priorityOf = ({ urgency }: Pick<TaskProposal, 'urgency'>): Priority =>
  PRIORITY[urgency] ?? 'MEDIUM'

/** A digest of what a person decides about. @param rows with the quantities that would be ordered */
export const termsOfRows = (rows: (TermColumns & Pick<TaskProposal, 'ID'>)[]): string =>
  hash('sha256', JSON.stringify(rows.map((row) => [row.ID, termsOf(row)])))

/** The last moment of the day by which a proposal must be ordered, at its location. */
export type DueAt = (row: TaskProposal) => string | null

export async function readDueAt(): Promise<DueAt> {
  const days = await readAllLocalDays()
  return ({ orderBy, source_ID, location }) => {
    if (!orderBy) return null
    const zone = days.get(Number(source_ID))?.zoneOf(location) ?? settings().timeZone
    return new Date(startOfDay(zone, addDays(orderBy, 1)).getTime() - 1).toISOString()
  }
}

/** When the goods are needed: an order placed on its last day arrives then. */
export const neededBy = ({ orderBy, calculation_leadTimeDays }: TaskProposal) =>
  orderBy && addDays(orderBy, Number(calculation_leadTimeDays))

const MOST_DAYS = 9999

/** For how many days the stock lasts at the median of demand. */
function daysOfSupplyOf(row: TaskProposal): number | null {
  const daily = Number(row.calculation_p50) / Number(row.calculation_horizonDays)
  if (!(daily > 0)) return null
  return Math.min(MOST_DAYS, Math.max(0, Math.floor(Number(row.calculation_onHand) / daily)))
}

/** @param processor the person who has claimed the task; a finished task has none */
export function draftOf(
  row: TaskProposal,
  audience: string,
  processor: string | null,
  dueAt: DueAt,
): Draft {
  const status = statusOf(row)
  const claimed = status === 'READY' ? processor : null
  const task = {
    localId: `prop_${row.ID}`,
    status: claimed ? ('RESERVED' as const) : status,
    priority: priorityOf(row),
    proposal: row.ID,
    source: row.source_ID,
    sku: row.sku,
    location: row.location,
    supplier: row.supplier ?? null,
    fromLocation: row.fromLocation ?? null,
    lines: 1,
    quantity: Number(row.quantity),
    value: row.value == null ? null : Number(row.value).toFixed(2),
    currency: row.currency ?? null,
    orderBy: row.orderBy ?? null,
    neededBy: neededBy(row),
    daysOfSupply: daysOfSupplyOf(row),
    audience,
    processor: claimed,
    createdAt: row.createdAt,
    dueAt: dueAt(row),
    resumeAt: status === 'FOR_RESUBMISSION' ? (row.snoozedUntil ?? null) : null,
    completedAt: status === 'COMPLETED' ? (row.decidedAt ?? row.updatedAt) : null,
    completedBy: status === 'COMPLETED' ? (row.decidedBy ?? null) : null,
    openKey: null,
    terms: termsOfRows([row]),
  }
  return { ...task, subject: subjectOf(task, 'en') }
}

// The audience of a task follows from the value of its order and the purchasing group of its SKU.

interface Audience extends Recipients {
  ID: string
  /** The recipients for Task Center, if they differ from the audience; null otherwise. */
  recipients: Recipients | null
}

/** The audience of a row; for an order, of its value and all its rows. */
export type AudienceFor = (row: TaskProposal, worth?: Worth, rows?: TaskProposal[]) => string

type AudienceQuestion = Pick<TaskProposal, 'location' | 'status'> & { worth: Worth }

/** Who may decide about an order of this value at this location. */
function audienceOf(
  asked: AudienceQuestion,
  purchasingGroup: string | null,
  basis: TaskBasis,
): Recipients {
  const { status, location, worth } = asked
  const reaches = (limit: Limit | null) => mayReach(limit, worth, basis.rates)
  const isFirst = allowsStep(status, 'requestSecondApproval') && !reaches(basis.secondApproverAbove)
  const covers = (limit: Limit | null) => isFirst || reaches(limit)
  const rolesAbove = basis.roles.filter(({ limit }) => covers(limit))
  // If the value is over every limit, the task is shown to all who may approve.
  const roles = rolesAbove.length ? rolesAbove : basis.roles
  const groups = [...new Set(roles.map(({ role }) => groupOf(role, purchasingGroup)))]
  const users = basis.users
    .filter(({ limit, locations }) => covers(limit) && (locations?.includes(location) ?? true))
    .map(({ user }) => user)
    .slice(0, MOST_RECIPIENTS)
  return { groups: groups.sort(), users: users.sort() }
}

/** The group by source and SKU; empty if no audience depends on it. */
async function skuGroups(rows: TaskProposal[], { approvers, deputies }: TaskBasis) {
  const people = [...approvers, ...deputies.map(({ absent }) => absent)]
  const matters =
    Object.keys(settings().tasks.purchasingGroups ?? {}).length ||
    people.some((each) => each.rows?.groups)
  if (!matters || !rows.length) return new Map<string, string>()
  const found = await readAs<SkuRow>(
    SELECT.from(Skus)
      .columns('source_ID', 'sku', 'skuGroup')
      .where({ sku: { in: [...new Set(rows.map(({ sku }) => sku))] } }),
  )
  return new Map(
    found.flatMap(({ source_ID, sku, skuGroup }) =>
      skuGroup ? [[`${source_ID} ${sku}`, skuGroup]] : [],
    ),
  )
}

interface SkuRow {
  source_ID: number
  sku: string
  skuGroup: string | null
}

/** Stores the new audiences, under the lock of the feed. */
async function storeAudiences(audiences: Audience[]) {
  const wanted = new Map(audiences.map((audience) => [audience.ID, audience]))
  const known = await readAs<{ ID: string }>(SELECT.from(TaskAudiences).columns('ID'))
  for (const { ID } of known) wanted.delete(ID)
  if (!wanted.size) return
  await INSERT.into(TaskAudiences).entries(
    [...wanted.values()].map(({ ID, groups, users, recipients }) => ({
      ...{ ID, groups: JSON.stringify(groups), users: JSON.stringify(users) },
      recipients: recipients && JSON.stringify(recipients),
    })),
  )
}

/** Reads all audiences; there are few. */
export async function audiences(): Promise<Map<string, Audience>> {
  const rows = await readAs<AudienceRow>(SELECT.from(TaskAudiences))
  return new Map(
    rows.map(({ ID, groups, users, recipients }) => [
      ID,
      {
        ...{ ID, groups: JSON.parse(groups) as string[], users: JSON.parse(users) as string[] },
        recipients: recipients ? (JSON.parse(recipients) as Recipients) : null,
      },
    ]),
  )
}

/** Lists are JSON. */
interface AudienceRow {
  ID: string
  groups: string
  users: string
  recipients: string | null
}

function worthOf({ value, currency }: TaskProposal): Worth {
  const decimal = value == null ? null : String(value)
  return { line: decimal, day: decimal, currency: currency ?? null }
}

/** Finds each row's audience; `keep` stores the audiences found. */
export async function audiencesFor(rows: TaskProposal[], basis: TaskBasis) {
  const groups = await skuGroups(rows, basis)
  const groupOfRow = ({ source_ID, sku }: TaskProposal) => groups.get(`${source_ID} ${sku}`) ?? null
  const met = new Map<string, Audience>()
  const audienceFor: AudienceFor = (row, worth = worthOf(row), all = [row]) => {
    const entitled = audienceOf({ ...row, worth }, groupOfRow(row), basis)
    const lines = all.map((each) => ({ location: each.location, skuGroup: groupOfRow(each) }))
    const recipients = recipientsOf(entitled, lines, basis)
    const ID = hash('sha256', JSON.stringify({ ...entitled, ...(recipients && { recipients }) }))
    met.set(ID, { ID, ...entitled, recipients })
    return ID
  }
  return { audienceFor, keep: () => storeAudiences([...met.values()]) }
}

// The recipients of a task in Task Center, where they differ from its audience. Task Center knows groups and
// users, but neither restrictions by row nor deputies: in these cases people are named instead of their group.

export interface Recipients {
  groups: string[]
  /** Our user ids. */
  users: string[]
}

/** The properties of a row that a person's access may be restricted by. */
interface RestrictedBy {
  location: string
  skuGroup: string | null
}

/** The most users and groups that a task may name. */
export const MOST_RECIPIENTS = 100

/**
 * @param audience who may decide
 * @param lines the task is shown to people who see all of them
 * @returns null if they are the audience
 */
function recipientsOf(
  audience: Recipients,
  lines: RestrictedBy[],
  { approvers, deputies }: Pick<TaskBasis, 'approvers' | 'deputies'>,
): Recipients | null {
  if (!approvers.length && !deputies.length) return null
  const isSeenBy = ({ rows }: Person) => lines.every((line) => permitsRow(rows, line))
  const isIn = ({ roles }: Person, group: string) => roles.some((role) => groupOf(role) === group)
  const isAsked = (person: Person) =>
    audience.users.includes(person.id) || audience.groups.some((group) => isIn(person, group))
  const blind = approvers.filter((person) => !isSeenBy(person))
  const isWhole = (group: string) => !blind.some((person) => isIn(person, group))
  const groups = audience.groups.filter(isWhole)
  const users = new Set(audience.users.filter((id) => !blind.some((person) => person.id === id)))
  for (const person of approvers) {
    const isOfSplitGroup = audience.groups.some((group) => !isWhole(group) && isIn(person, group))
    if (isOfSplitGroup && isSeenBy(person)) users.add(person.id)
  }
  for (const { id, absent } of deputies) if (isAsked(absent) && isSeenBy(absent)) users.add(id)
  const isSame = groups.length === audience.groups.length && users.size === audience.users.length
  return isSame ? null : { groups, users: [...users].sort().slice(0, MOST_RECIPIENTS) }
}
