import { setTimeout } from 'node:timers/promises'
import cds from '@sap/cds'
import {
  AuditLog,
  WebhookDeliveries,
  WebhookSecrets,
  Webhooks,
} from '../../../srv/base/database/entities.ts'
import { publishEvents } from '../../../srv/base/database/events.ts'
import { names } from '../../../srv/domain/webhooks/send.ts'
import { lockWebhook } from '../../../srv/domain/webhooks/secrets.ts'
import { del, errorOf, get, post, call } from '../v1/api.ts'
import { isSigned, Receiver, until } from './receiver.ts'

const eventIn = (heard: { body: string } | undefined) =>
  JSON.parse(heard!.body) as { type: string; data: { id: string } }

const { INSERT, SELECT, UPDATE } = cds.ql
const DELIVERIES = WebhookDeliveries
const DAY_MS = 86_400_000

process.env.RESTOCK_WEBHOOKS_ALLOW_PRIVATE = 'true'

const receivers: Receiver[] = []

async function listening(behave?: Receiver['behave']) {
  const receiver = await new Receiver(behave).start()
  receivers.push(receiver)
  return receiver
}

afterEach(async () => {
  const { json } = await get('/webhooks?limit=200')
  for (const { id } of json.data) await del(`/webhooks/${id}`)
  await Promise.all(receivers.splice(0).map((receiver) => receiver.stop()))
})

async function webhookTo(url: string, events?: string[]) {
  const { status, json } = await post('/webhooks', { url, ...(events && { events }) })
  expect(status).toBe(201)
  return json as { id: string; secret: string }
}

let count = 0
/** Something happens. */
const happen = (many = 1) =>
  cds.tx(() =>
    publishEvents(
      Array.from({ length: many }, () => ({
        type: 'sync.completed' as const,
        data: { id: `sync_${++count}` },
      })),
    ),
  )

const deliveriesOf = async (id: string) =>
  (await get(`/webhooks/${id}/deliveries?limit=200`)).json.data
const numberOf = (id: string) => Number(id.slice(3))

/** Lets a time pass that is not waited for. */
const hurry = (id: string) =>
  UPDATE.entity(DELIVERIES)
    .set({ nextAttemptAt: new Date(Date.now() - 1).toISOString() })
    .where({ webhook: numberOf(id), status: 'pending' })

const settled = (id: string, status: string) =>
  until(async () =>
    (await deliveriesOf(id)).every((each: { status: string }) => each.status === status),
  )

const tried = (id: string, attempts: number) =>
  until(async () => {
    const [row] = await SELECT.from(DELIVERIES).where({ webhook: numberOf(id) })
    return row?.attempts === attempts && row.responseStatus !== null
  })

const acts = async (id: string) =>
  (await SELECT.from(AuditLog).where({ object: id }).orderBy('at')).map(({ action }) => action)

