// One buyer, two locations, every door: nothing of the other location is seen, counted, exported, mailed or
// decided; as a person, as a deputy and by a key.
import cds from '@sap/cds'
import {
  BlockedPairs,
  Delegations,
  Events,
  ProposalEvents,
  Proposals,
  Skus,
  WebhookDeliveries,
  Webhooks,
} from '../../../srv/base/database/entities.ts'
import { runDetached } from '../../../srv/base/cap/context.ts'
import { fromPosition, newestPosition, numberEvents } from '../../../srv/base/database/events.ts'
import { openTasksOf } from '../../../srv/doors/tasks/digest.ts'
import { sealNow } from '../../../srv/domain/audit/index.ts'
import { listApprovers } from '../../../srv/domain/authority/index.ts'
import { createDeliveries } from '../../../srv/domain/webhooks/send.ts'
import { serverUrl } from '../../support/server.ts'
import { decide as decideInApp, read as readApp } from '../buyer/odata.ts'
import { openShop, type Shop } from '../proposals/shop.ts'
import {
  act,
  basic,
  call as callTasks,
  caughtUp,
  pullAll,
  respond,
  type SpiTask,
  START,
  urnOf,
} from '../tasks/inbox.ts'
import { aKey, call as callV1, errorOf, get } from '../v1/api.ts'

const { DELETE, INSERT, SELECT, UPDATE } = cds.ql

const SIZE = 12

type Row = Record<string, unknown>
type Inbox = { d: { results: { InstanceID: string }[] } }
type User = { roles: string[]; attr?: object; password?: string }

const mocked = () => (cds.env.requires.auth as unknown as { users: Record<string, User> }).users

let here: Shop
let there: Shop

beforeAll(async () => {
  here = await openShop('here', SIZE, 'L1')
  there = await openShop('there', SIZE, 'L2')
  mocked().bound = new cds.User({
    ...{ id: 'bound', password: 'bound', roles: ['Viewer', 'Buyer'] },
    attr: { locations: ['L1'] },
  } as never) as never
  await runDetached('tasks', () => caughtUp())
})

afterAll(() => void delete mocked().bound)

const inbox = async (path: string, user = 'bound', method = 'GET') => {
  const base = serverUrl()
  const token = await fetch(`${base}/odata/v2/TASKPROCESSING/`, {
    headers: { Authorization: basic(user), 'X-CSRF-Token': 'Fetch' },
  })
  const response = await fetch(`${base}/odata/v2/TASKPROCESSING/${path}`, {
    method,
    headers: {
      ...{ Authorization: basic(user), Accept: 'application/json' },
      'X-CSRF-Token': token.headers.get('x-csrf-token') ?? '',
    },
  })
  const text = await response.text()
  return {
    status: response.status,
    json: (text.startsWith('{') ? JSON.parse(text) : text) as Inbox,
  }
}
const tasksOf = async (user = 'bound'): Promise<string[]> => {
  const { json } = await inbox('TaskCollection?$select=InstanceID&$top=1000', user)
  return json.d.results.map(({ InstanceID }) => InstanceID)
}
const decideInInbox = (ID: number, key: '0001' | '0002' = '0001') =>
  inbox(
    `Decision?SAP__Origin='RESTOCK'&InstanceID='prop_${ID}'&DecisionKey='${key}'`,
    'bound',
    'POST',
  )

const locationsIn = (rows: Row[]) => [...new Set(rows.map(({ location }) => location))].sort()
const idsOf = async (location: string): Promise<number[]> => {
  const rows = await SELECT.from(Proposals).columns('ID').where({ location })
  return rows.map(({ ID }: { ID: number }) => ID)
}
const countOf = async (path: string) => Number((await readApp(path, { as: 'bound' })).text)

