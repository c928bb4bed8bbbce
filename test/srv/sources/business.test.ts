// Business Central and Business One through the real service: how each is connected, a sync, proposals.
import cds from '@sap/cds'
import { startBusinessCentral } from '../../../sandbox/business-central/index.ts'
import type { BusinessCentralSandbox } from '../../../sandbox/business-central/index.ts'
import { startBusinessOne } from '../../../sandbox/business-one/index.ts'
import type { BusinessOneSandbox } from '../../../sandbox/business-one/index.ts'
import { makeCompany } from '../../../sandbox/company/make-company.ts'
import { Proposals, Skus, Sources } from '../../../srv/base/database/entities.ts'
import { removeSource } from '../../../srv/domain/sources/index.ts'
import { sync } from '../../support/server.ts'
import { consent } from '../s4hana/source.ts'
import { call, errorOf, post } from '../v1/api.ts'

const { SELECT } = cds.ql

const aCompany = () => makeCompany({ size: 20, days: 60 })

/** The next system would share all pairs with it. */
async function leave(erp: { close(): Promise<unknown> }) {
  for (const { ID } of await SELECT.from(Sources).columns('ID')) await removeSource(ID)
  await erp.close()
}

describe('Business Central', () => {
  let erp: BusinessCentralSandbox
  beforeAll(async () => {
    erp = await startBusinessCentral(aCompany())
  })
  afterAll(() => leave(erp))

  const wish = (options: object = {}, client = {}) => ({
    ...{ type: 'business_central', account: erp.tenant, role: 'D365 READ', base_url: erp.baseUrl },
    ...{ client_id: erp.client.id, client_secret: erp.client.secret },
    options: { login_url: erp.url, planning_service: 'RestockItems', history_days: 60, ...options },
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
    expect(skus).toHaveLength(20)
    const proposals = await SELECT.from(Proposals).where({ source_ID: source, status: 'pending' })
    expect(proposals.length).toBeGreaterThan(3)

    erp.set({ tokenSeconds: 0 })
    erp.company.sell(erp.company.pairs[0]!, 1)
    expect(await sync(source)).toMatchObject({ issues: expect.anything() })
    erp.set({ tokenSeconds: 3600 })
    expect(await sync(source)).toMatchObject({ status: 'succeeded', issues: [] })
    const verbs = erp.log
      .filter(({ path }) => !path.includes('/oauth2/'))
      .map(({ method }) => method)
    expect(new Set(verbs)).toEqual(new Set(['GET']))
  })

  it('refuses a consent that brings a further right', async () => {
    erp.set({
      furtherScopes: ['https://api.businesscentral.dynamics.com/Automation.ReadWrite.All'],
    })
    const { json } = await post(
      '/sources',
      wish({ company: 'CRONUS' }, { account: 'other.example' }),
    )
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
})

describe('Business One', () => {
  let erp: BusinessOneSandbox
  beforeAll(async () => {
    erp = await startBusinessOne(aCompany())
  })
  afterAll(() => leave(erp))

  const wish = (secret = erp.user.password) => ({
    ...{ type: 'business_one', account: erp.companyDb, role: 'reader', base_url: erp.url },
    ...{ client_id: erp.user.name, client_secret: secret },
    options: { history_days: 60, currency: 'EUR' },
  })

  it('connects, reads in one session, proposes, and logs off', async () => {
    const { status, json } = await post('/sources', wish())
    expect({ status, now: json.status }).toEqual({ status: 201, now: 'connected' })
    expect(json.granted_rights).toEqual(json.needed_rights)
    const source = Number(json.id.slice(4))
    expect(await sync(source, 'full')).toMatchObject({ status: 'succeeded', issues: [] })
    expect(await SELECT.from(Skus).where({ source_ID: source })).toHaveLength(20)
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
})
