// Tryton through the real service: what is refused at once, a sync, proposals, a product that gets another code.
import cds from '@sap/cds'
import { makeCompany } from '../../../sandbox/company/make-company.ts'
import { startTryton } from '../../../sandbox/tryton/index.ts'
import type { SandboxTryton } from '../../../sandbox/tryton/index.ts'
import {
  DemandRows,
  Planning,
  Policies,
  Proposals,
  Receipts,
  Series,
  Skus,
  Sources,
} from '../../../srv/base/database/entities.ts'
import { sync } from '../../support/server.ts'
import { errorOf, post } from '../v1/api.ts'

const { INSERT, SELECT } = cds.ql

const company = makeCompany({ size: 20, days: 60 })
let erp: SandboxTryton
beforeAll(async () => {
  erp = await startTryton(company)
})
afterAll(() => erp.close())

const wish = (account = erp.url, options: object = {}) => ({
  ...{ type: 'tryton', account, client_id: erp.user.login, client_secret: erp.user.password },
  options: { history_days: 60, ...options },
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
  expect(await SELECT.from(Skus).where({ source_ID: source })).toHaveLength(20)
  const proposals = await SELECT.from(Proposals).where({ source_ID: source, status: 'pending' })
  expect(proposals.length).toBeGreaterThan(3)
})

it('moves what is stored of a product that gets another code, and keeps it apart from the next owner of the old one', async () => {
  const [{ ID: source } = { ID: 0 }] = await SELECT.from(Sources).where({ type: 'tryton' })
  const of = { source_ID: source }
  const [proposal] = await SELECT.from(Proposals).where({ ...of, status: 'pending' })
  const before = proposal!.sku!
  const item = company.items.find(({ code }) => code === before)!
  const held = await heldOf(source, before)
  expect(held.demand).toBeGreaterThan(0)
  await post(`/proposals/prop_${proposal!.ID}/approve`, { quantity: Number(proposal!.quantity) })
  await INSERT.into(Policies).entries({ level: 'sku', sku: before, moq: 3 })
  company.clock.advance(1)
  company.changeItem(item, { code: 'RENAMED' })
  const pair = company.pairs.find((each) => each.item === item)!
  company.sell(pair, 1)
  expect(await sync(source)).toMatchObject({ status: 'succeeded', issues: [] })
  const after = await heldOf(source, 'RENAMED')
  expect(after).toEqual({ ...held, demand: held.demand + 1 })
  expect(await heldOf(source, before)).toEqual(NOTHING)
  expect(await SELECT.one.from(Proposals).where({ ID: proposal!.ID })).toMatchObject({
    ...{ sku: 'RENAMED', status: 'approved' },
  })
  expect(await SELECT.from(Policies).where({ sku: 'RENAMED' })).toHaveLength(1)

  company.clock.advance(1)
  const next = company.addItem({ ...company.items[3]!, code: 'RENAMED', name: 'The next one' })
  company.changeItem(item, { isActive: false })
  company.sell(company.pairOf(next, pair.location), 2)
  expect(await sync(source)).toMatchObject({ status: 'succeeded', issues: [] })
  expect(await heldOf(source, `RENAMED (#${item.id})`)).toEqual(after)
  expect(await heldOf(source, 'RENAMED')).toMatchObject({ demand: 1, receipts: 0 })
  expect(await sync(source, 'full')).toMatchObject({ status: 'succeeded', issues: [] })
  expect((await heldOf(source, `RENAMED (#${item.id})`)).demand).toBe(after.demand)
})

const NOTHING = { skus: 0, demand: 0, receipts: 0, planned: 0 }

async function heldOf(source: number, sku: string) {
  const of = { source_ID: source, sku }
  const series = (await SELECT.from(Series).columns('ID').where(of)).map(({ ID }) => ID)
  const count = async (query: PromiseLike<unknown[]>) => (await query).length
  return {
    skus: await count(SELECT.from(Skus).where(of)),
    demand: series.length
      ? await count(SELECT.from(DemandRows).where({ series: { in: series } }))
      : 0,
    receipts: await count(SELECT.from(Receipts).where(of)),
    planned: await count(SELECT.from(Planning).where(of)),
  }
}
