// The ways into the NetSuite simulator: a consent in a browser, a certificate; each up to a sync.
import { generateKeyPairSync } from 'node:crypto'
import { makeCompany } from '../../../sandbox/company/make-company.ts'
import { truthOf } from '../../../sandbox/company/truth.ts'
import { startNetsuite } from '../../../sandbox/netsuite/index.ts'
import type { NetsuiteErp } from '../../../sandbox/netsuite/index.ts'
import cds from '@sap/cds'
import { Events, Sources } from '../../../srv/base/database/entities.ts'
import { sync } from '../../support/server.ts'
import { Visitor } from '../../support/visitor.ts'
import { errorOf, get, post } from '../v1/api.ts'
import { visit } from './consent-adapter.ts'

const { SELECT, UPDATE } = cds.ql

let erp: NetsuiteErp

beforeAll(async () => {
  erp = await startNetsuite(makeCompany({ size: 12, days: 40 }))
})
afterAll(() => erp.close())
afterEach(() => erp.set({ company: erp.account, role: erp.role, missing: [] }))

const wish = (options: object = {}, further: object = {}) => ({
  ...{ type: 'netsuite', account: erp.account, role: erp.role, base_url: erp.url, options },
  ...{ client_id: erp.client.id, client_secret: erp.client.secret, ...further },
})

const certificate = { auth: 'client_credentials', certificate_id: 'cert-4711' }

/** Consents in a browser. @returns what the service says in the end */
async function consent(page: string, decision = 'allow') {
  const browser = new Visitor()
  const { headers } = await browser.go(page)
  const asked = headers.get('location')!
  const body = new URLSearchParams(new URL(asked).searchParams)
  body.set('decision', decision)
  const answer = await browser.go(asked, { method: 'POST', body })
  return visit(answer.headers.get('location')!, browser)
}

const idOf = (id: string) => Number(id.slice(4))

describe('a consent in a browser', () => {
  it('to the account and in the role that were asked for opens it, up to proposals', async () => {
    const { status, json } = await post('/sources', wish())
    expect({ status, now: json.status }).toEqual({ status: 201, now: 'pending_consent' })
    expect((await consent(json.authorization_url!)).status).toBe(200)
    expect(await sync(idOf(json.id), 'full')).toMatchObject({ status: 'succeeded', issues: [] })
    const { json: blocked } = await get('/proposals/blocked?limit=200')
    const { json: proposals } = await get('/proposals?limit=200')
    const known = new Set(truthOf(erp.company).stock.map((one) => `${one.sku} ${one.location}`))
    const pairs = [...proposals.data, ...blocked.data] as { sku: string; location: string }[]
    expect(proposals.data.length).toBeGreaterThan(0)
    expect(pairs.every(({ sku, location }) => known.has(`${sku} ${location}`))).toBe(true)
    const before = erp.refreshes()
    erp.revokeAccess()
    expect(await sync(idOf(json.id), 'incremental')).toMatchObject({ status: 'succeeded' })
    expect(erp.refreshes()).toBe(before + 1)
  })

  it('ends after a week, which is told two days before and once by an event', async () => {
    const { json } = await post('/sources', wish({ history_days: 40 }))
    await consent(json.authorization_url!)
    const endsAt = async () => (await get(`/sources/${json.id}`)).json.consent_ends_at!
    const days = (Date.parse(await endsAt()) - Date.now()) / 86_400_000
    expect(days).toBeCloseTo(7, 1)
    const notes = async () =>
      (await sync(idOf(json.id), 'incremental')).notes.map(({ code }: { code: string }) => code)
    expect(await notes()).not.toContain('consent_ends_soon')
    const soon = new Date(Date.now() + 86_400_000).toISOString()
    await UPDATE.entity(Sources)
      .set({ consentEndsAt: soon })
      .where({ ID: idOf(json.id) })
    for (let times = 0; times < 2; times++) expect(await notes()).toContain('consent_ends_soon')
    const told = await SELECT.from(Events).where({ object: json.id })
    expect(told.filter(({ type }) => type === 'source.reconsent_required')).toMatchObject([
      { data: JSON.stringify({ id: json.id, reason: 'consent_ends_soon', ends_at: soon }) },
    ])
    // The refresh token is dead on the eighth day.
    erp.company.clock.advance(8)
    expect(await sync(idOf(json.id), 'incremental')).toMatchObject({ status: 'failed' })
    const again = await post('/sources', wish({ history_days: 40 }))
    expect(again.json.id).toBe(json.id)
    expect((await consent(again.json.authorization_url!)).status).toBe(200)
    expect(Date.parse(await endsAt())).toBeGreaterThan(Date.parse(soon))
    expect(await notes()).not.toContain('consent_ends_soon')
  })

  it.each([
    ['another account', { company: '7654321' }, 'for another account than 1234567_SB1'],
    ['another role', { role: '3' }, 'in another role than 1042'],
  ])('to %s is not used', async (_name, signed, text) => {
    const { json } = await post('/sources', wish({ history_days: 30 }))
    erp.set(signed)
    const tokens = erp.log.filter(({ path }) => path.endsWith('/token')).length
    const page = await consent(json.authorization_url!)
    expect(page.status).toBe(502)
    expect(page.text).toContain(text)
    expect(erp.log.filter(({ path }) => path.endsWith('/token'))).toHaveLength(tokens)
    expect((await get(`/sources/${json.id}`)).json).toMatchObject({
      ...{ status: 'pending_consent', problem: { code: 'consent_mismatch' } },
    })
  })
})

describe('a certificate', () => {
  it('opens the account without anybody', async () => {
    // Line ends get lost in forms and environments.
    const key = erp.privateKey.replaceAll('\n', String.raw`\n`)
    const { status, json } = await post('/sources', wish(certificate, { client_secret: key }))
    expect({ status, now: json.status }).toEqual({ status: 201, now: 'connected' })
    expect(json.granted_rights).toEqual(['rest_webservices'])
    expect(await sync(idOf(json.id), 'incremental')).toMatchObject({ status: 'succeeded' })
  })

  it('that NetSuite does not know, and what is no key, are refused by their names', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const foreign = privateKey.export({ type: 'pkcs8', format: 'pem' })
    for (const secret of [foreign, 'no key at all', erp.client.secret]) {
      const answer = await post('/sources', wish(certificate, { client_secret: secret }))
      expect(errorOf(answer)).toEqual({
        ...{ status: 400, code: 'invalid_parameter', target: 'client_secret' },
      })
      expect(answer.text).not.toContain('PRIVATE KEY')
    }
    const unnamed = await post('/sources', wish({ auth: 'client_credentials' }))
    expect(errorOf(unnamed)).toMatchObject({ target: 'options.certificate_id' })
  })
})

it('names the field that is wrong, and the permission that is missing', async () => {
  expect(errorOf(await post('/sources', wish({}, { account: 'a.b' })))).toMatchObject({
    ...{ status: 400, target: 'account' },
  })
  expect(errorOf(await post('/sources', wish({}, { role: 'Buyer' })))).toMatchObject({
    ...{ status: 400, target: 'role' },
  })
  // Plain http is for a simulator on this machine alone.
  const real = await post('/sources', wish({}, { base_url: undefined }))
  expect(real).toMatchObject({ status: 400 })
  expect(real.text).toContain('https')
  erp.set({ missing: ['vendor'] })
  const { json } = await post('/sources', wish(certificate, { client_secret: erp.privateKey }))
  expect(json.streams).toContainEqual({
    ...{ stream: 'suppliers', status: 'forbidden', message: expect.any(String) },
  })
})
