import { createHmac, randomBytes } from 'node:crypto'
import { Refusal } from '../../errors.ts'
import { CursorKeys } from '../../store/entities.ts'
import { insertOnce } from '../../store/insert-once.ts'

/** What cursors are signed with: one key for all instances and restarts, kept in the database. */
let key = randomBytes(32)

/** Makes the key at the first start. */
export async function prepareCursorKey() {
  const ID = 1
  await insertOnce(CursorKeys, { ID }, { secret: key.toString('hex') })
  const row = await SELECT.one.from(CursorKeys).where({ ID })
  key = Buffer.from(row!.secret!, 'hex')
}

const SEAL_LENGTH = 16

const sealOf = (boundTo: string, after: string) =>
  createHmac('sha256', key).update(`${boundTo}\n${after}`).digest('base64url').slice(0, SEAL_LENGTH)

/**
 * A position in a list as callers see it.
 * @param boundTo the list with its filters and sort; the cursor is good for nothing else
 */
export const toCursor = (boundTo: string, after: string): string =>
  Buffer.from(sealOf(boundTo, after) + after).toString('base64url')

/**
 * The position that `toCursor` was given.
 * @throws Refusal invalid_cursor
 */
export function fromCursor(boundTo: string, cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString()
  const after = text.slice(SEAL_LENGTH)
  if (toCursor(boundTo, after) === cursor) return after
  throw new Refusal('invalid_cursor', 'The cursor is not one of this list with these filters.', {
    target: 'cursor',
  })
}