describe('an event', () => {
  it('is sent signed, once, and noted', async () => {
    const receiver = await listening()
    const { id, secret } = await webhookTo(receiver.url)
    await happen()
    const [heard] = await receiver.hears(1)
    expect(isSigned(heard!, secret)).toBe(true)
    const body = eventIn(heard)
    expect(body).toEqual({
      ...{ id: heard!.id, type: 'sync.completed', timestamp: expect.any(String) },
      data: { id: `sync_${count}` },
    })
    expect(heard!.headers['content-type']).toBe('application/json')
    await settled(id, 'succeeded')
    expect(await deliveriesOf(id)).toEqual([
      {
        ...{ id: heard!.id, type: 'sync.completed', status: 'succeeded', attempts: 1 },
        ...{ response_status: 204, problem: null, next_attempt_at: null },
        last_attempt_at: expect.any(String),
      },
    ])
    expect(receiver.heard).toHaveLength(1)
  })

  it('goes to those who ask for its type, and happened after they were added', async () => {
    await happen()
    const [all, few] = [await listening(), await listening()]
    await webhookTo(all.url)
    const chosen = await webhookTo(few.url, ['sync.failed', 'sync.failed', 'forecast.refreshed'])
    expect((await get(`/webhooks/${chosen.id}`)).json.events).toEqual([
      'sync.failed',
      'forecast.refreshed',
    ])
    await happen()
    await cds.tx(() => publishEvents([{ type: 'forecast.refreshed', data: { id: 'src_1' } }]))
    await all.hears(2)
    const [heard] = await few.hears(1)
    expect(eventIn(heard).type).toBe('forecast.refreshed')
    expect(all.heard).toHaveLength(2)
    expect(few.heard).toHaveLength(1)
  })

  it('of a transaction that was rolled back is none', async () => {
    const receiver = await listening()
    await webhookTo(receiver.url)
    await cds
      .tx(async () => {
        await publishEvents([{ type: 'sync.failed', data: { id: 'sync_0' } }])
        throw new Error('rolled back')
      })
      .catch(() => {})
    await happen()
    const heard = await receiver.hears(1)
    expect(heard.map((each) => eventIn(each).data.id)).toEqual([`sync_${count}`])
  })

  it('of a hundred is sent once each', async () => {
    const receiver = await listening()
    const { id } = await webhookTo(receiver.url)
    await happen(100)
    await receiver.hears(100)
    await settled(id, 'succeeded')
    expect(new Set(receiver.heard.map((heard) => heard.id)).size).toBe(100)
    expect(receiver.heard).toHaveLength(100)
  })
})

describe('a receiver that', () => {
  it('fails and then works gets the same call again, after as long as it asks', async () => {
    const receiver = await listening((response, call) =>
      call === 1
        ? response.writeHead(503, { 'Retry-After': '600' }).end('x'.repeat(1000))
        : response.writeHead(200).end('{"ok":true}'),
    )
    const { id } = await webhookTo(receiver.url)
    await happen()
    await tried(id, 1)
    const [failed] = await deliveriesOf(id)
    expect(failed).toMatchObject({ status: 'pending', attempts: 1, response_status: 503 })
    expect(failed!.problem).toBe('x'.repeat(200))
    const wait = Date.parse(failed!.next_attempt_at!) - Date.parse(failed!.last_attempt_at!)
    expect(wait).toBeGreaterThanOrEqual(600_000)
    expect((await get(`/webhooks/${id}`)).json.failing_since).toEqual(expect.any(String))
    await hurry(id)
    const [first, second] = await receiver.hears(2)
    expect([second!.id, second!.body]).toEqual([first!.id, first!.body])
    await settled(id, 'succeeded')
    expect((await get(`/webhooks/${id}`)).json.failing_since).toBeNull()
  })

  it('is not there is tried again in seconds, wherever it is by then', async () => {
    const { id } = await webhookTo('http://127.0.0.1:1/')
    await happen()
    await until(async () => Boolean((await deliveriesOf(id))[0]?.problem))
    const later = await listening()
    await call('PATCH', `/webhooks/${id}`, { body: { url: later.url } })
    await later.hears(1)
    await settled(id, 'succeeded')
    expect((await deliveriesOf(id))[0]).toMatchObject({ attempts: 2, response_status: 204 })
  })

  it('says that it is gone is not called again', async () => {
    const receiver = await listening((response) => response.writeHead(410).end())
    const { id } = await webhookTo(receiver.url)
    await happen()
    await until(async () => (await get(`/webhooks/${id}`)).json.status === 'disabled')
    expect((await get(`/webhooks/${id}`)).json.disabled_reason).toBe('gone')
    expect((await deliveriesOf(id))[0]).toMatchObject({ status: 'failed', response_status: 410 })
    expect(await acts(id)).toContain('webhook.disabled')
    receiver.behave = (response) => response.writeHead(200).end()
    await happen()
    expect(receiver.heard).toHaveLength(1)
    const { json } = await call('PATCH', `/webhooks/${id}`, { body: { status: 'active' } })
    expect(json).toMatchObject({ status: 'active', disabled_reason: null })
    const heard = await receiver.hears(2)
    expect(eventIn(heard[1]).data.id).toBe(`sync_${count}`)
  })

  it('has failed for five days is given up, and taken back by a rotation', async () => {
    const receiver = await listening((response) => response.writeHead(500).end())
    const { id } = await webhookTo(receiver.url)
    const failingSince = new Date(Date.now() - 5 * DAY_MS - 1000).toISOString()
    await UPDATE.entity(Webhooks)
      .set({ failingSince })
      .where({ ID: numberOf(id) })
    await happen()
    await until(async () => (await get(`/webhooks/${id}`)).json.disabled_reason === 'failing')
    const { json } = await post(`/webhooks/${id}/rotate`)
    expect(json).toMatchObject({ status: 'active', disabled_reason: null, failing_since: null })
  })

  it('redirects is not followed', async () => {
    const inside = await listening()
    const receiver = await listening((response) =>
      response.writeHead(307, { Location: inside.url }).end(),
    )
    const { id } = await webhookTo(receiver.url)
    await happen()
    await tried(id, 1)
    expect((await deliveriesOf(id))[0]).toMatchObject({ status: 'pending', response_status: 307 })
    expect(inside.heard).toEqual([])
  })
})

