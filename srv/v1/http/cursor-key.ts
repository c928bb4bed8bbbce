// What cursors are signed with: one key for all instances and restarts, kept in the database.
import { randomBytes } from 'node:crypto'
import cds from '@sap/cds'

const { INSERT, SELECT } = cds.ql
const KEYS = 'restock.CursorKeys'
const ID = 1

let key = randomBytes(32)

export const cursorKey = () => key

/** Makes the key at the first start; several instances may do so at once. */
export async function prepareCursorKey() {
  const find = () => SELECT.one.from(KEYS).columns('secret').where({ ID })
  let row: { secret: string } | undefined = await find()
  if (!row) {
    row = { secret: key.toString('hex') }
    await cds
      .tx(() => INSERT.into(KEYS).entries({ ID, ...row }))
      .catch(async (error) => {
        row = await find()
        if (!row) throw error
      })
  }
  key = Buffer.from(row!.secret, 'hex')
}
