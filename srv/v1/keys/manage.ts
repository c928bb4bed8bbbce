// Keys are listed, issued, rotated and revoked, in the caller's transaction.
import cds from '@sap/cds'
import { findPerson, isApprover } from '../../authority/index.ts'
import { settings } from '../../config.ts'
import { Refusal } from '../../errors.ts'
import { writeAuditLog } from '../../store/audit.ts'
import { ApiKeys, readAs } from '../../store/entities.ts'
import { toNumber } from '../../store/numbers.ts'
import { hashSecret, newKeyText, toKey } from './key-text.ts'
import { assertWithinIssuer, isSignedIn, issuingKey } from './issuer.ts'
import type { Scope } from './scopes.ts'
import { toPage } from '../../store/page.ts'
import { DAY_MS } from '../../store/today.ts'

const LIFETIME_MS = 180 * DAY_MS
/** How long the old key still works after a rotation. */
const GRACE_MS = DAY_MS

const iso = (time: number) => new Date(time).toISOString()

/** A row of restock.ApiKeys; timestamps in ISO 8601. */
export interface KeyRow {
  ID: string
  name: string
  secretHash: string
  scopes: Scope[]
  actsAs: string | null
  maxOrderValue: string | null
  /** Of that limit; null: the account's. */
  currency: string | null
  createdAt: string
  createdBy: string
  expiresAt: string
  /** By the person whom it acts as; null where it decides nothing, or nothing yet. */
  confirmedAt: string | null
  lapsedAt: string | null
  revokedAt: string | null
  rotatedTo: string | null
  /** Of these the first that is so. */
  status: 'revoked' | 'expired' | 'user_left' | 'pending_confirmation' | 'rotated' | 'active'
}

export interface KeyInput {
  name: string
  scopes: readonly Scope[]
  /** The user whose decisions those of the key are; needed for `proposals:decide`. */
  actsAs?: string | null
  /** Decimal string. */
  maxOrderValue?: string | null
  /** Of that limit; the account's unless said otherwise. */
  currency?: string | null
  /** ISO 8601; 180 days from now unless said otherwise, a year at most. */
  expiresAt?: string | null
}

/** A key as it is issued: the only time that its text is to be had. */
export type IssuedKey = KeyRow & { key: string }
export type RotatedKey = IssuedKey & { oldKeyExpiresAt: string }

/** Keys that are not revoked, newest first. */
export async function listKeys({ after, limit }: { after: string | null; limit: number }) {
  const [createdAt, ID] = after?.split(' ') ?? []
  const all = SELECT.from(ApiKeys).where({ revokedAt: null })
  const rest = after
    ? all.where`(createdAt < ${createdAt} or createdAt = ${createdAt} and ID < ${ID})`
    : all
  const rows = await readAs<KeyRow>(rest.orderBy('createdAt desc', 'ID desc').limit(limit + 1))
  return toPage(rows, limit, ({ createdAt, ID }) => `${createdAt} ${ID}`)
}

/** @throws Refusal not_found */
export async function findKey(ID: string): Promise<KeyRow> {
  const row = /^[0-9a-f]{16}$/.test(ID)
    ? await readAs<KeyRow>(SELECT.one.from(ApiKeys).where({ ID }))
    : null
  if (!row) throw noSuchKey()
  return row
}

export const noSuchKey = () => new Refusal('not_found', 'There is no such key.')

/**
 * Issues a key. One that decides must be confirmed by the person whom it acts as, unless that person issues it.
 * @throws Refusal insufficient_scope where a key issues it that holds less itself; invalid_parameter, target
 * `acts_as`, for somebody who is not known or may not approve, target `expires_at` beyond a year
 */
export async function issueKey(input: KeyInput): Promise<IssuedKey> {
  assertWithinIssuer(input)
  assertWithinAYear(input)
  await assertMayAct(input)
  const text = newKeyText()
  const createdAt = iso(Date.now())
  const { actsAs = null } = input
  const isConfirmed = input.scopes.includes('proposals:decide') && isSignedIn(actsAs)
  const isLimited = input.maxOrderValue != null
  const row = {
    ID: text.id,
    name: input.name,
    secretHash: hashSecret(text.secret),
    scopes: [...new Set(input.scopes)],
    actsAs,
    maxOrderValue: toNumber(input.maxOrderValue),
    currency: isLimited ? (input.currency ?? settings().currency) : null,
    createdAt,
    createdBy: cds.context?.user?.id ?? 'system',
    expiresAt: input.expiresAt ?? iso(Date.now() + LIFETIME_MS),
    confirmedAt: isConfirmed ? createdAt : null,
  }
  await INSERT.into(ApiKeys).entries(row)
  const issued = await findKey(row.ID)
  const { name, scopes, maxOrderValue, currency, expiresAt, status } = issued
  const limit = { maxOrderValue, currency }
  const detail = { name, scopes: scopes.join(), actsAs, ...limit, expiresAt, status }
  const withKey = issuingKey()
  await writeAuditLog('key.issued', `key:${row.ID}`, JSON.stringify({ ...detail, withKey }))
  return { ...issued, key: toKey(text) }
}

function assertWithinAYear({ expiresAt }: KeyInput) {
  if (!expiresAt || Date.parse(expiresAt) <= aYearFromNow()) return
  throw new Refusal('invalid_parameter', 'expires_at: must be within a year', {
    target: 'expires_at',
  })
}

/** The same day of the next year. */
function aYearFromNow(): number {
  const now = new Date()
  return now.setUTCFullYear(now.getUTCFullYear() + 1)
}

async function assertMayAct({ scopes, actsAs }: KeyInput) {
  const refuse = (message: string) =>
    new Refusal('invalid_parameter', message, { target: 'acts_as' })
  const user = actsAs ? await findPerson(actsAs) : undefined
  if (actsAs && !user) throw refuse('acts_as: this user is not known')
  if (!scopes.includes('proposals:decide')) return
  if (!actsAs) throw refuse('acts_as: a key that decides about proposals must name a user')
  if (!isApprover(user)) throw refuse('acts_as: this user holds no role that may approve')
}

/** Revoking a key twice changes nothing. @throws Refusal not_found */
export async function revokeKey(ID: string) {
  const { revokedAt } = await findKey(ID)
  if (revokedAt) return
  await UPDATE.entity(ApiKeys)
    .set({ revokedAt: iso(Date.now()) })
    .where({ ID, revokedAt: null })
  await writeAuditLog('key.revoked', `key:${ID}`, '')
}

/**
 * Issues a key like the old one, for as long as that was issued for; the old one works for 24 hours
 * more at most. The confirmation is the old one's alone.
 * @throws Refusal not_found; insufficient_scope, invalid_parameter as for a new key
 */
export async function rotateKey(ID: string): Promise<RotatedKey> {
  const old = await findKey(ID)
  if (old.revokedAt) throw noSuchKey()
  const lifetime = Date.parse(old.expiresAt) - Date.parse(old.createdAt)
  const expiresAt = iso(Math.min(Date.now() + lifetime, aYearFromNow()))
  const issued = await issueKey({ ...old, expiresAt })
  const oldKeyExpiresAt = iso(Math.min(Date.parse(old.expiresAt), Date.now() + GRACE_MS))
  await UPDATE.entity(ApiKeys)
    .set({ expiresAt: oldKeyExpiresAt, rotatedTo: issued.ID })
    .where({ ID })
  const detail = `by key:${issued.ID}, works until ${oldKeyExpiresAt}`
  await writeAuditLog('key.rotated', `key:${ID}`, detail)
  return { ...issued, oldKeyExpiresAt }
}
