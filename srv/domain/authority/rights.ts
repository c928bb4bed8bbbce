// The rights by which a person decides, and how far they reach.
import { randomUUID } from 'node:crypto'
import cds from '@sap/cds'
import { inTransaction } from '../../base/cap/context.ts'
import { writeAuditLog } from '../../base/database/audit.ts'
import { Delegations, readAs } from '../../base/database/entities.ts'
import { invalidParameter, Refusal } from '../../base/errors.ts'
import { assertAdmin, mayApprove } from '../../base/roles.ts'
import { type Limit, readRoleLimits, readUserLimit, storedLimit } from './limits.ts'
import {
  assertApprover,
  assertOther,
  findPerson,
  isApprover,
  type Person,
  readCached,
  rolesOf,
  type User,
  whoHasLeft,
} from './people.ts'
import { restrictionOf, type RowRestriction } from './rows.ts'

export interface Right {
  /** The absent person whose right it is; null for the own one. */
  inNameOf: string | null
  roles: string[]
  /** The limits of all roles, one of which must suffice; null for no limit. */
  limits: Limit[] | null
  /** The locations where the right holds; null for everywhere. */
  locations: string[] | null
  /** What the holder of the right is restricted to; null for nothing. */
  rows: RowRestriction | null
}

/** Who decides, through which door, and with which rights: the own one first. */
export interface Decider {
  id: string
  /** `ui`, `api`, `task_center`, `my_inbox` or `system`. */
  door: string
  /** The API key that the call came with; null for none. */
  key: string | null
  /** The limit of that key; null for none. */
  keyLimit: Limit | null
  rights: Right[]
}

/** What the attributes of a user say about the call. */
interface CallAttributes {
  via?: string
  key?: string
  maxOrderValue?: string | null
  maxOrderCurrency?: string | null
}

/**
 * The present user as somebody who decides. Read once for a decision, or for all of one call.
 * @throws Refusal insufficient_scope for somebody without an approving role, administrators included
 */
export const currentDecider = () => readCached('decider', readDecider)

async function readDecider(): Promise<Decider> {
  const user = cds.context?.user
  if (!user || !mayApprove()) {
    throw new Refusal('insufficient_scope', 'Only buyers and approvers decide about proposals.')
  }
  const { via = 'system', key = null, ...call } = user.attr as CallAttributes
  const { maxOrderValue = null, maxOrderCurrency: currency } = call
  const roleLimits = await readRoleLimits()
  const rights: Right[] = []
  for (const { person, inNameOf } of await capacitiesOf(user)) {
    if (isApprover(person)) rights.push({ ...(await rightOf(person, roleLimits)), inNameOf })
  }
  return { id: user.id, door: via, key, keyLimit: storedLimit({ maxOrderValue, currency }), rights }
}

/** The rights of these people in their own name, in the same order. */
export async function readRights(people: Person[]) {
  const roleLimits = await readRoleLimits()
  return Promise.all(people.map((person) => rightOf(person, roleLimits)))
}

/** A person's own limit replaces the limits of their roles. */
async function rightOf({ id, roles, rows }: Person, roleLimits: Map<string, Limit | null>) {
  const own = await readUserLimit(id)
  const held = own?.maxOrderValue == null ? ofRoles(roles, roleLimits) : [storedLimit(own)]
  const limits = held.includes(null) ? null : (held as Limit[])
  return { roles, limits, locations: own?.locations ?? null, rows }
}

const ofRoles = (roles: string[], roleLimits: Map<string, Limit | null>) =>
  [...roleLimits].filter(([role]) => roles.includes(role)).map(([, limit]) => limit)

// Absences: who may approve up to whose limit, and when.

interface Delegation {
  ID: string
  fromUser: string
  toUser: string
  /** ISO 8601 in UTC. */
  validFrom: string
  /** Exclusive. */
  validTo: string
  createdAt: string
  createdBy: string
  endedAt: string | null
  /** When it ended early because one of the two had left; null otherwise. */
  lapsedAt: string | null
}

export type NewDelegation = Pick<Delegation, 'fromUser' | 'toUser' | 'validFrom' | 'validTo'>

/**
 * Lets `toUser` approve up to the limit of `fromUser` for a time.
 * @throws Refusal insufficient_scope, four_eyes_required; invalid_parameter, its target the field at fault
 */
export const createDelegation = (input: NewDelegation) => inTransaction(() => create(input))

