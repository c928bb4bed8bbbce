import cds from '@sap/cds'
import { z } from 'zod'
import { code } from '../http/fields.ts'
import { validate } from '../http/validate.ts'
import { SCOPES } from './scopes.ts'
import { daysFromNow, DEFAULT_EXPIRY_DAYS, insertKey } from './issue.ts'
import { revokeKeyInTransaction, rotateKeyInTransaction } from './manage.ts'
import { uncacheKey } from './verify.ts'

const NewKey = z.strictObject({
  name: code().max(100),
  scopes: z.array(z.enum(SCOPES)).min(1, 'must name at least one scope'),
  actsAs: code().max(255).nullish(),
  maxOrderValue: z
    .string()
    .regex(/^\d{1,13}(\.\d{1,2})?$/, 'must be a decimal such as 500.00, not negative')
    .nullish(),
  expiresInDays: z.int().min(1).max(3650).nullish(),
})

/** Every act is part of the caller's transaction. */
export default class KeysService extends cds.ApplicationService {
  override async init() {
    this.on('issue', async ({ data }) => {
      const { expiresInDays, ...input } = validate(NewKey, data)
      const expiresAt = daysFromNow(expiresInDays ?? DEFAULT_EXPIRY_DAYS)
      const { key, row } = await insertKey({ ...input, expiresAt })
      return { ID: row.ID, key, expiresAt }
    })
    this.on('rotate', async (request: cds.Request<{ ID: string }>) => {
      const { ID } = request.data
      request.on('succeeded', () => void uncacheKey(ID))
      const { key, row, oldKeyExpiresAt } = await rotateKeyInTransaction(ID)
      return { ID: row.ID, key, expiresAt: row.expiresAt, oldKeyExpiresAt }
    })
    this.on('revoke', async (request: cds.Request<{ ID: string }>) => {
      const { ID } = request.data
      request.on('succeeded', () => void uncacheKey(ID))
      await revokeKeyInTransaction(ID)
    })
    return super.init()
  }
}
