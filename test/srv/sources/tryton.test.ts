// Tryton through the real service: what is refused at once, a sync, proposals, a product that gets another code.
import cds from '@sap/cds'
import { makeCompany } from '../../../sandbox/company/make-company.ts'
import { startTryton } from '../../../sandbox/tryton/index.ts'
import type { SandboxTryton } from '../../../sandbox/tryton/index.ts'
import { Proposals, Skus, Sources } from '../../../srv/base/database/entities.ts'
import { sync } from '../../support/server.ts'
import { errorOf, post } from '../v1/api.ts'

const { SELECT } = cds.ql

const company = makeCompany({ size: 60, days: 120 })
let erp: SandboxTryton
beforeAll(async () => {
  erp = await startTryton(company)
})
afterAll(() => erp.close())

const wish = (account = erp.url, options: object = {}) => ({
  ...{ type: 'tryton', account, client_id: erp.user.login, client_secret: erp.user.password },
  options: { history_days: 120, ...options },
})

it('refuses a database that is not there and a company that cannot be read, before it says connected', async () => {
  const wrong = await post('/sources', wish(erp.url.replace('company', 'compnay')))
  expect(errorOf(wrong)).toEqual({ status: 400, code: 'invalid_parameter', target: 'account' })
  expect(wrong.text).toContain('has no Tryton database called compnay')
  erp.set({ companies: [1, 2] })
  for (const options of [{}, { company: '3' }]) {
    const answer = await post('/sources', wish(erp.url, options))
    const target = 'options.company'
    expect(errorOf(answer)).toEqual({ status: 400, code: 'invalid_parameter', target })
  }
  erp.set({ companies: [1] })
  expect(await SELECT.from(Sources).where({ type: 'tryton' })).toEqual([])
})

it('connects, reads and proposes', async () => {
  const { status, json } = await post('/sources', wish())
  expect({ status, now: json.status }).toEqual({ status: 201, now: 'connected' })
  expect(json.granted_rights).toEqual(json.needed_rights)
  const source = Number(json.id.slice(4))
  expect(await sync(source, 'full')).toMatchObject({ status: 'succeeded', issues: [] })
  expect(await SELECT.from(Skus).where({ source_ID: source })).toHaveLength(60)
  const proposals = await SELECT.from(Proposals).where({ source_ID: source, status: 'pending' })
  expect(proposals.length).toBeGreaterThan(3)
})
