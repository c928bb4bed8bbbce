// Whose work a line is, what colleagues are asked and passed, and what is escalated: through the real doors.
import cds from '@sap/cds'
import {
  Notices,
  Policies,
  ProposalEvents,
  Proposals,
  Skus,
} from '../../../srv/base/database/entities.ts'
import { createDelegation, endDelegationsOf } from '../../../srv/domain/authority/index.ts'
import { erasePerson } from '../../../srv/domain/privacy/index.ts'
import { housekeepProposals } from '../../../srv/domain/proposals/index.ts'
import { addUser, mocked } from '../authority/two-locations.ts'
import { odata, read } from '../buyer/odata.ts'
import { aKey, call, errorOf, get, post } from '../v1/api.ts'
import { openShop, type Shop } from './shop.ts'

const { DELETE, INSERT, SELECT, UPDATE, UPSERT } = cds.ql

let shop: Shop
let ids: number[]
let keyOfBuyer: string
const put = (body: object) => call('PUT', '/policies', { body })
const skuOf = async (ID: number) =>
  (await SELECT.one.from(Proposals).columns('sku').where({ ID }))!.sku!

beforeAll(async () => {
  addUser('anna', ['Viewer', 'Buyer'])
  addUser('north', ['Viewer', 'Buyer'], { locations: ['L9'] })
  shop = await openShop('assigned', 6)
  ids = Array.from({ length: 6 }, () => shop.take()).sort((a, b) => a - b)
  const sku = await skuOf(ids[0]!)
  await UPSERT.into(Skus).entries({ source_ID: shop.source, sku, skuGroup: 'G1' })
  keyOfBuyer = await aKey({ actsAs: 'buyer' })
})
afterAll(() => {
  delete mocked().anna
  delete mocked().north
})
beforeEach(async () => {
  await DELETE.from(Policies)
  await DELETE.from(Notices)
})

const listed = async (responsible: string, key?: string) => {
  const { status, json } = await get(`/proposals?responsible=${responsible}&status=pending`, {
    key,
  })
  expect(status).toBe(200)
  return json.data.map(({ id }: { id: string }) => Number(id.slice(5))).sort()
}

