import { Restock, RestockError } from '../../../client/index.ts'
import { serverUrl } from '../../support/server.ts'
import { aKey } from './api.ts'
import { readDemand, SKUS } from './demand.ts'

let restock: Restock
let url: string

beforeAll(async () => {
  await readDemand('client')
  url = `${serverUrl()}/v1`
  restock = new Restock({ url, key: await aKey() })
})

describe('the typed client', () => {
  it('asks, decides, and gets refusals', async () => {
    const query = { sku: 'B2', location: 'L1', horizon: 14 }
    const forecast = await restock.get('/forecasts', { query })
    expect(forecast).toMatchObject({ sku: 'B2', horizon_days: 14, forecast: expect.any(Object) })

    const { data } = await restock.get('/proposals', {
      query: { status: ['pending', 'snoozed'], limit: 1 },
    })
    const [{ id, version }] = data as [(typeof data)[number]]
    const approved = await restock.call('post', '/proposals/{id}/approve', {
      path: { id },
      body: { expected_version: version },
      requestId: 'approval-1',
    })
    expect(approved).toMatchObject({
      ...{ data: { id, status: 'approved' }, status: 200, requestId: 'approval-1' },
    })

    await expect(restock.delete('/proposals/{id}', { path: { id } })).rejects.toMatchObject({
      ...{ status: 409, code: 'proposal_already_decided', requestId: expect.any(String) },
      error: { current_status: 'approved' },
    })

    const batch = await restock.post('/forecasts/batch', {
      body: { items: [{ sku: 'B2', location: 'L1' }] },
    })
    expect(batch.summary).toEqual({ requested: 1, succeeded: 1, failed: 0 })
  })

  it('does a POST once that is sent twice with one idempotency key', async () => {
    const body = { name: 'once', scopes: ['audit:read' as const] }
    const issue = () => restock.call('post', '/keys', { body, idempotencyKey: 'once-1' })
    const [first, second] = [await issue(), await issue()]
    expect(first.data.key).toMatch(/^rsk_/)
    expect(second.data).toMatchObject({ id: first.data.id })
    expect(second.data).not.toHaveProperty('key')
    expect(second.headers.get('idempotent-replayed')).toBe('true')
  })

  it('walks a list to its end', async () => {
    const skus = []
    for await (const { sku } of restock.list('/proposals', { query: { limit: 5 } })) skus.push(sku)
    expect(skus).toHaveLength(SKUS.length * 2)
    const events = []
    const { data } = await restock.get('/proposals', { query: { limit: 1 } })
    const path = { id: data[0]!.id }
    for await (const { event } of restock.list('/proposals/{id}/history', { path }))
      events.push(event)
    expect(events[0]).toBe('created')
  })

  it('throws where a list is refused', async () => {
    const stranger = new Restock({ url, key: 'rsk_unknown' })
    await expect(stranger.list('/proposals').next()).rejects.toBeInstanceOf(RestockError)
    await expect(stranger.list('/keys').next()).rejects.toMatchObject({
      ...{ status: 401, code: 'invalid_api_key', requestId: expect.any(String) },
    })
  })
})
