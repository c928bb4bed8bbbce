import { createHmac, randomBytes } from 'node:crypto'
import cds from '@sap/cds'
import { Refusal } from '../../errors.ts'
import { CursorKeys, readAs } from '../../store/entities.ts'

const ID = 1

let key = randomBytes(32)

export const cursorKey = () => key

/** Makes the key at the first start; several instances may do so at once. */
export async function prepareCursorKey() {
  const find = () =>
    readAs<{ secret: string }>(SELECT.one.from(CursorKeys).columns('secret').where({ ID }))
  let row = await find()
  if (!row) {
    row = { secret: key.toString('hex') }
    await cds
      .tx(() => INSERT.into(CursorKeys).entries({ ID, ...row }))
      .catch(async (error: unknown) => {
        row = await find()
        if (!row) throw error
      })
  }
  key = Buffer.from(row.secret, 'hex')
}

const SEAL_LENGTH = 16

const sealOf = (boundTo: string, after: string) =>
  createHmac('sha256', cursorKey())
    .update(`${boundTo}\n${after}`)
    .digest('base64url')
    .slice(0, SEAL_LENGTH)

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
