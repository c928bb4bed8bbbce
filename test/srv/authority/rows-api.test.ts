// One buyer, two locations: what `/v1` and the command line tell of the other one to a key that acts as the buyer.
import cds from '@sap/cds'
import { runDetached } from '../../../srv/base/cap/context.ts'
import {
  Events,
  Evidence,
  ProposalEvents,
  WebhookDeliveries,
  Webhooks,
} from '../../../srv/base/database/entities.ts'
import { endpoints } from '../../../srv/doors/v1/endpoints.ts'
import { RestockCommand } from '../../support/command.ts'
import { daysAgo, serverUrl } from '../../support/server.ts'
import type { EventRow } from '../../../srv/base/database/events.ts'
import { sealNow } from '../../../srv/domain/audit/index.ts'
import { activeWebhooks, createDeliveries } from '../../../srv/domain/webhooks/send.ts'
import { eventsFor } from '../../../srv/domain/webhooks/manage.ts'
import { aKey, call, del, errorOf, get, post } from '../v1/api.ts'
import { BOUND, leaksIn, openTwoLocations, type TwoLocations } from './two-locations.ts'

const { DELETE, SELECT, UPDATE } = cds.ql

let two: TwoLocations

beforeAll(async () => {
  two = await openTwoLocations()
  await sealNow()
})

/** Whose keys see the installation as a whole: its ERPs, syncs and keys are of no location. */
const OF_THE_WHOLE = /^\/(sources|syncs|keys)/

const today = new Date().toISOString().slice(0, 10)

/** What a list needs to be called. */
const QUERIES: Record<string, string> = {
  '/reports/value': `from=${today}&to=${today}`,
  '/proposals/budget': 'units=999999',
  '/proposals/export': 'format=csv',
  '/audit/verification': '',
  '/simulations/service': '',
  '/costs': '',
  '/costs/past': '',
  '/source-types': '',
  '/forecasts': 'sku=both-0&location=HERE',
}

const lists = endpoints.filter(({ method, path }) => method === 'get' && !path.includes(':'))

