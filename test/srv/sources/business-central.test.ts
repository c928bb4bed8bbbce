// Business Central through the real service: consent at Entra ID, a sync, proposals.
import cds from '@sap/cds'
import { startBusinessCentral } from '../../../sandbox/business-central/index.ts'
import type { BusinessCentralSandbox } from '../../../sandbox/business-central/index.ts'
import { makeCompany } from '../../../sandbox/company/make-company.ts'
import { Proposals, Skus } from '../../../srv/base/database/entities.ts'
import { sync } from '../../support/server.ts'
import { consent } from '../s4hana/source.ts'
import { call, errorOf, post } from '../v1/api.ts'

const { SELECT } = cds.ql

let erp: BusinessCentralSandbox
beforeAll(async () => {
  erp = await startBusinessCentral(makeCompany({ size: 60, days: 120 }))
})
afterAll(() => erp.close())

const wish = (options: object = {}, client = {}) => ({
  ...{ type: 'business_central', account: erp.tenant, role: 'D365 READ', base_url: erp.baseUrl },
  ...{ client_id: erp.client.id, client_secret: erp.client.secret },
  options: { login_url: erp.url, planning_service: 'RestockItems', history_days: 120, ...options },
  ...client,
})

it('connects by a consent, reads, and proposes', async () => {
  const { status, json } = await post('/sources', wish())
  expect({ status, now: json.status }).toEqual({ status: 201, now: 'pending_consent' })
  expect(await consent(json.authorization_url!)).toContain('Connected')
  const source = Number(json.id.slice(4))
  const { json: found } = await call('get', `/sources/${json.id}` as '/sources/{id}')
  // Entra states an older name of the same right besides, and never `offline_access`.
  expect(found.granted_rights).toEqual(found.needed_rights)
  expect(found.needed_rights).toContain('offline_access')
  expect(await sync(source, 'full')).toMatchObject({ status: 'succeeded', issues: [] })
  const skus = await SELECT.from(Skus).where({ source_ID: source })
  expect(skus).toHaveLength(60)
  const proposals = await SELECT.from(Proposals).where({ source_ID: source, status: 'pending' })
  expect(proposals.length).toBeGreaterThan(3)

  erp.set({ tokenSeconds: 0 })
  erp.company.sell(erp.company.pairs[0]!, 1)
  expect(await sync(source)).toMatchObject({ issues: expect.anything() })
  erp.set({ tokenSeconds: 3600 })
  expect(await sync(source)).toMatchObject({ status: 'succeeded', issues: [] })
  const verbs = erp.log.filter(({ path }) => !path.includes('/oauth2/')).map(({ method }) => method)
  expect(new Set(verbs)).toEqual(new Set(['GET']))
})

it('refuses a consent that brings a further right', async () => {
  erp.set({ furtherScopes: ['https://api.businesscentral.dynamics.com/Automation.ReadWrite.All'] })
  const { json } = await post('/sources', wish({ company: 'CRONUS' }, { account: 'other.example' }))
  await consent(json.authorization_url!)
  const { json: found } = await call('get', `/sources/${json.id}` as '/sources/{id}')
  expect(found.problem).toMatchObject({ code: 'unexpected_rights' })
  erp.set({ furtherScopes: [] })
})

it('connects as an application, and refuses a wrong secret', async () => {
  const auth = { auth: 'client_credentials', company: 'CRONUS' }
  expect(await post('/sources', wish(auth))).toMatchObject({ status: 201 })
  const answer = await post('/sources', wish(auth, { client_secret: 'guess-4711' }))
  expect(errorOf(answer)).toEqual({
    ...{ status: 400, code: 'invalid_parameter', target: 'client_secret' },
  })
})