describe('a name that has become private', () => {
  afterEach(() => {
    process.env.RESTOCK_WEBHOOKS_ALLOW_PRIVATE = 'true'
    delete names.resolve
  })

  it('is not connected to, which counts as a failure', async () => {
    const receiver = await listening()
    delete process.env.RESTOCK_WEBHOOKS_ALLOW_PRIVATE
    names.resolve = async () => [{ address: '127.0.0.1', family: 4 }]
    const { id } = await webhookTo(`https://hooks.example.invalid:${receiver.port}/`)
    await happen()
    await until(async () => Boolean((await deliveriesOf(id))[0]?.problem))
    const [delivery] = await deliveriesOf(id)
    expect(delivery).toMatchObject({ status: 'pending', attempts: 1, response_status: null })
    expect(delivery!.problem).toMatch(/not one of the public internet/)
    expect(receiver.heard).toEqual([])
  })
})

describe('a rotation', () => {
  it('lets both secrets hold for a day', async () => {
    const receiver = await listening()
    const { id, secret } = await webhookTo(receiver.url)
    const { json } = await post(`/webhooks/${id}/rotate`)
    const hours = (Date.parse(json.old_secret_expires_at) - Date.now()) / 3_600_000
    expect(hours).toBeCloseTo(24, 1)
    expect(json.secret).not.toBe(secret)
    await happen()
    const [heard] = await receiver.hears(1)
    expect(heard!.headers['webhook-signature']!.split(' ')).toHaveLength(2)
    expect([isSigned(heard!, secret), isSigned(heard!, json.secret!)]).toEqual([true, true])
    await UPDATE.entity(WebhookSecrets).set({ expiresAt: new Date().toISOString() })
      .where`webhook = ${numberOf(id)} and expiresAt is not null`
    await happen()
    const later = (await receiver.hears(2))[1]!
    expect([isSigned(later, secret), isSigned(later, json.secret!)]).toEqual([false, true])
  })

  it('lets an old secret hold as long as was said, also where another rotation follows', async () => {
    const receiver = await listening()
    const { id, secret } = await webhookTo(receiver.url)
    const [second, third] = [
      await post(`/webhooks/${id}/rotate`),
      await post(`/webhooks/${id}/rotate`),
    ]
    await happen()
    const [heard] = await receiver.hears(1)
    for (const each of [secret, second.json.secret!, third.json.secret!])
      expect(isSigned(heard!, each)).toBe(true)
    for (let at = 0; at < 6; at++) await post(`/webhooks/${id}/rotate`)
    await happen()
    const later = (await receiver.hears(2))[1]!
    expect(later.headers['webhook-signature']!.split(' ')).toHaveLength(6)
  })

  it('shows secrets once, and keeps them encrypted', async () => {
    const receiver = await listening()
    const { id, secret } = await webhookTo(receiver.url)
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect((await get('/webhooks')).text).not.toContain('secret')
    expect((await get(`/webhooks/${id}`)).text).not.toContain('secret')
    const stored = JSON.stringify(await SELECT.from(WebhookSecrets))
    expect(stored).not.toContain(secret.slice(6))
  })
})