describe('somebody bound to a location', () => {
  const as = 'bound'
  let other: number
  beforeAll(() => void (other = there.take()))

  it('has only that in the lists, counts and value helps of the app', async () => {
    const { json } = await readApp('Proposals?$select=location&$top=1000', { as })
    expect(locationsIn(json.value)).toEqual(['L1'])
    expect(await countOf('Proposals/$count')).toBe(SIZE)
    expect((await readApp('overview()', { as })).json.pending).toBe(SIZE)
    const total = '$apply=groupby((supplier),aggregate($count as lines))'
    expect((await readApp(`Proposals?${total}`, { as })).json.value).toEqual([
      { supplier: 'S-1', lines: SIZE },
    ])
    const { value } = (await readApp('Skus?$select=sku&$top=1000', { as })).json
    for (const { sku } of value) expect(here.skus).toContain(sku)
    expect((await readApp('Locations', { as })).json.value).not.toContainEqual(
      expect.objectContaining({ location: 'L2' }),
    )
  })

  it('sees in the app that the others do not exist', async () => {
    const parts = [
      '',
      '/formula',
      '/outlook',
      '/BuyerService.cleaning()',
      '/BuyerService.bridge()',
      '/BuyerService.rules()',
      '/BuyerService.alternatives()',
      '/BuyerService.movements()',
      '/events',
      '/BuyerService.risk(quantity=20)',
    ]
    for (const part of parts) {
      expect((await readApp(`Proposals(${other})${part}`, { as })).status).toBe(404)
    }
    expect((await readApp(`Proposals(${other})/similar`, { as })).json?.value ?? []).toEqual([])
    expect((await decideInApp(other, 'approve', {}, { as })).status).toBe(404)
    const { json } = await readApp('Decisions?$select=location', { as })
    expect(locationsIn(json.value)).not.toContain('L2')
  })

  it('has only that in My Inbox, and decides about nothing else', async () => {
    const found = await tasksOf()
    expect(found.sort()).toEqual((await idsOf('L1')).map((ID) => `prop_${ID}`).sort())
    const count = await inbox('TaskCollection/$count')
    expect(Number(count.json)).toBe(SIZE)
    expect((await decideInInbox(other)).status).toBe(404)
    const key = `SAP__Origin='RESTOCK',InstanceID='prop_${other}'`
    expect((await inbox(`TaskCollection(${key})`)).status).toBe(404)
    expect((await inbox(`DescriptionCollection(${key})`)).status).toBe(404)
    const claim = `Claim?SAP__Origin='RESTOCK'&InstanceID='prop_${other}'`
    expect((await inbox(claim, as, 'POST')).status).toBe(404)
  })

  it('is no recipient in Task Center, and decides about nothing else there', async () => {
    const path = `/tasks/${encodeURIComponent(urnOf(other))}`
    const { json } = await callTasks<SpiTask>('GET', `${path}?languages=en`)
    expect(json.recipientGroups).not.toContain('Buyer')
    expect(json.recipientUsers).toContain('buyer')
    expect(json.recipientUsers).not.toContain('bound')
    expect((await callTasks('GET', `${path}/description`, { user: as })).status).toBe(404)
    expect((await respond(urnOf(other), { code: 'approve' }, as)).status).toBe(404)
    expect((await act(urnOf(other), 'claim', as)).status).toBe(404)
    expect((await callTasks('GET', `${path}/lines`, { user: as })).status).toBe(404)
    const own = `prop_${here.take()}`
    const all = await pullAll({ modifiedAfter: START, lastId: null })
    const mine = all.find(({ localId }) => localId === own)
    expect(mine).toMatchObject({ recipientGroups: expect.arrayContaining(['Buyer']) })
  })

  it('is mailed about nothing else', async () => {
    const { open, tasks } = await runDetached('mail', async () => {
      const person = (await listApprovers()).find(({ id }) => id === as)!
      return openTasksOf({ ...person, groups: person.roles }, 1000)
    })
    expect([open, locationsIn(tasks as never)]).toEqual([SIZE, ['L1']])
  })

  it('decides about the own location at every door', async () => {
    expect((await decideInApp(here.take(), 'approve', {}, { as })).status).toBe(200)
    expect((await decideInInbox(here.take())).status).toBe(200)
    expect((await respond(urnOf(here.take()), { code: 'approve' }, as)).status).toBe(200)
  })
})

