// The people that the service knows: by their sign-in, by what it remembers of it, or in development by the
// configuration.
import { AsyncLocalStorage } from 'node:async_hooks'
import cds from '@sap/cds'
import { LRUCache } from 'lru-cache'
import { runDetached } from '../../base/cap/context.ts'
import { writeAuditLog } from '../../base/database/audit.ts'
import { isDiskFull } from '../../base/database/database-faults.ts'
import { readAs, Users } from '../../base/database/entities.ts'
import { invalidParameter, Refusal } from '../../base/errors.ts'
import { APPROVING_ROLES, ROLES } from '../../base/roles.ts'
import { settings } from '../../base/settings/config.ts'
import { DAY_MS } from '../../base/time/days.ts'
import { type RowRestriction, restrictionOf } from './rows.ts'

export type User = InstanceType<typeof cds.User>

/** Somebody who can be named in a decision. */
export interface Person {
  id: string
  roles: string[]
  /** The rows that this person sees; null for all. */
  rows: RowRestriction | null
}

interface UserRow {
  ID: string
  roles: string[] | null
  locations: string[] | null
  groups: string[] | null
}

/** Finds a person: in development a mocked user of the configuration, otherwise somebody who has signed in. */
export async function findPerson(id: string): Promise<Person | undefined> {
  const people = configuredPeople()
  if (people) return people.find((person) => person.id === id)
  const row = await readAs<UserRow>(
    SELECT.one.from(Users).where({ ID: id, seenAt: { '>=': trustedSince() } }),
  )
  return row ? toPerson(row) : undefined
}

/** What a person who has ever signed in is restricted to; undefined for somebody who never has. */
export async function findRestriction(id: string): Promise<RowRestriction | null | undefined> {
  const people = configuredPeople()
  if (people) return people.find((person) => person.id === id)?.rows
  const row = await readAs<UserRow>(SELECT.one.from(Users).where({ ID: id }))
  return row ? toPerson(row).rows : undefined
}

/** A person as a user of CAP, to act for somebody who is not signed in. */
export const asUser = ({ id, roles, rows }: Person): User =>
  new cds.User({ id, roles, attr: { via: 'system', ...rows } as never })

/** Everybody who holds a role that may approve. */
export const listApprovers = async () => (await listPeople()).filter(isApprover)

/** Everybody who is known and has not left. */
export const listPeople = async () => configuredPeople() ?? (await rememberedPeople())

/** Whether a person holds a role that may approve; administrators as such do not. */
export const isApprover = (person: Pick<Person, 'roles'> | undefined) =>
  Boolean(person?.roles.some((role) => APPROVING_ROLES.includes(role)))

/** @throws Refusal invalid_parameter */
export async function assertApprover(user: string, target: string) {
  if (typeof user === 'string' && isApprover(await findPerson(user))) return
  throw invalidParameter(target, 'must be a known user who holds an approving role')
}

/** Nobody gives rights to themselves. @throws Refusal four_eyes_required */
export function assertOther(user: string, target: string) {
  if (cds.context?.user?.id !== user) return
  throw new Refusal('four_eyes_required', 'Nobody changes what they themselves may approve.', {
    target,
  })
}

export const rolesOf = (user: User) => ROLES.filter((role) => user.is(role))

/** Who has not signed in since this time counts as having left. */
export const trustedSince = () =>
  new Date(Date.now() - settings().userLeftAfterDays * DAY_MS).toISOString()

/** Those of these people who are unknown or have not signed in for too long. */
export async function whoHasLeft(ids: string[]): Promise<Set<string>> {
  const people = await listPeople()
  const present = new Set(people.map(({ id }) => id))
  return new Set(ids.filter((id) => !present.has(id)))
}

async function rememberedPeople(): Promise<Person[]> {
  const rows = await readAs<UserRow>(
    SELECT.from(Users)
      .where({ seenAt: { '>=': trustedSince() } })
      .orderBy('ID'),
  )
  return rows.map(toPerson)
}

function toPerson({ ID, roles, locations, groups }: UserRow): Person {
  return {
    id: ID,
    roles: roles ?? [],
    rows: locations || groups ? { locations, groups } : null,
  }
}

