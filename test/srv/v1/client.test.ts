import { createRestock, type Restock, RestockError, rowsOf } from '../../../client/index.ts'
import { server } from '../../support/server.ts'
import { aKey } from './api.ts'
import { readDemand, SKUS } from './demand.ts'

let restock: Restock
let url: string

beforeAll(async () => {
  await readDemand('client')
  url = `${(server as unknown as { url: string }).url}/v1`
  restock = createRestock({ url, key: await aKey() })
})

describe('the typed client', () => {
  it('asks, decides, and is told of refusals', async () => {
    const query = { sku: 'B2', location: 'L1', horizon: 14 }
    const { data: forecast } = await restock.GET('/forecasts', { params: { query } })
    expect(forecast).toMatchObject({ sku: 'B2', horizon_days: 14, forecast: expect.any(Object) })

    const listed = await restock.GET('/proposals', {
      params: { query: { status: ['pending', 'snoozed'], limit: 1 } },
    })
    const path = { id: listed.data!.data[0]!.id }
    const approved = await restock.POST('/proposals/{id}/approve', { params: { path } })
    expect(approved.data).toMatchObject({ ...path, status: 'approved' })

    const refused = await restock.DELETE('/proposals/{id}', { params: { path } })
    expect(refused.response.status).toBe(409)
    expect(refused.error).toMatchObject({ error: { code: 'proposal_already_decided' } })

    const { data: batch } = await restock.POST('/forecasts/batch', {
      body: { items: [{ sku: 'B2', location: 'L1' }] },
    })
    expect(batch!.summary).toEqual({ requested: 1, succeeded: 1, failed: 0 })
  })

  it('walks a list to its end', async () => {
    const skus = []
    for await (const { sku } of rowsOf(restock, '/proposals', { query: { limit: 5 } }))
      skus.push(sku)
    expect(skus).toHaveLength(SKUS.length * 2)
    const events = []
    const { data } = await restock.GET('/proposals', { params: { query: { limit: 1 } } })
    const id = data!.data[0]!.id
    for await (const { event } of rowsOf(restock, '/proposals/{id}/history', { id }))
      events.push(event)
    expect(events[0]).toBe('created')
  })

  it('throws where a list is refused', async () => {
    const stranger = createRestock({ url, key: 'rsk_unknown' })
    const rows = rowsOf(stranger, '/proposals')
    await expect(rows.next()).rejects.toBeInstanceOf(RestockError)
    await expect(rowsOf(stranger, '/keys').next()).rejects.toMatchObject({
      ...{ status: 401, code: 'invalid_api_key', requestId: expect.any(String) },
    })
  })

  it('waits where a limit says how long, a bounded number of times', async () => {
    const sent: (string | null)[] = []
    const limited = (tries: number): typeof fetch => {
      return async (request) => {
        const call = request as Request
        sent.push(call.headers.get('authorization'), await call.text())
        return sent.length / 2 < tries
          ? Response.json({}, { status: 429, headers: { 'Retry-After': '0' } })
          : Response.json({ id: 'sync_1' }, { status: 202 })
      }
    }
    const start = (fetch: typeof globalThis.fetch) =>
      createRestock({ url, key: 'k', fetch }).POST('/sources/{id}/sync', {
        params: { path: { id: 'src_1' } },
        body: { mode: 'full' },
      })
    expect((await start(limited(3))).response.status).toBe(202)
    expect(sent).toEqual(Array(3).fill(['Bearer k', '{"mode":"full"}']).flat())
    sent.length = 0
    expect((await start(limited(99))).response.status).toBe(429)
    expect(sent).toHaveLength(4 * 2)
  })
})
