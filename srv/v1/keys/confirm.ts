// A key decides as a person only once that person has confirmed it, and while that person is there.
import { whoHasLeft } from '../../authority/index.ts'
import { writeAuditLog } from '../../store/audit.ts'
import { ApiKeys, readAs } from '../../store/entities.ts'
import { isSignedIn } from './issuer.ts'
import { findKey, type KeyRow, noSuchKey, revokeKey } from './manage.ts'

/** Confirming a key twice changes nothing. @throws Refusal not_found for whoever is not the person it acts as */
export async function confirmKey(ID: string) {
  await assertOwn(ID)
  const confirmed: unknown = await UPDATE.entity(ApiKeys)
    .set({ confirmedAt: new Date().toISOString(), lapsedAt: null })
    .where({ ID, confirmedAt: null, revokedAt: null })
  if (confirmed) await writeAuditLog('key.confirmed', `key:${ID}`, '')
}

/** @throws Refusal not_found for whoever is not the person it acts as */
export async function revokeOwnKey(ID: string) {
  await assertOwn(ID)
  await revokeKey(ID)
}

async function assertOwn(ID: string) {
  const { actsAs, status } = await findKey(ID)
  if (!isSignedIn(actsAs) || status === 'revoked' || status === 'expired') throw noSuchKey()
}

/** Ends the confirmations of people who have left: a key decides again when they are back and confirm it. */
export async function lapseKeys() {
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

/** Revokes every key that acts as somebody. */
export async function revokeKeysOf(user: string) {
  const keys = await readAs<Pick<KeyRow, 'ID'>>(
    SELECT.from(ApiKeys).columns('ID').where({ actsAs: user, revokedAt: null }),
  )
  for (const { ID } of keys) await revokeKey(ID)
}
