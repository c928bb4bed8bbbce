import { timingSafeEqual } from 'node:crypto'
import cds from '@sap/cds'
import { LRUCache } from 'lru-cache'
import { Refusal } from '../../errors.ts'
import {
  APPROVING_ROLES,
  findPerson,
  findRows,
  isApprover,
  type Rows,
} from '../../authority/index.ts'
import type { Scope } from './scopes.ts'
import { fromHeader, hashSecret } from './key-text.ts'
import { type KeyRow, KEYS } from './rows.ts'

const { SELECT } = cds.ql

/** A revocation holds on every instance after this time at the latest. */
const CACHE_MS = 30_000

/** A key that may be used, and as whom. */
export interface VerifiedKey {
  id: string
  scopes: ReadonlySet<Scope>
  user: InstanceType<typeof cds.User>
}

interface HeldKey extends VerifiedKey {
  secretHash: Buffer
  /** Epoch milliseconds. */
  expiresAt: number
}

const held = new LRUCache<string, HeldKey>({
  max: 10_000,
  ttl: CACHE_MS,
  fetchMethod: async (id) => {
    const row: KeyRow | undefined = await SELECT.one.from(KEYS).where({ ID: id, revokedAt: null })
    return row && toHeld(row)
  },
})

/**
 * The key in an Authorization header, and as whom it acts.
 * @throws Refusal invalid_api_key, expired_api_key
 */
export async function verifyKey(authorization: string | undefined): Promise<VerifiedKey> {
  const text = fromHeader(authorization)
  const known = text && (held.get(text.id) ?? (await lookUp(text.id)))
  if (!known || !timingSafeEqual(Buffer.from(hashSecret(text.secret)), known.secretHash)) {
    throw new Refusal('invalid_api_key', 'A valid API key is needed: Authorization: Bearer <key>.')
  }
  if (known.expiresAt <= Date.now())
    throw new Refusal('expired_api_key', 'The API key has expired.')
  return known
}

/** A key that is changed here while it is looked up is looked up again. */
const lookUp = (id: string): Promise<HeldKey | undefined> =>
  held.fetch(id).catch((error) => {
    if (error.message !== 'deleted') throw error
    return lookUp(id)
  })

/** Lets go of a key that was changed here. */
export const dropHeldKey = (id: string) => held.delete(id)

/** A key whose user may not approve any more does not decide any more. */
async function toHeld(row: KeyRow): Promise<HeldKey> {
  const person = row.actsAs === null ? undefined : await findPerson(row.actsAs)
  const decides = isApprover(person)
  const scopes = row.scopes.filter((scope) => scope !== 'proposals:decide' || decides)
  return {
    id: row.ID,
    scopes: new Set(scopes),
    user: userOf(row, scopes, person?.roles ?? [], await rowsOfKey(row)),
    secretHash: Buffer.from(row.secretHash),
    expiresAt: Date.parse(row.expiresAt),
  }
}

/** A key sees what the person sees that it acts as; nothing where that is not known any more. */
async function rowsOfKey({ actsAs }: KeyRow): Promise<Rows | null> {
  if (actsAs === null) return null
  const rows = await findRows(actsAs)
  return rows === undefined ? { locations: [], groups: null } : rows
}

const ROLE_OF: Partial<Record<Scope, string>> = {
  'forecasts:read': 'Viewer',
  'proposals:read': 'Viewer',
  'sources:manage': 'Admin',
  'sync:run': 'Admin',
  'keys:manage': 'Admin',
  'webhooks:manage': 'Admin',
  'audit:read': 'Auditor',
}

/** Roles follow from the scopes; of the user that a key acts as, only the approving ones are lent to it. */
function userOf(
  { ID, actsAs, maxOrderValue }: KeyRow,
  scopes: Scope[],
  roles: string[],
  rows: Rows | null,
) {
  const lent = scopes.includes('proposals:decide') ? roles : []
  const held = [
    ...scopes.flatMap((scope) => ROLE_OF[scope] ?? []),
    ...lent.filter((role) => APPROVING_ROLES.includes(role)),
  ]
  return new cds.User({
    id: actsAs ?? `key:${ID}`,
    roles: [...new Set(held)],
    attr: { via: 'api', maxOrderValue, key: ID, ...rows } as never,
  })
}
