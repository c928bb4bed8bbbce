// Who issues or rotates a key: a person who is signed in, the service itself, or another key.
import cds from '@sap/cds'
import { z } from 'zod'
import { afterCommit, inTransaction } from '../../base/cap/context.ts'
import { writeAuditLog } from '../../base/database/audit.ts'
import { ApiKeys, readAs } from '../../base/database/entities.ts'
import { toNumber, toPage } from '../../base/database/rows.ts'
import { invalidParameter, Refusal } from '../../base/errors.ts'
import { code, currency, limit } from '../../base/input.ts'
import { settings } from '../../base/settings/config.ts'
import { DAY_MS, iso } from '../../base/time/days.ts'
import { findPerson, isApprover, restrictionOf, whoHasLeft } from '../authority/index.ts'
import {
  hashSecret,
  type KeyRow,
  newKeyText,
  type Scope,
  SCOPES,
  toKey,
  uncacheKey,
  uncacheKeys,
} from './verify.ts'

/** The key that the call came with; null for a person or the service itself. */
const issuingKey = (): string | null => cds.context?.user.attr.key ?? null

/** Whether this person is signed in. A key that acts as somebody is not that person. */
const isSignedIn = (person: string | null): boolean =>
  person !== null && cds.context?.user.id === person && issuingKey() === null

/** A key cannot issue a key with scopes or rows that it lacks itself. @throws Refusal insufficient_scope */
function assertWithinIssuer({ scopes, actsAs }: KeyInput) {
  if (!issuingKey()) return
  const { user } = cds.context!
  const own = [user.attr.scopes].flat()
  const missing = scopes.filter((scope) => !own.includes(scope))
  if (missing.length) {
    throw new Refusal(
      'insufficient_scope',
      `A key gives only scopes that it has itself; this one lacks ${missing.join(', ')}.`,
      { target: 'scopes' },
    )
  }
  if (restrictionOf(user) && actsAs !== user.id) {
    throw new Refusal(
      'insufficient_scope',
      `This key sees what ${user.id} sees; a key that it issues must act as ${user.id} too.`,
      { target: 'acts_as' },
    )
  }
}

const LIFETIME_MS = 180 * DAY_MS
/** How long the old key still works after a rotation. */
const GRACE_MS = DAY_MS

/** The schema of each field of a new key, for every door. */
export const NEW_KEY = {
  name: code().max(100),
  scopes: z.array(z.enum(SCOPES)).min(1, 'must name at least one scope'),
  /** The user in whose name the key decides; required for `proposals:decide`. */
  actsAs: code().max(255),
  maxOrderValue: limit(),
  /** The currency of that limit; the account's by default. */
  currency: currency(),
}

export interface KeyInput {
  name: string
  scopes: readonly Scope[]
  actsAs?: string | null
  maxOrderValue?: string | null
  currency?: string | null
  expiresInDays?: number | null
  /** ISO 8601, a year from now at most; 180 days from now unless this or the days are given. */
  expiresAt?: string | null
}

/** A newly issued key. Its text is never shown again. */
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

const noSuchKey = () => new Refusal('not_found', 'There is no such key.')

/**
 * Issues a key. One that decides must be confirmed by the person whom it acts as, unless that person issues it.
 * @throws Refusal insufficient_scope where a key issues it that holds less itself; invalid_parameter, target
 * `acts_as`, for somebody who is not known or may not approve, target `expires_at` beyond a year
 */
export const issueKey = (input: KeyInput) => inTransaction(() => issue(input))

async function issue(input: KeyInput): Promise<IssuedKey> {
  const { expiresInDays: days } = input
  const expiresAt = days ? iso(Date.now() + days * DAY_MS) : input.expiresAt
  assertWithinIssuer(input)
  assertWithinAYear(expiresAt)
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
    expiresAt: expiresAt ?? iso(Date.now() + LIFETIME_MS),
    confirmedAt: isConfirmed ? createdAt : null,
  }
  await INSERT.into(ApiKeys).entries(row)
  const issued = await findKey(row.ID)
  const detail = {
    name: issued.name,
    scopes: issued.scopes.join(', '),
    actsAs,
    maxOrderValue: issued.maxOrderValue,
    currency: issued.currency,
    expiresAt: issued.expiresAt,
    status: issued.status,
    withKey: issuingKey(),
  }
  await writeAuditLog('key.issued', `key:${row.ID}`, JSON.stringify(detail))
  return { ...issued, key: toKey(text) }
}

function assertWithinAYear(expiresAt: string | null | undefined) {
  if (!expiresAt || Date.parse(expiresAt) <= aYearFromNow()) return
  throw invalidParameter('expires_at', 'must be within a year')
}

/** The same day of the next year. */
function aYearFromNow(): number {
  const now = new Date()
  return now.setUTCFullYear(now.getUTCFullYear() + 1)
}