interface ConfiguredUser {
  /** CAP turns the configured list into an object as soon as it signs users in. */
  roles?: string[] | Record<string, number>
  attr?: object
}

/** The mocked users; null where people sign in at an identity provider. */
function configuredPeople(): Person[] | null {
  const { users } = (cds.env.requires.auth ?? {}) as {
    users?: Record<string, ConfiguredUser | boolean>
  }
  if (!users) return null
  return Object.entries(users).flatMap(([id, user]) => {
    if (typeof user !== 'object') return []
    const { roles = [], attr = {} } = user
    const names = Array.isArray(roles) ? roles : Object.keys(roles)
    return [{ id, roles: names, rows: restrictionOf({ attr }) }]
  })
}

const HOUR_MS = 3_600_000
const remembered = new LRUCache<string, true>({ max: 10_000, ttl: HOUR_MS })

/**
 * Remembers roles and rows of a signed-in user, for keys, delegations and mails that name this person later. It writes
 * at most once an hour unless something has changed.
 */
export async function rememberPerson(user: User, roles = rolesOf(user)) {
  const rows = restrictionOf(user)
  const facts = {
    ...{ ID: user.id, roles },
    ...{ locations: rows?.locations ?? null, groups: rows?.groups ?? null },
  }
  const key = JSON.stringify(facts)
  if (remembered.has(key)) return
  await noteSignIn(user, facts)
  await UPSERT.into(Users).entries({ ...facts, seenAt: new Date().toISOString() })
  remembered.set(key, true)
}

/**
 * Remembers the caller, in a transaction of its own: SQLite has one connection, which decisions about many proposals
 * need before the call ends. A full disk does not keep people from reading.
 */
export const rememberCaller = (user: User) =>
  runDetached('sign-in', async () => {
    cds.context!.user = user
    try {
      await rememberPerson(user)
    } catch (error) {
      if (!isDiskFull(error)) throw error
    }
  })

/** Sign-ins with the same rights within this time are audited once. */
const SIGN_IN_MS = 8 * HOUR_MS

async function noteSignIn({ id, attr }: User, facts: Omit<UserRow, 'ID'>) {
  if ((attr as { via?: string }).via === 'system') return
  const { roles, locations, groups } = facts
  const before = await readAs<UserRow & { seenAt: string }>(
    SELECT.one.from(Users).where({ ID: id }),
  )
  const same = (row: Omit<UserRow, 'ID'>) => JSON.stringify([row.roles, row.locations, row.groups])
  const isRecent = before && Date.parse(before.seenAt) > Date.now() - SIGN_IN_MS
  if (isRecent && same(before) === same(facts)) return
  await writeAuditLog('user.signed_in', `user:${id}`, JSON.stringify({ roles, locations, groups }))
}

/** The person is stored again at the next sign-in. @returns whether this person had signed in */
export async function forgetPerson(ID: string): Promise<boolean> {
  const removed: unknown = await DELETE.from(Users).where({ ID })
  remembered.clear()
  return removed !== 0
}

/** Lets mocked users be named in delegations before they have signed in. */
export async function rememberConfiguredApprovers() {
  for (const person of configuredPeople()?.filter(isApprover) ?? []) {
    await rememberPerson(asUser(person), person.roles)
  }
}

// A cache for one call about many proposals.

const kept = new AsyncLocalStorage<Map<string, Promise<unknown>>>()

/** While this work runs, `readCached` reads each name once. Everything must be read for the present user. */
export const withReadCache = <T>(work: () => T): T => kept.run(new Map(), work)

/**
 * Reads a value, or answers it from the cache of the present call, if there is one.
 * @param name unique within the folder
 */
export function readCached<T>(name: string, read: () => Promise<T>): Promise<T> {
  const found = kept.getStore()
  if (!found) return read()
  const known = found.get(name) as Promise<T> | undefined
  if (known) return known
  const reading = read()
  found.set(name, reading)
  // A failed read is not cached.
  reading.catch(() => found.delete(name))
  return reading
}