describe('a key that acts as somebody bound to a location', () => {
  let key: string
  let other: number
  beforeAll(async () => {
    key = await aKey({ actsAs: 'bound' })
    other = there.take()
  })

  it('reads nothing else, not even by number', async () => {
    const { json } = await get('/proposals?limit=200', { key })
    expect(locationsIn(json.data)).toEqual(['L1'])
    for (const part of ['', '/history', '/evidence', '/risk']) {
      expect(errorOf(await get(`/proposals/prop_${other}${part}`, { key }))).toMatchObject({
        code: 'proposal_not_found',
      })
    }
    const { json: budget } = await get('/proposals/budget?units=999999', { key })
    expect(locationsIn(budget.data)).toEqual(['L1'])
    expect(budget.not_taken.lines).toBe(0)
    const exported = await get('/proposals/export?format=json&status=pending', { key })
    expect(locationsIn(exported.json.data)).toEqual(['L1'])
    const csv = await get('/proposals/export?status=pending', { key })
    expect(csv.text).not.toContain('L2')
  })

  it('reads no blocked pairs, forecasts, events or audit entries of it', async () => {
    const pair = { missing: 'stock' as const, source_ID: here.source, sku: 'X', reason: 'None.' }
    await INSERT.into(BlockedPairs).entries([
      { ...pair, series: 900_001, location: 'L1' },
      { ...pair, series: 900_002, location: 'L2' },
    ])
    const blocked = await get('/proposals/blocked', { key })
    expect(locationsIn(blocked.json.data)).toEqual(['L1'])
    await DELETE.from(BlockedPairs).where({ series: { '>=': 900_001 } })
    const forecast = await get(`/forecasts?sku=${there.skus[0]}&location=L2`, { key })
    expect(errorOf(forecast)).toMatchObject({ code: 'forecast_not_found' })
    expect((await get(`/forecasts?sku=${here.skus[0]}&location=L1`, { key })).status).toBe(200)
    const events = await get('/events?types=proposal.created&limit=200', { key })
    expect(locationsIn(events.json.data.map(({ data }: { data: Row }) => data))).toEqual(['L1'])
    await sealNow()
    const trail = await get('/audit?limit=200', { key })
    const seen = new Set(trail.json.data.map(({ object }: Row) => object))
    for (const ID of await idsOf('L2')) expect(seen).not.toContain(`prop_${ID}`)
  })

  it('counts nothing else in the report', async () => {
    await callV1('POST', `/proposals/prop_${there.take()}/approve`, { body: {} })
    const today = new Date().toISOString().slice(0, 10)
    const path = `/reports/value?from=${today}&to=${today}` as const
    const [all, own] = [await get(path), await get(path, { key })]
    expect(all.json.decided).toBe(own.json.decided + 1)
  })

  it('decides about nothing else', async () => {
    const path = `/proposals/prop_${other}`
    const calls = [
      callV1('POST', `${path}/approve`, { key, body: {} }),
      callV1('POST', `${path}/snooze`, { key, body: { until: '2099-01-01T00:00:00Z' } }),
      callV1('POST', `${path}/cancel`, { key, body: { reason: 'price' } }),
      callV1('DELETE', path, { key }),
    ]
    for (const answer of await Promise.all(calls)) {
      expect(errorOf(answer)).toMatchObject({ status: 404, code: 'proposal_not_found' })
    }
    expect(await there.historyOf(other)).toEqual(['created'])
  })

  it('has its webhooks sent nothing else', async () => {
    await runDetached('events', numberEvents)
    const webhook = {
      ...{ ID: 77, url: 'https://example.com', types: null, status: 'active' as const },
      ...{ position: '0 ', createdBy: 'bound', createdAt: new Date().toISOString() },
      ...{ disabledReason: null, failingSince: null },
    }
    await INSERT.into(Webhooks).entries({ ...webhook, status: 'disabled' })
    await runDetached('webhooks', () => createDeliveries([{ ...webhook, status: 'disabled' }]))
    const sent = await SELECT.from(WebhookDeliveries).where({ webhook: 77 })
    const ids = sent.map(({ event }: { event: string }) => event)
    const events = await SELECT.from(Events).where({ ID: { in: ids } })
    const places = events.flatMap(
      ({ data }) => (JSON.parse(data!) as { location?: string }).location ?? [],
    )
    expect([...new Set(places)]).toEqual(['L1'])
    expect(fromPosition(await newestPosition())).toBeTruthy()
    await DELETE.from(WebhookDeliveries).where({ webhook: 77 })
    await DELETE.from(Webhooks).where({ ID: 77 })
  })
})

