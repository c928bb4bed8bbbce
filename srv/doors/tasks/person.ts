// The person who calls, as tasks need to know them: id, roles, and groups of the identity service.
import cds from '@sap/cds'
import { LRUCache } from 'lru-cache'
import {
  type Person as KnownPerson,
  rememberPerson,
  restrictionOf,
} from '../../domain/authority/index.ts'
import { ROLES } from '../../base/roles.ts'
import { isProduction, settings } from '../../base/settings/config.ts'
import { GlobalUsers, readAs } from '../../base/database/entities.ts'
import { groupOf, namedGroups } from './settings.ts'
import type { Door } from './task.ts'

/** A person, with the groups of the identity service that this person is in. */
export interface Person extends KnownPerson {
  groups: string[]
}

type User = InstanceType<typeof cds.User>

/** The claims of a verified token that CAP does not pass on. */
interface Claims {
  user_uuid?: string
  groups?: string[] | string
  'xs.system.attributes'?: { 'xs.saml.groups'?: string[]; 'xs.rolecollections'?: string[] }
}

declare module '@sap/cds' {
  interface User {
    /** What @sap/xssec has verified, where people sign in by SAP's identity services. */
    authInfo?: { token?: { payload?: Claims } }
  }
}

const claimsOf = ({ authInfo }: User): Claims => authInfo?.token?.payload ?? {}

/** The person that CAP has authenticated. */
export function personOf(user: User): Person {
  const claims = claimsOf(user)
  const system = claims['xs.system.attributes'] ?? {}
  const inToken = [...[claims.groups ?? []].flat(), ...(system['xs.saml.groups'] ?? [])]
  // Only groups that the settings name count, since the identity service does not know our scopes.
  const named = inToken.filter((group) => namedGroups().includes(group))
  const { groups = {} } = settings().tasks
  const roles = ROLES.filter((role) => user.is(role) || named.includes(groups[role]!))
  return {
    id: user.id,
    roles,
    rows: restrictionOf(user),
    groups: [...new Set([...roles.map((role) => groupOf(role)), ...named])],
  }
}

/** The person as CAP's services know somebody who comes through this door. */
export const userOf = ({ id, roles, rows }: Person, via: Door) =>
  new cds.User({ id, roles, attr: { via, ...rows } as never })

const seen = new LRUCache<string, true>({ max: 10_000, ttl: 3_600_000 })

/** Stores, at most once an hour, who has signed in, with which roles, and the identity service's id. */
export async function rememberUser(user: User) {
  if (!isProduction() || seen.has(user.id)) return
  const globalId = claimsOf(user).user_uuid
  await rememberPerson(user)
  if (globalId) {
    const seenAt = new Date().toISOString()
    await UPSERT.into(GlobalUsers).entries({ globalId, user: user.id, seenAt })
    globalIds.delete(user.id)
  }
  seen.set(user.id, true)
}

const globalIds = new LRUCache<string, { globalId: string | null }>({ max: 50_000, ttl: 60_000 })

/** The Global User IDs of people by our ids, without unknown people. In development both ids are the same. */
export async function globalIdsOf(users: Iterable<string>): Promise<Map<string, string>> {
  const asked = [...new Set(users)]
  if (!isProduction() && !settings().tasks.globalUserIds)
    return new Map(asked.map((id) => [id, id]))
  for (const [globalId, user] of Object.entries(settings().tasks.globalUserIds ?? {})) {
    globalIds.set(user, { globalId })
  }
  const missing = asked.filter((user) => !globalIds.has(user))
  if (missing.length) {
    const rows = await readAs<{ globalId: string; user: string }>(
      SELECT.from(GlobalUsers)
        .where({ user: { in: missing } })
        .orderBy('seenAt'),
    )
    const found = new Map(rows.map(({ user, globalId }) => [user, globalId]))
    for (const user of missing) globalIds.set(user, { globalId: found.get(user) ?? null })
  }
  return new Map(
    asked.flatMap((user) => {
      const globalId = globalIds.get(user)?.globalId
      return globalId ? [[user, globalId] as const] : []
    }),
  )
}
