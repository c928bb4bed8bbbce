// Absences: who may approve up to whose limit, and when.
import { randomUUID } from 'node:crypto'
import cds from '@sap/cds'
import { inTransaction } from '../../base/cap/context.ts'
import { writeAuditLog } from '../../base/database/audit.ts'
import { Delegations, readAs } from '../../base/database/entities.ts'
import { invalidParameter, Refusal } from '../../base/errors.ts'
import { assertAdmin } from '../../base/roles.ts'
import {
  assertApprover,
  assertOther,
  findPerson,
  type Person,
  rolesOf,
  type User,
  whoHasLeft,
} from './people.ts'
import { restrictionOf } from './rows.ts'

export interface Delegation {
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
