// Business One through the real service: a session, a sync, proposals.
import cds from '@sap/cds'
import { startBusinessOne } from '../../../sandbox/business-one/index.ts'
import type { BusinessOneSandbox } from '../../../sandbox/business-one/index.ts'
import { makeCompany } from '../../../sandbox/company/make-company.ts'
import { Proposals, Skus } from '../../../srv/base/database/entities.ts'
import { sync } from '../../support/server.ts'
import { errorOf, post } from '../v1/api.ts'

const { SELECT } = cds.ql

let erp: BusinessOneSandbox
beforeAll(async () => {
  erp = await startBusinessOne(makeCompany({ size: 60, days: 120 }))
})
afterAll(() => erp.close())

const wish = (secret = erp.user.password) => ({
  ...{ type: 'business_one', account: erp.companyDb, role: 'reader', base_url: erp.url },
  ...{ client_id: erp.user.name, client_secret: secret },
  options: { history_days: 120, currency: 'EUR' },
})

it('connects, reads in one session, proposes, and logs off', async () => {
  const { status, json } = await post('/sources', wish())
  expect({ status, now: json.status }).toEqual({ status: 201, now: 'connected' })
  expect(json.granted_rights).toEqual(json.needed_rights)
  const source = Number(json.id.slice(4))
  expect(await sync(source, 'full')).toMatchObject({ status: 'succeeded', issues: [] })
  expect(await SELECT.from(Skus).where({ source_ID: source })).toHaveLength(60)
  const proposals = await SELECT.from(Proposals).where({ source_ID: source, status: 'pending' })
  expect(proposals.length).toBeGreaterThan(3)
  erp.company.sell(erp.company.pairs[0]!, 1)
  erp.set({ sessionRequests: 3 })
  expect(await sync(source)).toMatchObject({ status: 'succeeded', issues: [] })
  const posts = erp.log.filter(({ method }) => method !== 'GET').map(({ path }) => path)
  expect(new Set(posts)).toEqual(new Set(['/b1s/v2/Login', '/b1s/v2/Logout']))
  expect(erp.sessions()).toBe(0)
})

it('refuses a wrong password, and does not show it', async () => {
  const answer = await post('/sources', wish('guess-4711'))
  expect(errorOf(answer)).toEqual({
    ...{ status: 400, code: 'invalid_parameter', target: 'client_secret' },
  })
  expect(answer.text).not.toContain('guess-4711')
})