describe('a replay', () => {
  it('sends the same event once more', async () => {
    const receiver = await listening()
    const { id } = await webhookTo(receiver.url)
    await happen()
    await settled(id, 'succeeded').then(() => receiver.hears(1))
    await until(async () => (await deliveriesOf(id))[0]?.status === 'succeeded')
    const { id: event } = (await deliveriesOf(id))[0]!
    const { status, json } = await post(`/webhooks/${id}/deliveries/${event}/replay`)
    expect([status, json.status]).toEqual([202, 'pending'])
    const [first, second] = await receiver.hears(2)
    expect([second!.id, second!.body]).toEqual([first!.id, first!.body])
    await until(async () => (await deliveriesOf(id))[0]?.status === 'succeeded')
    expect((await deliveriesOf(id))[0]!.attempts).toBe(2)
  })

  it.each(['evt_x', `evt_${'0'.repeat(28)}`])('of %s is 404', async (event) => {
    const { id } = await webhookTo('http://127.0.0.1:1/')
    const answer = await post(`/webhooks/${id}/deliveries/${event}/replay`)
    expect(errorOf(answer)).toEqual({ status: 404, code: 'not_found' })
  })
})

describe('a webhook', () => {
  it('leaves no deliveries that are created while it is removed', async () => {
    const { id } = await webhookTo('http://localhost:9/hook')
    let removed: ReturnType<typeof del>
    await cds.tx(async () => {
      await lockWebhook(numberOf(id))
      removed = del(`/webhooks/${id}`)
      await setTimeout(300)
      const delivery = { event: '0'.repeat(28), type: 'sync.completed' }
      await INSERT.into(DELIVERIES).entries({ webhook: numberOf(id), ...delivery })
    })
    expect((await removed!).status).toBe(204)
    expect(await SELECT.from(DELIVERIES).where({ webhook: numberOf(id) })).toEqual([])
  })

  it('is listed by pages, changed and removed', async () => {
    const ids = []
    for (const port of [1, 2, 3]) ids.push((await webhookTo(`http://127.0.0.1:${port}/`)).id)
    const first = (await get('/webhooks?limit=2')).json
    const second = (await get(`/webhooks?limit=2&cursor=${first.next_cursor}`)).json
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(ids.toReversed())
    const body = { events: ['sync.failed'], url: 'http://127.0.0.1:4/' }
    const changed = await call('PATCH', `/webhooks/${ids[0]}`, { body })
    expect(changed.json).toMatchObject(body)
    expect((await del(`/webhooks/${ids[0]}`)).status).toBe(204)
    expect(errorOf(await del(`/webhooks/${ids[0]}`))).toEqual({ status: 404, code: 'not_found' })
    expect(await acts(ids[0]!)).toEqual(['webhook.added', 'webhook.changed', 'webhook.removed'])
  })

  it.each([
    [{ url: 'ftp://example.org/' }, 'url'],
    [{ url: 'https://user:secret@example.org/' }, 'url'],
    [{ url: 'example' }, 'url'],
    [{}, 'url'],
    [{ url: 'http://127.0.0.1/', events: [] }, 'events'],
    [{ url: 'http://127.0.0.1/', events: ['sync.began'] }, 'events'],
    [{ url: 'http://127.0.0.1/', colour: 1 }, 'colour'],
  ])('%j is refused', async (body, target) => {
    expect(errorOf(await post('/webhooks', body))).toEqual({
      ...{ status: 400, code: 'invalid_parameter', target },
    })
  })

  it('needs its scope, and an id that exists', async () => {
    for (const path of ['/webhooks/wh_999', '/webhooks/wh_999/deliveries', '/webhooks/x']) {
      expect(errorOf(await get(path))).toEqual({ status: 404, code: 'not_found' })
    }
  })
})
