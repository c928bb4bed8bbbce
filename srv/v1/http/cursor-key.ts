// What cursors are signed with: one key for all instances and restarts, kept in the database.
import { randomBytes } from 'node:crypto'
import cds from '@sap/cds'
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