describe('a deputy', () => {
  const delegation = {
    ...{ ID: cds.utils.uuid(), fromUser: 'approver', toUser: 'bound', createdBy: 'admin' },
    validFrom: new Date(Date.now() - 60_000).toISOString(),
    validTo: new Date(Date.now() + 3_600_000).toISOString(),
  }
  let ids: number[]
  beforeAll(async () => {
    mocked().approver!.attr = { locations: ['L2'] }
    ids = [there.take(), there.take(), there.take()]
    await INSERT.into(Delegations).entries(delegation)
    await caughtUp()
  })
  afterAll(async () => {
    await DELETE.from(Delegations).where({ ID: delegation.ID })
    mocked().approver!.attr = {}
    await caughtUp()
  })

  it('sees in the app, the inboxes and with a key what the absent person does', async () => {
    const { json } = await readApp('Proposals?$select=location&$top=1000', { as: 'bound' })
    expect(locationsIn(json.value)).toEqual(['L1', 'L2'])
    expect(await tasksOf()).toContain(`prop_${ids[0]}`)
    const path = `/tasks/${encodeURIComponent(urnOf(ids[0]!))}?languages=en`
    expect((await callTasks<SpiTask>('GET', path)).json.recipientUsers).toContain('bound')
    const key = await aKey({ actsAs: 'bound' })
    expect((await get(`/proposals/prop_${ids[0]}`, { key })).status).toBe(200)
  })

  it('decides at every door in the absent person’s name', async () => {
    expect((await decideInApp(ids[0]!, 'approve', {}, { as: 'bound' })).status).toBe(200)
    expect((await decideInInbox(ids[1]!)).status).toBe(200)
    expect((await respond(urnOf(ids[2]!), { code: 'approve' }, 'bound')).status).toBe(200)
    for (const proposal of ids) {
      const [last] = await SELECT.from(ProposalEvents).where({ proposal }).orderBy('version desc')
      expect(last).toMatchObject({ actor: 'bound', onBehalfOf: 'approver', event: 'approved' })
    }
  })

  it('does not lend the own right where the absent person may not look', async () => {
    const ID = here.take()
    expect((await decideInApp(ID, 'approve', {}, { as: 'bound' })).status).toBe(200)
    const [last] = await SELECT.from(ProposalEvents).where({ proposal: ID }).orderBy('version desc')
    expect(last).toMatchObject({ actor: 'bound', onBehalfOf: null })
  })

  it('sees none of it any more when the delegation has ended', async () => {
    await UPDATE.entity(Delegations)
      .set({ endedAt: new Date().toISOString() })
      .where({ ID: delegation.ID })
    const ID = there.take()
    expect((await readApp(`Proposals(${ID})`, { as: 'bound' })).status).toBe(404)
    expect(await tasksOf()).not.toContain(`prop_${ID}`)
    expect((await respond(urnOf(ID), { code: 'approve' }, 'bound')).status).toBe(404)
    expect(await tasksOf()).not.toContain(`prop_${ids[1]}`)
  })
})

describe('somebody bound to a group of SKUs', () => {
  it('sees the proposals, decisions and blocked pairs of that group alone', async () => {
    const [sku, hidden] = here.skus
    const row = (of: string, skuGroup: string) => ({ source_ID: here.source, sku: of, skuGroup })
    await DELETE.from(Skus).where({ sku: { in: [sku, hidden] } })
    await INSERT.into(Skus).entries([row(sku!, 'G1'), row(hidden!, 'G2')])
    mocked().bound!.attr = { groups: ['G1'] }
    for (const entity of ['Proposals', 'Decisions', 'Skus'] as const) {
      const { json } = await readApp(`${entity}?$select=sku&$top=1000`, { as: 'bound' })
      for (const found of json.value) expect(found.sku).toBe(sku)
    }
    expect(await countOf('Proposals/$count')).toBe(1)
    const other = await SELECT.one.from(Proposals).columns('ID').where({ sku: hidden })
    expect((await decideInApp(other!.ID, 'approve', {}, { as: 'bound' })).status).toBe(404)
    expect((await respond(urnOf(other!.ID), { code: 'approve' }, 'bound')).status).toBe(404)
    mocked().bound!.attr = { locations: ['L1'] }
  })
})
