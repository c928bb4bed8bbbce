import cds, { type Request } from '@sap/cds'
import { z } from 'zod'
import { withData, withID } from '../../base/cap/context.ts'
import { code } from '../../base/input.ts'
import { validate } from '../../base/input.ts'
import { confirmKey, lapseKeys, revokeKeysOf, revokeOwnKey } from './manage.ts'
import { findKey, issueKey, listKeys, revokeKey, rotateKey } from './manage.ts'
import { SCOPES } from './key-text.ts'
import { uncacheKey, uncacheKeys } from './verify.ts'
import { DAY_MS } from '../../base/time/days.ts'

const NewKey = z.strictObject({
  name: code().max(100),
  scopes: z.array(z.enum(SCOPES)).min(1, 'must name at least one scope'),
  actsAs: code().max(255).nullish(),
  maxOrderValue: z
    .string()
    .regex(/^\d{1,13}(\.\d{1,2})?$/, 'must be a decimal such as 500.00, not negative')
    .nullish(),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'must be a currency such as EUR')
    .nullish(),
  expiresInDays: z.int().min(1).max(365).nullish(),
  expiresAt: z.iso.datetime().nullish(),
})

function issue(data: object) {
  const { expiresInDays: days, expiresAt, ...input } = validate(NewKey, data)
  const end = days ? new Date(Date.now() + days * DAY_MS).toISOString() : expiresAt
  return issueKey({ ...input, expiresAt: end })
}

export default class KeysService extends cds.ApplicationService {
  override async init() {
    this.before(
      ['rotate', 'revoke', 'confirm', 'revokeOwn'],
      (request: Request<{ ID: string }>) => {
        request.on('succeeded', () => void uncacheKey(request.data.ID))
      },
    )
    this.before(['lapse', 'revokeKeysOf'], (request) => {
      request.on('succeeded', uncacheKeys)
    })
    this.on('list', withData(listKeys))
    this.on('find', withID(findKey))
    this.on('issue', withData(issue))
    this.on('rotate', withID(rotateKey))
    this.on('revoke', withID(revokeKey))
    this.on('confirm', withID(confirmKey))
    this.on('revokeOwn', withID(revokeOwnKey))
    this.on('lapse', lapseKeys)
    this.on('revokeKeysOf', ({ data }: Request<{ user: string }>) => revokeKeysOf(data.user))
    return super.init()
  }
}