async function create(input: NewDelegation): Promise<Delegation> {
  assertAdmin()
  const { fromUser, toUser } = input
  await assertApprover(fromUser, 'fromUser')
  await assertApprover(toUser, 'toUser')
  assertOther(toUser, 'toUser')
  if (fromUser === toUser) throw invalidParameter('toUser', 'nobody stands in for themselves')
  const validFrom = timestampOf(input.validFrom, 'validFrom')
  const validTo = timestampOf(input.validTo, 'validTo')
  if (validTo <= validFrom || validTo <= new Date().toISOString()) {
    throw invalidParameter('validTo', 'must be after validFrom, and in the future')
  }
  const delegation = {
    ID: randomUUID(),
    fromUser,
    toUser,
    validFrom,
    validTo,
    createdAt: new Date().toISOString(),
    createdBy: cds.context?.user?.id ?? 'system',
    endedAt: null,
    lapsedAt: null,
  }
  await INSERT.into(Delegations).entries(delegation)
  await writeAuditLog('delegation.created', `user:${fromUser}`, JSON.stringify(delegation))
  return delegation
}

/** Ends a delegation now. Ending it twice changes nothing. @throws Refusal insufficient_scope, not_found */
export const endDelegation = (ID: string) => inTransaction(() => end(ID))

async function end(ID: string) {
  assertAdmin()
  const row = await readAs<Delegation>(SELECT.one.from(Delegations).where({ ID }))
  if (!row) throw new Refusal('not_found', 'There is no such delegation.')
  const endedAt = new Date().toISOString()
  const ended: unknown = await UPDATE.entity(Delegations)
    .set({ endedAt })
    .where({ ID, endedAt: null })
  if (ended) await writeAuditLog('delegation.ended', `user:${row.fromUser}`, JSON.stringify({ ID }))
}

function timestampOf(value: string, target: string): string {
  const time = Date.parse(value)
  if (Number.isNaN(time)) throw invalidParameter(target, 'must be a timestamp in ISO 8601')
  return new Date(time).toISOString()
}

/** Delegations that are valid now, to anybody or to one user. */
async function currentDelegations(toUser?: string): Promise<Delegation[]> {
  const now = new Date().toISOString()
  const query = SELECT.from(Delegations)
    .where`validFrom <= ${now} and validTo > ${now} and endedAt is null`
  if (toUser !== undefined) void query.where({ toUser })
  return readAs<Delegation>(query.orderBy('fromUser', 'ID'))
}

// Delegations end when somebody has left: has not signed in for too long, or was removed by an administrator.

type Both = Pick<Delegation, 'ID' | 'fromUser' | 'toUser'>

/** Delegations that are not over yet. */
async function openDelegations(): Promise<Both[]> {
  const now = new Date().toISOString()
  return readAs<Both>(
    SELECT.from(Delegations).columns('ID', 'fromUser', 'toUser')
      .where`validTo > ${now} and endedAt is null`,
  )
}

/** Ends the delegations from and to people who have left. They stay ended when these come back. */
export const lapseDelegations = () =>
  inTransaction(async () => {
    const delegations = await openDelegations()
    const left = await whoHasLeft(delegations.flatMap(({ fromUser, toUser }) => [fromUser, toUser]))
    await endBecauseLeft(delegations, left)
  })

/** Ends the delegations from and to somebody whom an administrator removes. */
export const endDelegationsOf = async (user: string) =>
  endBecauseLeft(await openDelegations(), new Set([user]))

async function endBecauseLeft(delegations: Both[], left: ReadonlySet<string>) {
  const now = new Date().toISOString()
  for (const { ID, fromUser, toUser } of delegations) {
    const gone = [fromUser, toUser].filter((user) => left.has(user))
    if (!gone.length) continue
    const ended: unknown = await UPDATE.entity(Delegations)
      .set({ endedAt: now, lapsedAt: now })
      .where({ ID, endedAt: null })
    const detail = JSON.stringify({ ID, left: gone })
    if (ended) await writeAuditLog('delegation.lapsed', `user:${fromUser}`, detail)
  }
}

// In which capacities a user sees and decides: as themselves, and as deputy of each absent person.

export interface Capacity {
  person: Person
  /** The absent person's id; null for oneself. */
  inNameOf: string | null
}

/** The user's own capacity comes first. A delegation cannot be passed on to a third person. */
export async function capacitiesOf(user: User): Promise<Capacity[]> {
  const own = { id: user.id, roles: rolesOf(user), rows: restrictionOf(user) }
  return [{ person: own, inNameOf: null }, ...(await deputyOf(user.id))]
}

/** The people for whom this user is deputy at present, unless they have left. */
export async function deputyOf(user: string): Promise<Capacity[]> {
  const capacities: Capacity[] = []
  const absent = (await currentDelegations(user)).map(({ fromUser }) => fromUser)
  for (const inNameOf of new Set(absent)) {
    const person = await findPerson(inNameOf)
    if (person) capacities.push({ person, inNameOf })
  }
  return capacities
}

export interface Deputy {
  /** The user who stands in. */
  id: string
  absent: Person
}

/** Everybody who is somebody's deputy at this moment. */
export async function listDeputies(): Promise<Deputy[]> {
  const deputies: Deputy[] = []
  for (const { fromUser, toUser } of await currentDelegations()) {
    const absent = await findPerson(fromUser)
    if (absent) deputies.push({ id: toUser, absent })
  }
  return deputies
}