describe('the responsible buyer', () => {
  it('is the one of the most specific rule that names one', async () => {
    await put({ level: 'default', responsible: 'approver', review_period_days: 7 })
    await put({ level: 'supplier', supplier: 'S-1', responsible: 'buyer' })
    await put({ level: 'sku', sku: await skuOf(ids[1]!), responsible: 'anna' })
    await put({ level: 'sku+location', sku: await skuOf(ids[2]!), location: 'L1', moq: 20 })
    await put({ level: 'group', group: 'G1', responsible: 'anna' })
    expect(await listed('anna')).toEqual([ids[1]])
    expect(await listed('buyer')).toEqual(ids.filter((ID) => ID !== ids[1]))
    expect(await listed('approver')).toEqual([])
    await call('DELETE', '/policies?level=supplier&supplier=S-1')
    expect(await listed('anna')).toEqual([ids[0], ids[1]])
    expect(await listed('approver')).toEqual(ids.slice(2))
    const shown = await read(`Proposals?$filter=responsible eq 'anna'&$select=ID,responsible`)
    expect(shown.json.value.map(({ responsible }) => responsible)).toEqual(['anna', 'anna'])
  })

  it('is me, or whom I stand in for; a team has one lead', async () => {
    await put({
      level: 'sku',
      sku: await skuOf(ids[0]!),
      responsible: 'buyer',
      team_lead: 'approver',
    })
    await put({
      level: 'sku',
      sku: await skuOf(ids[1]!),
      responsible: 'anna',
      team_lead: 'approver',
    })
    await put({ level: 'sku', sku: await skuOf(ids[2]!), responsible: 'north' })
    expect(await listed('me', keyOfBuyer)).toEqual([ids[0]])
    expect(await listed('team', keyOfBuyer)).toEqual([ids[0], ids[1]])
    expect(await listed('team')).toEqual([ids[0], ids[1]])
    const hours = (count: number) => new Date(Date.now() + count * 3_600_000).toISOString()
    const asAdmin = { user: { id: 'admin', roles: ['Admin'], attr: {} } } as never
    const absence = { fromUser: 'north', toUser: 'buyer', validFrom: hours(-1), validTo: hours(1) }
    await cds.tx(asAdmin, () => createDelegation(absence))
    expect(await listed('me', keyOfBuyer)).toEqual([ids[0], ids[2]])
    await cds.tx(asAdmin, () => endDelegationsOf('north'))
    const { json } = await read('home()')
    expect(json).toMatchObject({ mine: { lines: 1 }, team: { lines: 2 } })
    const shown = async (name: string) =>
      (await read(`Proposals?$filter=status eq 'pending' and ${name} eq true&$select=ID`)).json
        .value
    expect([await shown('isMine'), await shown('isTeams')]).toMatchObject([
      [{ ID: ids[0] }],
      [{ ID: expect.any(Number) }, { ID: expect.any(Number) }],
    ])
  })

  it('sees and decides no more than before', async () => {
    await put({ level: 'default', responsible: 'north' })
    const key = await aKey({ actsAs: 'north' })
    expect(await listed('me', key)).toEqual([])
    const refused = await post(`/proposals/prop_${ids[0]}/approve`, {}, { key })
    expect(refused.status).toBe(404)
  })

  it('must be known, and changes no quantity', async () => {
    expect(errorOf(await put({ level: 'default', responsible: 'nobody' }))).toEqual({
      ...{ status: 400, code: 'invalid_parameter', target: 'responsible' },
    })
    expect(errorOf(await put({ level: 'default', team_lead: 'admin' }))).toEqual({
      ...{ status: 400, code: 'invalid_parameter', target: 'team_lead' },
    })
    const { version } = (await SELECT.one.from(Proposals).where({ ID: ids[0]! }))!
    await put({ level: 'default', responsible: 'buyer' })
    expect((await SELECT.one.from(Proposals).where({ ID: ids[0]! }))!.version).toBe(version)
    const { json } = await read('home()', { as: 'approver' })
    expect(json.mine).toMatchObject({ lines: 0 })
  })
})

const noticesOf = async (key: string) => (await get('/notices', { key })).json.data
const lastEvent = async (ID: number) =>
  (await SELECT.from(ProposalEvents).where({ proposal: ID }).orderBy('at')).at(-1)!

describe('a colleague', () => {
  it('is asked by @name, and has answered with a comment', async () => {
    const ID = ids[3]!
    const asked = await post(`/proposals/prop_${ID}/comments`, { text: 'Right, @buyer?' })
    expect(asked.status).toBe(204)
    expect(await lastEvent(ID)).toMatchObject({ event: 'commented', comment: 'Right, @buyer?' })
    expect(await noticesOf(keyOfBuyer)).toMatchObject([
      { kind: 'asked', proposal_id: `prop_${ID}`, by: 'approver', text: 'Right, @buyer?' },
    ])
    const { json } = await read('home()')
    expect(json.notices).toMatchObject([
      { text: expect.stringMatching(/^approver asks about assigned-\d at L1: Right/) },
    ])
    const forMe = await read('Proposals?$filter=isForMe eq true&$select=ID')
    expect(forMe.json.value).toMatchObject([{ ID }])
    const answer = { body: { text: 'Yes.' } }
    const path = `Proposals(${ID})/BuyerService.addComment` as 'Proposals(1)/BuyerService.approve'
    expect((await odata('POST', path, answer)).status).toBe(200)
    expect(await noticesOf(keyOfBuyer)).toEqual([])
  })

  it('who is unknown or does not see the line is refused by name', async () => {
    for (const text of ['Ask @nobody', 'Ask @north', ' ']) {
      expect(errorOf(await post(`/proposals/prop_${ids[3]}/comments`, { text }))).toEqual({
        ...{ status: 400, code: 'invalid_parameter', target: 'text' },
      })
    }
  })

  it('gets a line that they may approve, and has it until it is decided', async () => {
    const ID = ids[4]!
    const given = { to: 'approver', comment: 'Over my limit' }
    const pass = () => post(`/proposals/prop_${ID}/pass-on`, given, { key: keyOfBuyer })
    expect((await pass()).status).toBe(204)
    expect((await pass()).status).toBe(204)
    const own = await aKey()
    expect(await noticesOf(own)).toMatchObject([
      { kind: 'passed_on', by: 'buyer', text: 'Over my limit', proposal_id: `prop_${ID}` },
    ])
    expect(await lastEvent(ID)).toMatchObject({
      ...{ event: 'passed_on', actor: 'buyer', comment: 'approver: Over my limit' },
    })
    expect((await post(`/proposals/prop_${ID}/approve`, {}, { key: own })).status).toBe(200)
    expect(await noticesOf(own)).toEqual([])
    expect(errorOf(await pass())).toMatchObject({ code: 'proposal_already_decided' })
  })

  it.each(['buyer', 'admin', 'viewer', 'north', 'nobody'])('cannot be %s', async (to) => {
    const body = { proposals: `${ids[3]},${ids[5]}`, to }
    const { status, error } = await odata('POST', 'passOn' as 'approveMany', { body })
    expect([status, error?.target]).toEqual([400, 'to'])
  })
})