describe.each(BOUND)('a key of $id', (bound) => {
  const { id, rows } = bound
  let key: string
  beforeAll(async () => void (key = await aKey({ actsAs: id })))

  it('reads nothing of the rest in any list', async () => {
    for (const { path } of lists) {
      if (OF_THE_WHOLE.test(path)) continue
      const address = `${path}?${QUERIES[path] ?? 'limit=200'}`
      const { status, text } = await get(address as '/proposals', { key })
      const leaks = leaksIn(text, bound)
      expect({ address, status, leaks }).toEqual({ address, status: 200, leaks: [] })
    }
  })

  it('counts and exports nothing of the rest', async () => {
    const own = two.seen(rows).length
    const all = 'status=pending&status=approved&status=rejected'
    const { json } = await get(`/proposals/export?format=json&${all}`, { key })
    expect(json.data).toHaveLength(own)
    const csv = await get(`/proposals/export?${all}`, { key })
    expect(csv.text.trim().split('\n')).toHaveLength(own + 1)
    expect(leaksIn(csv.text, bound)).toEqual([])
    const report = await get(`/reports/value?from=${today}&to=${today}`, { key })
    expect(report.json.decided).toBe(4)
    const budget = await get('/proposals/budget?units=0', { key })
    expect(budget.json.not_taken.lines).toBe(own - 4)
    expect((await get('/exceptions', { key })).json.data).toHaveLength(2)
    expect((await get('/proposals/blocked', { key })).json.data).toHaveLength(2)
  })

  it('is told of what is not theirs as of what does not exist', async () => {
    const exception = id === 'grouped' ? 900_003 : 900_002
    const ids = { proposals: `prop_${two.unseen(rows)[0]}`, exceptions: `exc_${exception}` }
    const bodies: Record<string, object> = {
      ...{ approve: {}, settle: {}, snooze: { until: '2099-01-01T00:00:00Z' } },
      cancel: { reason: 'price' },
    }
    for (const { method, path } of endpoints) {
      const [, collection, , action = ''] = path.split('/')
      const other = ids[collection as 'proposals']
      if (!other || !path.includes(':id')) continue
      const none = other.replace(/\d+/, '99999999')
      const answers = [other, none].map(async (of) => {
        const name = method.toUpperCase()
        const body = method === 'post' ? bodies[action] : undefined
        const answer = await call(name, path.replace(':id', of), { key, body })
        return { ...errorOf(answer), message: answer.error!.message.replace(/_\d+/, '#') }
      })
      const [found, nothing] = await Promise.all(answers)
      expect({ method, path, ...found }).toEqual({ method, path, ...nothing })
      expect(found!.status).toBe(404)
    }
    const decisions = [ids.proposals, 'prop_99999999'].map((of) => ({ id: of, action: 'approve' }))
    const { json } = await post('/proposals/decisions', { decisions }, { key })
    const [found, nothing] = json.results.map((each) => 'error' in each && each.error.code)
    expect([found, nothing]).toEqual(['proposal_not_found', 'proposal_not_found'])
    expect(await SELECT.from(ProposalEvents).where({ actor: id })).toEqual([])
    expect(await SELECT.from(Evidence).where({ proposal: { in: two.unseen(rows) } })).toHaveLength(
      2,
    )
  })

  it('forecasts nothing of the rest', async () => {
    const [sku, location] = id === 'grouped' ? ['ALIEN-0', 'HERE'] : ['FAR-0', 'FARAWAY']
    for (const pair of [
      { sku, location },
      { sku: 'none', location: 'NONE' },
    ]) {
      const query = `sku=${pair.sku}&location=${pair.location}`
      expect(errorOf(await get(`/forecasts?${query}`, { key }))).toEqual({
        ...{ status: 404, code: 'forecast_not_found' },
      })
      const body = { items: [pair, { sku: 'both-0', location: 'HERE' }] }
      const { json } = await call('POST', '/forecasts/batch', { key, body })
      expect(json.summary).toMatchObject({ succeeded: 1, failed: 1 })
    }
  })

  it('sets rules of the own rows alone', async () => {
    const others: Record<string, string>[] =
      id === 'grouped'
        ? [
            { level: 'group', group: 'ALIENS' },
            { level: 'sku', sku: 'ALIEN-0' },
            { level: 'location', location: 'HERE' },
            { level: 'default' },
          ]
        : [
            { level: 'location', location: 'FARAWAY' },
            { level: 'sku', sku: 'both-0' },
            { level: 'sku+location', sku: 'FAR-0', location: 'FARAWAY' },
            { level: 'supplier', supplier: 'S-1' },
            { level: 'default' },
          ]
    for (const rule of others) {
      const put = await call('PUT', '/policies', { key, body: { ...rule, moq: 7 } })
      expect({ rule, ...errorOf(put) }).toEqual({ rule, status: 403, code: 'insufficient_scope' })
      const query = new URLSearchParams(rule).toString()
      const removed = await call('DELETE', `/policies?${query}` as '/policies', { key })
      expect(errorOf(removed)).toEqual({ status: 403, code: 'insufficient_scope' })
    }
    for (const { level, ...names } of others) {
      const event = { kind: 'closure', from: '2026-12-24', ...names, supplier: undefined }
      const entered = await post('/planned-events', event, { key })
      expect({ level, ...errorOf(entered) }).toMatchObject({ level, status: 403 })
      const override = { to: daysAgo(-1), percent: 5, reason: 'x', ...names, supplier: undefined }
      const adjusted = await post('/forecast-overrides', override, { key })
      expect({ level, ...errorOf(adjusted) }).toMatchObject({ level, status: 403 })
    }
    const there = id === 'grouped' ? { group: 'ALIENS' } : { location: 'FARAWAY' }
    const event = { kind: 'closure', from: '2026-12-24', ...there }
    const { id: entered } = (await post('/planned-events', event)).json
    expect((await get('/planned-events', { key })).json.data).toEqual([])
    expect((await del(`/planned-events/${entered}`, { key })).status).toBe(404)
    expect((await del(`/planned-events/${entered}`)).status).toBe(204)
    const override = { to: daysAgo(-1), percent: 5, reason: 'x', ...there }
    const { id: adjusted } = (await post('/forecast-overrides', override)).json
    expect((await get('/forecast-overrides', { key })).json.data).toEqual([])
    expect((await get(`/forecast-overrides/${adjusted}`, { key })).status).toBe(404)
    expect((await del(`/forecast-overrides/${adjusted}`, { key })).status).toBe(404)
    expect((await del(`/forecast-overrides/${adjusted}`)).status).toBe(204)
    const own = { level: 'sku+location', sku: 'open-2', location: 'HERE' }
    const put = await call('PUT', '/policies', { key, body: { ...own, moq: 7 } })
    expect(put.status).toBe(id === 'deputy' ? 403 : 200)
    const { json } = await get('/policies?limit=200', { key })
    const named = json.data.map(({ location, group }) => location ?? group)
    if (id !== 'deputy') expect(named).toContain(id === 'grouped' ? 'OURS' : 'HERE')
  })

  it('manages the own webhooks alone, which are sent nothing of the rest', async () => {
    process.env.RESTOCK_WEBHOOKS_ALLOW_PRIVATE = 'true'
    const url = 'http://localhost:9/hook'
    const { json: other } = await post('/webhooks', { url })
    const { json: own } = await post('/webhooks', { url }, { key })
    const { json: list } = await get('/webhooks', { key })
    expect(list.data.map(({ id }) => id)).toEqual([own.id])
    const paths = endpoints.filter(({ path }) => path.startsWith('/webhooks/:id'))
    for (const { method, path } of paths) {
      const address = path.replace(':id', other.id).replace(':delivery', `evt_${'0'.repeat(28)}`)
      const body = method === 'patch' ? { url: 'http://localhost:9/mine' } : undefined
      const answer = await call(method.toUpperCase(), address, { key, body })
      expect({ method, path, ...errorOf(answer) }).toEqual({
        ...{ method, path, status: 404, code: 'not_found' },
      })
    }
    const ID = Number(own.id.slice('wh_'.length))
    // The service's own rounds may have made deliveries since.
    await cds.tx(async () => {
      await UPDATE.entity(Webhooks).set({ position: '0 ' }).where({ createdBy: id })
      await DELETE.from(WebhookDeliveries).where({ webhook: ID })
    })
    const webhooks = await runDetached('webhooks', () => activeWebhooks(ID))
    await runDetached('webhooks', () => createDeliveries(webhooks))
    const sent = await SELECT.from(WebhookDeliveries).where({ webhook: ID })
    const events = await SELECT.from(Events).where({ ID: { in: sent.map(({ event }) => event) } })
    const seen = new Set(two.seen(rows).map((number) => `prop_${number}`))
    const objects = events.map(({ object }) => object!).filter((name) => name.startsWith('prop_'))
    expect(new Set(objects)).toEqual(seen)
    expect(leaksIn(JSON.stringify(events), bound)).toEqual([])
    for (const each of [own, other]) await del(`/webhooks/${each.id}`)
  })

  it('sees nothing of the rest at the command line', async () => {
    const commands = [
      ['proposals', 'list', '--status', 'pending'],
      ['proposals', 'budget', '--units', '9999'],
      ['exceptions', 'list'],
    ]
    const env = { RESTOCK_URL: `${serverUrl()}/v1`, RESTOCK_API_KEY: key }
    const runs = commands.map((args) => new RestockCommand([...args, '--json'], env))
    for (const [at, command] of runs.entries()) {
      expect([commands[at], await command.ended]).toEqual([commands[at], 0])
      expect(leaksIn(command.stdout, bound)).toEqual([])
      expect(command.stdout).toMatch(/open-\d/)
    }
  })
})

it('nothing is sent of whom nobody knows any more, and all to a key that acts as nobody', async () => {
  const all = (await SELECT.from(Events)) as EventRow[]
  const about = all.filter(({ object }) => object.startsWith('prop_'))
  const sentFor = async (createdBy: string) =>
    (await runDetached('webhooks', () => eventsFor({ createdBy }, about))).length
  expect(about.length).toBeGreaterThan(0)
  expect([await sentFor('left'), await sentFor('key:0123456789abcdef')]).toEqual([0, about.length])
})
