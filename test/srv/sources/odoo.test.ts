// Odoo through the real service: an API key, a sync, proposals.
import cds from '@sap/cds'
import { makeCompany } from '../../../sandbox/company/make-company.ts'
import type { Agreement } from '../../../sandbox/odoo/behaviour.ts'
import { startOdoo } from '../../../sandbox/odoo/index.ts'
import type { SandboxOdoo } from '../../../sandbox/odoo/index.ts'
import { CurrentDrafts, Proposals, readAs, Skus } from '../../../srv/base/database/entities.ts'
import { sync } from '../../support/server.ts'
import { errorOf, post } from '../v1/api.ts'

const { SELECT } = cds.ql

const company = makeCompany({ size: 20, days: 60 })
let erp: SandboxOdoo
beforeAll(async () => {
  erp = await startOdoo(company)
})
afterAll(() => erp.close())

const wish = (secret = erp.user.key) => ({
  ...{ type: 'odoo', account: erp.url, client_id: erp.user.login, client_secret: secret },
  options: { database: erp.user.database, history_days: 60 },
})

it('connects, reads by JSON-2 and by JSON-RPC, and proposes', async () => {
  const { status, json } = await post('/sources', wish())
  expect({ status, now: json.status }).toEqual({ status: 201, now: 'connected' })
  expect(json.granted_rights).toEqual(json.needed_rights)
  const source = Number(json.id.slice(4))
  expect(await sync(source, 'full')).toMatchObject({ status: 'succeeded', issues: [] })
  expect(await SELECT.from(Skus).where({ source_ID: source })).toHaveLength(20)
  const proposals = await SELECT.from(Proposals).where({ source_ID: source, status: 'pending' })
  expect(proposals.length).toBeGreaterThan(3)
  company.sell(company.pairs[0]!, 1)
  // The company goes back to an Odoo that has no JSON-2.
  erp.set({ version: 18 })
  expect(await sync(source)).toMatchObject({ status: 'succeeded', issues: [] })
  const calls = erp.log.map(({ call }) => call.split('.').at(-1))
  expect(new Set(calls)).toEqual(
    new Set(['version', 'authenticate', 'fields_get', 'search_read', 'search_count']),
  )
  expect(new Set(erp.log.map(({ path }) => path.split('/')[1]))).toEqual(
    new Set(['json', 'jsonrpc']),
  )
})

it('refuses a wrong key, and does not show it', async () => {
  const answer = await post('/sources', wish('guess-4711'))
  expect(errorOf(answer)).toEqual({
    ...{ status: 400, code: 'invalid_parameter', target: 'client_secret' },
  })
  expect(answer.text).not.toContain('guess-4711')
})

it('goes on without an optional list that is refused, until one has been read', async () => {
  const other = await startOdoo(company, { version: 18, broken: ['stock.lot'] })
  try {
    const { json } = await post('/sources', { ...wish(), account: other.url })
    const source = Number(json.id.slice(4))
    const first = await sync(source, 'full')
    expect(first).toMatchObject({ status: 'succeeded', issues: [] })
    expect(JSON.stringify(first)).toContain('stock.lot: It broke.')
    other.set({ broken: [] })
    expect(await sync(source, 'full')).toMatchObject({ status: 'succeeded', issues: [] })
    other.set({ broken: ['stock.lot'] })
    expect(await sync(source, 'full')).toMatchObject({
      ...{ status: 'partial', issues: [{ code: 'request_refused', stream: 'batches' }] },
    })
  } finally {
    await other.close()
  }
})

it('keeps the contracts that it has read while their list, one of several of drafts, is refused', async () => {
  const item = company.items.find(({ isActive }) => isActive)!
  const agreement: Agreement = {
    ...{ id: 1, type: 'blanket_order', state: 'confirmed', item, quantity: 10, ordered: 4 },
    ...{ price: 30, from: false, until: false },
  }
  const other = await startOdoo(company, { agreements: [agreement] })
  const refused = { broken: ['purchase.requisition.line'] }
  try {
    other.set(refused)
    const { json } = await post('/sources', { ...wish(), account: other.url })
    const source = Number(json.id.slice(4))
    const contracts = async () => {
      const where = { source_ID: source, kind: 'contract' }
      const rows = await readAs<{ document: string }>(SELECT.from(CurrentDrafts).where(where))
      return rows.map(({ document }) => document)
    }
    expect(await sync(source, 'full')).toMatchObject({ status: 'succeeded', issues: [] })
    expect(await contracts()).toEqual([])
    other.set({ broken: [] })
    expect(await sync(source)).toMatchObject({ status: 'succeeded', issues: [] })
    expect(await contracts()).toEqual(['BO00001'])
    for (const mode of ['incremental', 'full'] as const) {
      other.set(refused)
      expect(await sync(source, mode)).toMatchObject({
        ...{ status: 'partial', issues: [{ code: 'request_refused', stream: 'drafts' }] },
      })
      expect(await contracts()).toEqual(['BO00001'])
    }
    other.set({ broken: [], agreements: [] })
    expect(await sync(source)).toMatchObject({ status: 'succeeded', issues: [] })
    expect(await contracts()).toEqual([])
  } finally {
    await other.close()
  }
})
