import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import cds from '@sap/cds'
import { LRUCache } from 'lru-cache'
import { ApiKeys, readAs } from '../../base/database/entities.ts'
import { Refusal } from '../../base/errors.ts'
import { APPROVING_ROLES } from '../../base/roles.ts'
import { findPerson, findRestriction, isApprover, type RowRestriction } from '../authority/index.ts'

export const SCOPES = [
  'forecasts:read',
  'proposals:read',
  'proposals:decide',
  'proposals:recommend',
  'policies:manage',
  'sources:manage',
  'sync:run',
  'keys:manage',
  'webhooks:manage',
  'audit:read',
] as const

/** A right that a key may carry; docs/reference/api.md says what each opens. */
export type Scope = (typeof SCOPES)[number]

/** A row of restock.ApiKeys; timestamps in ISO 8601. */
export interface KeyRow {
  ID: string
  name: string
  secretHash: string
  scopes: Scope[]
  actsAs: string | null
  maxOrderValue: string | null
  /** The currency of that limit; null means the account's. */
  currency: string | null
  createdAt: string
  createdBy: string
  expiresAt: string
  /** When the person whom it acts as confirmed it; null if it decides nothing, or is not confirmed yet. */
  confirmedAt: string | null
  lapsedAt: string | null
  revokedAt: string | null
  rotatedTo: string | null
  /** The first of these that applies. */
  status: 'revoked' | 'expired' | 'user_left' | 'pending_confirmation' | 'rotated' | 'active'
}

// The text of a key: rsk_<id>_<secret>. The id is public, of the secret only a hash is kept.

interface KeyText {
  id: string
  secret: string
}

export const newKeyText = (): KeyText => ({
  id: randomBytes(8).toString('hex'),
  secret: randomBytes(32).toString('base64url'),
})

export const toKey = ({ id, secret }: KeyText) => `rsk_${id}_${secret}`

/** SHA-256, hex. The secret is 256 random bits, so that no slow hash is needed. */
export const hashSecret = (secret: string) => hash('sha256', secret)

const BEARER = /^bearer +rsk_([0-9a-f]{16})_([\w-]{43})$/i

/** The key in an Authorization header, undefined where it holds none of ours. */
function fromHeader(authorization: string | undefined): KeyText | undefined {
  const match = BEARER.exec(authorization ?? '')
  return match ? { id: match[1]!, secret: match[2]! } : undefined
}

/**
 * A cached key is at most this old. So a revocation, a confirmation or changed rights of its user on another instance take
 * effect here within five seconds (docs/reference/api.md).
 */
const CACHE_MS = 4_000

/** A key that may be used, and the user whose rights it has. */
export interface VerifiedKey {
  id: string
  scopes: ReadonlySet<Scope>
  /** Whether it may not decide because the person whom it acts as has not confirmed it, or has left. */
  isUnconfirmed: boolean
  /** Whether it may not decide because the person whom it acts as may no longer approve. */
  mayNotApprove: boolean
  user: InstanceType<typeof cds.User>
}

interface CachedKey extends VerifiedKey {
  secretHash: Buffer
  /** Epoch milliseconds. */
  expiresAt: number
}

const cache = new LRUCache<string, CachedKey>({
  max: 10_000,
  ttl: CACHE_MS,
  fetchMethod: async (id, _stale, { options }) => {
    const began = performance.now()
    const row = await readAs<KeyRow>(SELECT.one.from(ApiKeys).where({ ID: id, revokedAt: null }))
    const key = row ? await toCachedKey(row) : undefined
    // The age counts from the beginning of the read.
    options.ttl = Math.max(1, CACHE_MS - (performance.now() - began))
    return key
  },
})

/**
 * Verifies the key in an Authorization header.
 * @throws Refusal invalid_api_key, expired_api_key
 */
export async function verifyKey(authorization: string | undefined): Promise<VerifiedKey> {
  const text = fromHeader(authorization)
  const cached = text && (cache.get(text.id) ?? (await readKey(text.id)))
  if (!cached || !timingSafeEqual(Buffer.from(hashSecret(text.secret)), cached.secretHash)) {
    throw new Refusal('invalid_api_key', 'A valid API key is needed: Authorization: Bearer <key>.')
  }
  if (cached.expiresAt <= Date.now())
    throw new Refusal('expired_api_key', 'The API key has expired.')
  return cached
}

/** A key that changes while it is read is read again. */
const readKey = (id: string): Promise<CachedKey | undefined> =>
  cache.fetch(id).catch((error: Error) => {
    if (error.message !== 'deleted') throw error
    return readKey(id)
  })

/** Drops a key that this instance has changed from its cache. */
export const uncacheKey = (id: string) => cache.delete(id)
export const uncacheKeys = () => cache.clear()

/** A key has the right to decide once it is confirmed, for as long as its user may approve. */
async function toCachedKey(row: KeyRow): Promise<CachedKey> {
  const person = row.actsAs === null ? undefined : await findPerson(row.actsAs)
  const isUnconfirmed = row.scopes.includes('proposals:decide') && row.confirmedAt === null
  const mayNotApprove = row.scopes.includes('proposals:decide') && !isApprover(person)
  const canDecide = !isUnconfirmed && !mayNotApprove
  const scopes = row.scopes.filter((scope) => scope !== 'proposals:decide' || canDecide)
  return {
    id: row.ID,
    scopes: new Set(scopes),
    isUnconfirmed,
    mayNotApprove,
    user: userOf(row, scopes, person?.roles ?? [], await rowsOfKey(row)),
    secretHash: Buffer.from(row.secretHash),
    expiresAt: Date.parse(row.expiresAt),
  }
}

/** A key sees what the user sees that it acts as, and nothing where that user is unknown. */
async function rowsOfKey({ actsAs }: KeyRow): Promise<RowRestriction | null> {
  if (actsAs === null) return null
  const rows = await findRestriction(actsAs)
  return rows === undefined ? { locations: [], groups: null } : rows
}

const ROLE_OF: Partial<Record<Scope, string>> = {
  'forecasts:read': 'Viewer',
  'proposals:read': 'Viewer',
  'proposals:recommend': 'Viewer',
  'sources:manage': 'Admin',
  'sync:run': 'Admin',
  'keys:manage': 'Admin',
  'webhooks:manage': 'Admin',
  'audit:read': 'Auditor',
}

/** Roles follow from the scopes. Of the user that it acts as, a key has only the approving roles. */
function userOf(
  { ID, actsAs, maxOrderValue, currency }: KeyRow,
  scopes: Scope[],
  roles: string[],
  rows: RowRestriction | null,
) {
  const userRoles = scopes.includes('proposals:decide') ? roles : []
  const keyRoles = [
    ...scopes.flatMap((scope) => ROLE_OF[scope] ?? []),
    ...userRoles.filter((role) => APPROVING_ROLES.includes(role)),
  ]
  return new cds.User({
    id: actsAs ?? `key:${ID}`,
    roles: [...new Set(keyRoles)],
    attr: {
      via: 'api',
      key: ID,
      scopes,
      maxOrderValue,
      maxOrderCurrency: currency,
      ...rows,
    } as never,
  })
}
