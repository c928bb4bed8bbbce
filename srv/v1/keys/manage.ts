import cds from '@sap/cds'
import { Refusal } from '../../errors.ts'
import { writeAuditLog } from '../../store/audit.ts'
import { ApiKeys, readAs } from '../../store/entities.ts'
import { insertKey, type IssuedKey } from './issue.ts'
import type { KeyRow } from './rows.ts'
import { uncacheKey } from './verify.ts'

/** How long the old key still works after a rotation. */
const GRACE_MS = 24 * 3_600_000

const iso = (time: number) => new Date(time).toISOString()

/** Keys that are not revoked, newest first. */
export async function listKeys(
  after: string | null,
  limit: number,
): Promise<{ data: KeyRow[]; next: string | null }> {
  const [createdAt, ID] = after?.split(' ') ?? []
  const all = SELECT.from(ApiKeys).where({ revokedAt: null })
  const rest = after
    ? all.where`(createdAt < ${createdAt} or createdAt = ${createdAt} and ID < ${ID})`
    : all
  const rows = await readAs<KeyRow>(rest.orderBy('createdAt desc', 'ID desc').limit(limit + 1))
  const data = rows.slice(0, limit)
  const last = data.at(-1)
  return { data, next: rows.length > limit ? `${last!.createdAt} ${last!.ID}` : null }
}

/**
 * Revokes a key. Revoking it twice changes nothing.
 * @throws Refusal not_found
 */
export async function revokeKey(ID: string) {
  await cds.tx(() => revokeKeyInTransaction(ID))
  uncacheKey(ID)
}

/** The same within the caller's transaction; the caller calls `uncacheKey` afterwards. */
export async function revokeKeyInTransaction(ID: string) {
  const { revokedAt } = await readKey(ID)
  if (revokedAt) return
  await UPDATE.entity(ApiKeys)
    .set({ revokedAt: iso(Date.now()) })
    .where({ ID, revokedAt: null })
  await writeAuditLog('key.revoked', `key:${ID}`, '')
}

/**
 * Issues a key like the old one, for as long as that was issued for; the old one works for 24 hours
 * more at most.
 * @throws Refusal not_found; invalid_parameter where its user may not approve any more
 */
export async function rotateKey(ID: string): Promise<RotatedKey> {
  const rotated = await cds.tx(() => rotateKeyInTransaction(ID))
  uncacheKey(ID)
  return rotated
}

export type RotatedKey = IssuedKey & { oldKeyExpiresAt: string }

/** The same within the caller's transaction; the caller calls `uncacheKey` afterwards. */
export async function rotateKeyInTransaction(ID: string): Promise<RotatedKey> {
  const old = await readKey(ID)
  if (old.revokedAt) throw noSuchKey()
  const lifetime = Date.parse(old.expiresAt) - Date.parse(old.createdAt)
  const expiresAt = iso(Date.now() + lifetime)
  const issued = await insertKey({ ...old, expiresAt })
  const oldKeyExpiresAt = iso(Math.min(Date.parse(old.expiresAt), Date.now() + GRACE_MS))
  await UPDATE.entity(ApiKeys)
    .set({ expiresAt: oldKeyExpiresAt, rotatedTo: issued.row.ID })
    .where({ ID })
  const detail = `by key:${issued.row.ID}, works until ${oldKeyExpiresAt}`
  await writeAuditLog('key.rotated', `key:${ID}`, detail)
  return { ...issued, oldKeyExpiresAt }
}

async function readKey(ID: string): Promise<KeyRow> {
  const row = /^[0-9a-f]{16}$/.test(ID)
    ? await readAs<KeyRow>(SELECT.one.from(ApiKeys).where({ ID }))
    : null
  if (!row) throw noSuchKey()
  return row
}

/** @throws Refusal not_found */
export const assertKey = readKey

const noSuchKey = () => new Refusal('not_found', 'There is no such key.')
