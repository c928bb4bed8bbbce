import cds from '@sap/cds'
import { Refusal } from '../../errors.ts'
import { writeAuditLog } from '../../store/audit.ts'
import { ApiKeys } from '../../store/entities.ts'
import { toNumber } from '../../store/numbers.ts'
import { findPerson, isApprover } from '../../authority/index.ts'
import type { Scope } from './scopes.ts'
import { hashSecret, newKeyText, toKey } from './key-text.ts'
import type { KeyRow } from './rows.ts'

const DAY_MS = 86_400_000
export const DEFAULT_EXPIRY_DAYS = 180

export interface KeyInput {
  name: string
  scopes: readonly Scope[]
  /** The user whose decisions those of the key are; needed for `proposals:decide`. */
  actsAs?: string | null
  /** Decimal string in the account's currency. */
  maxOrderValue?: string | null
  /** ISO 8601; 180 days from now unless said otherwise. */
  expiresAt?: string | null
}

export interface IssuedKey {
  /** The only time that it is to be had. */
  key: string
  row: KeyRow
}

export const daysFromNow = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()

/**
 * Issues a key and writes that down.
 * @throws Refusal invalid_parameter, target `acts_as`, for somebody who is not known or may not approve
 */
export async function issueKey(input: KeyInput): Promise<IssuedKey> {
  return cds.tx(() => insertKey(input))
}

/** The same within the caller's transaction. */
export async function insertKey(input: KeyInput): Promise<IssuedKey> {
  await assertMayAct(input)
  const text = newKeyText()
  const row: KeyRow = {
    ID: text.id,
    name: input.name,
    secretHash: hashSecret(text.secret),
    scopes: [...new Set(input.scopes)],
    actsAs: input.actsAs ?? null,
    maxOrderValue: input.maxOrderValue ?? null,
    createdAt: new Date().toISOString(),
    createdBy: cds.context?.user?.id ?? 'system',
    expiresAt: input.expiresAt ?? daysFromNow(DEFAULT_EXPIRY_DAYS),
    revokedAt: null,
    rotatedTo: null,
  }
  await INSERT.into(ApiKeys).entries({ ...row, maxOrderValue: toNumber(row.maxOrderValue) })
  const { name, scopes, actsAs, maxOrderValue, expiresAt } = row
  const detail = JSON.stringify({ name, scopes: scopes.join(), actsAs, maxOrderValue, expiresAt })
  await writeAuditLog('key.issued', `key:${row.ID}`, detail)
  return { key: toKey(text), row }
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