async function assertMayAct({ scopes, actsAs }: KeyInput) {
  const user = actsAs ? await findPerson(actsAs) : undefined
  if (actsAs && !user) throw invalidParameter('acts_as', 'this user is not known')
  if (!scopes.includes('proposals:decide')) return
  if (!actsAs)
    throw invalidParameter('acts_as', 'a key that decides about proposals must name a user')
  if (!isApprover(user))
    throw invalidParameter('acts_as', 'this user holds no role that may approve')
}

/** Changes a key in one transaction, and then drops it from the cache of this instance. */
const changing = <T>(ID: string, change: (ID: string) => Promise<T>): Promise<T> =>
  inTransaction(() => {
    afterCommit(() => uncacheKey(ID))
    return change(ID)
  })

/** Revoking a key twice changes nothing. @throws Refusal not_found */
export const revokeKey = (ID: string) => changing(ID, revoke)

async function revoke(ID: string) {
  const { revokedAt } = await findKey(ID)
  if (revokedAt) return
  await UPDATE.entity(ApiKeys)
    .set({ revokedAt: iso(Date.now()) })
    .where({ ID, revokedAt: null })
  await writeAuditLog('key.revoked', `key:${ID}`, '')
}

/**
 * Issues a key with the same rights and lifetime; the confirmation of the old key does not carry over. The old key works for
 * 24 hours more at most.
 * @throws Refusal not_found; insufficient_scope, invalid_parameter as for a new key
 */
export const rotateKey = (ID: string) => changing(ID, rotate)

async function rotate(ID: string): Promise<RotatedKey> {
  const old = await findKey(ID)
  if (old.revokedAt) throw noSuchKey()
  const lifetime = Date.parse(old.expiresAt) - Date.parse(old.createdAt)
  const expiresAt = iso(Math.min(Date.now() + lifetime, aYearFromNow()))
  const issued = await issue({ ...old, expiresAt })
  const oldKeyExpiresAt = iso(Math.min(Date.parse(old.expiresAt), Date.now() + GRACE_MS))
  await UPDATE.entity(ApiKeys)
    .set({ expiresAt: oldKeyExpiresAt, rotatedTo: issued.ID })
    .where({ ID })
  const detail = `by key:${issued.ID}, works until ${oldKeyExpiresAt}`
  await writeAuditLog('key.rotated', `key:${ID}`, detail)
  return { ...issued, oldKeyExpiresAt }
}

// A key decides as a person only once that person has confirmed it, and while that person is there.

/** Confirming a key twice changes nothing. @throws Refusal not_found for whoever is not the person it acts as */
export const confirmKey = (ID: string) => changing(ID, confirm)

async function confirm(ID: string) {
  await assertOwn(ID)
  const confirmed: unknown = await UPDATE.entity(ApiKeys)
    .set({ confirmedAt: new Date().toISOString(), lapsedAt: null })
    .where({ ID, confirmedAt: null, revokedAt: null })
  if (confirmed) await writeAuditLog('key.confirmed', `key:${ID}`, '')
}

/** @throws Refusal not_found for whoever is not the person it acts as */
export const revokeOwnKey = (ID: string) =>
  changing(ID, async () => {
    await assertOwn(ID)
    await revoke(ID)
  })

async function assertOwn(ID: string) {
  const { actsAs, status } = await findKey(ID)
  if (!isSignedIn(actsAs) || status === 'revoked' || status === 'expired') throw noSuchKey()
}

/** Ends the confirmations of people who have left: a key decides again when they are back and confirm it. */
export const lapseKeys = () => inTransaction(lapse)

async function lapse() {
  afterCommit(uncacheKeys)
  const keys = await readAs<Pick<KeyRow, 'ID' | 'actsAs'>>(
    SELECT.from(ApiKeys).columns('ID', 'actsAs')
      .where`confirmedAt is not null and revokedAt is null`,
  )
  const left = await whoHasLeft(keys.map(({ actsAs }) => actsAs!))
  const lapsedAt = new Date().toISOString()
  for (const { ID, actsAs } of keys.filter((key) => left.has(key.actsAs!))) {
    const lapsed: unknown = await UPDATE.entity(ApiKeys).set({ confirmedAt: null, lapsedAt })
      .where`ID = ${ID} and confirmedAt is not null`
    if (lapsed) await writeAuditLog('key.lapsed', `key:${ID}`, `${actsAs} has left`)
  }
}

/** Revokes every key that acts as somebody, in the caller's transaction. */
export async function revokeKeysOf(user: string) {
  afterCommit(uncacheKeys)
  const keys = await readAs<Pick<KeyRow, 'ID'>>(
    SELECT.from(ApiKeys).columns('ID').where({ actsAs: user, revokedAt: null }),
  )
  for (const { ID } of keys) await revoke(ID)
}