describe('a line that nobody decided in time', () => {
  const overdue = async (ID: number) => {
    await UPDATE.entity(Proposals).set({ orderBy: '2020-01-01' }).where({ ID })
    return skuOf(ID)
  }

  it('is brought before the team lead once', async () => {
    const ID = ids[5]!
    const sku = await overdue(ID)
    await housekeepProposals()
    expect(await SELECT.from(Notices)).toEqual([])
    await put({ level: 'sku', sku, responsible: 'buyer', team_lead: 'approver' })
    await housekeepProposals()
    await housekeepProposals()
    expect(await noticesOf(await aKey())).toMatchObject([
      { kind: 'escalated', by: 'buyer', proposal_id: `prop_${ID}` },
    ])
    const events = await shop.historyOf(ID)
    expect(events.filter((event) => event === 'escalated')).toHaveLength(1)
    const history = await get(`/proposals/prop_${ID}/history`)
    expect(history.json.data.at(-1)).toMatchObject({
      ...{ event: 'escalated', comment: 'approver: order_by 2020-01-01, responsible buyer' },
    })
    const { json } = await read('home()', { as: 'approver' })
    expect(json.notices).toMatchObject([{ text: expect.stringContaining('responsible: buyer') }])
  })

  it('is brought before the administrators where no rule names a lead', async () => {
    const ID = ids[3]!
    await put({ level: 'sku', sku: await overdue(ID), responsible: 'buyer' })
    await housekeepProposals()
    const rows = await SELECT.from(Notices).where({ kind: 'escalated' })
    expect(rows).toMatchObject([{ user: 'admin', proposal: ID, fromUser: 'buyer' }])
  })
})

it('what nobody is shown any more is kept for 90 days', async () => {
  const told = (ID: string, proposal: number, daysAgo: number) => {
    const at = new Date(Date.now() - daysAgo * 86_400_000).toISOString()
    return { ID, user: 'buyer', kind: 'asked', proposal, fromUser: 'anna', at, text: null }
  }
  const [open, gone] = [ids[0]!, 999_999]
  await UPDATE.entity(Proposals).set({ status: 'pending' }).where({ ID: open })
  const all = [told('open', open, 400), told('old', gone, 91), told('young', gone, 89)]
  await INSERT.into(Notices).entries(all as never)
  await housekeepProposals()
  const kept = await SELECT.from(Notices).columns('ID').orderBy('ID')
  expect(kept).toEqual([{ ID: 'open' }, { ID: 'young' }])
})

it('an erased person is neither told of anything nor responsible', async () => {
  await put({ level: 'default', responsible: 'buyer', team_lead: 'anna' })
  await post(`/proposals/prop_${ids[2]}/comments`, { text: '@anna and @buyer?' })
  const asAdmin = { user: { id: 'admin', roles: ['Admin'], attr: {} } } as never
  await cds.tx(asAdmin, () => erasePerson('anna'))
  expect(await SELECT.from(Notices).columns('user')).toEqual([{ user: 'buyer' }])
  const [rule] = await SELECT.from(Policies)
  expect(rule).toMatchObject({ responsible: 'buyer' })
  expect(rule!.teamLead).not.toBe('anna')
})
