// The client against an API that fails in every way there is.
import { Restock, RestockError, type RestockOptions, type Retry } from '../../client/index.ts'
import { errorBody, type FakeApi, type Reply, startFakeApi } from '../cli/fake-api.ts'

let api: FakeApi
beforeEach(async () => {
  api = await startFakeApi()
})
afterEach(() => api.close())

const open = (options: RestockOptions = {}) =>
  new Restock({ url: api.url, key: 'rsk_1', ...options })
const refusal = (status: number, code: string, more: object = {}, seconds?: string): Reply => ({
  status,
  body: errorBody(code, 'No.', more),
  headers: seconds === undefined ? {} : { 'retry-after': seconds },
})
const EMPTY = { body: { data: [], next_cursor: null, has_more: false } }

describe('a call', () => {
  it('carries key, ids, query and body', async () => {
    api.on('POST /proposals/prop%2F1/approve', { body: { id: 'prop/1' } })
    const path = { id: 'prop/1' }
    await open().post('/proposals/{id}/approve', { path, body: { quantity: 5 } })
    api.on('GET /proposals', EMPTY)
    const query = { status: ['pending' as const, 'snoozed' as const], sku: undefined, limit: 5 }
    await open().get('/proposals', { query, requestId: 'mine-1' })
    const [post, get] = api.received
    expect(post).toMatchObject({
      body: { quantity: 5 },
      headers: { authorization: 'Bearer rsk_1' },
    })
    expect(get!.query.toString()).toBe('status=pending&status=snoozed&limit=5')
    expect(get!.headers).toMatchObject({ 'x-request-id': 'mine-1' })
    expect(get!.headers).not.toHaveProperty('idempotency-key')
  })

  it('gives the body as it came, and nothing for 204', async () => {
    api.on('GET /proposals/export', { body: 'sku\nA\n', headers: { 'content-type': 'text/csv' } })
    api.on('DELETE /keys/k1', { status: 204, headers: { 'x-request-id': 'r-1' } })
    expect((await open().call('get', '/proposals/export')).text).toBe('sku\nA\n')
    const gone = await open().call('delete', '/keys/{id}', { path: { id: 'k1' } })
    expect(gone).toMatchObject({ data: undefined, status: 204, requestId: 'r-1' })
  })
})

describe('a refusal', () => {
  it('is an error with all that the API says', async () => {
    const details = [{ code: 'nearest_quantity', message: '48', target: 'quantity' }]
    const more = { target: 'quantity', details, current_status: 'pending' }
    api.on('POST /proposals/p/approve', refusal(422, 'quantity_not_orderable', more))
    const failure: unknown = await open()
      .post('/proposals/{id}/approve', { path: { id: 'p' } })
      .catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(RestockError)
    expect(failure).toMatchObject({
      ...{
        status: 422,
        code: 'quantity_not_orderable',
        message: 'No.',
        target: 'quantity',
        details,
      },
      ...{ requestId: 'req-1', error: { current_status: 'pending' } },
    })
  })

  it.each([
    ['a page of another server', { body: '<p>', headers: { 'content-type': 'text/html' } }, 200],
    ['JSON that is none', { body: '{' }, 200],
    ['an error of a proxy', { status: 502, body: '<p>Bad gateway' }, 502],
    ['a redirect', { status: 302, headers: { location: '/v1/keys' } }, 302],
  ])('is told apart from %s', async (_, reply, status) => {
    api.on('GET /sources', reply)
    const call = open().get('/sources')
    await expect(call).rejects.toMatchObject({ code: 'unexpected_answer', status, error: null })
    expect(api.received).toHaveLength(1)
  })

  it('is distinguished from no server at all', async () => {
    const call = open({ url: 'http://127.0.0.1:1/v1', retries: 0 }).get('/sources')
    await expect(call).rejects.toMatchObject({ code: 'unreachable', status: null })
  })
})

describe('a call is tried again', () => {
  it.each([
    [429, 'rate_limited'],
    [503, 'forecast_not_ready'],
  ])('after %i, as long as it says, with the same idempotency key', async (status, code) => {
    api.on('POST /sources/src_1/sync', [refusal(status, code, {}, '0'), { status: 202, body: {} }])
    const retries: Retry[] = []
    const restock = open({ onRetry: (retry) => void retries.push(retry) })
    await restock.post('/sources/{id}/sync', { path: { id: 'src_1' }, body: { mode: 'full' } })
    expect(retries).toMatchObject([{ error: { code }, seconds: 0, attempt: 1 }])
    const [first, second] = api.received.map(({ headers }) => headers['idempotency-key'])
    expect(first).toMatch(/^[\w-]{36}$/)
    expect(second).toBe(first)
  })

  it('a bounded number of times, and not over minutes', async () => {
    api.on('GET /sources', refusal(429, 'rate_limited', {}, '0'))
    await expect(open({ retries: 2 }).get('/sources')).rejects.toMatchObject({ status: 429 })
    expect(api.received).toHaveLength(3)
    api.on('GET /keys', refusal(429, 'rate_limited', {}, '3600'))
    await expect(open().get('/keys')).rejects.toMatchObject({ retryAfter: 3600 })
    expect(api.received).toHaveLength(4)
  })

  it('after a broken connection, but for a DELETE', async () => {
    let calls = 0
    const broken: typeof fetch = async () => {
      calls += 1
      throw new TypeError('fetch failed')
    }
    const restock = open({ fetch: broken, retries: 1 })
    await expect(restock.get('/sources')).rejects.toMatchObject({ code: 'unreachable' })
    expect(calls).toBe(2)
    const path = { id: 'k1' }
    await expect(restock.delete('/keys/{id}', { path })).rejects.toBeInstanceOf(RestockError)
    expect(calls).toBe(3)
  })

  it('only where the caller says so', async () => {
    api.on('GET /sources', refusal(429, 'rate_limited', {}, '0'))
    const restock = open({ shouldRetry: () => false })
    await expect(restock.get('/sources')).rejects.toMatchObject({ status: 429 })
    expect(api.received).toHaveLength(1)
  })
})

describe('a call ends', () => {
  const silent: typeof fetch = (_, init) =>
    new Promise((_resolve, reject) => {
      init!.signal!.addEventListener('abort', () => reject(init!.signal!.reason))
    })

  it('when its time is up', async () => {
    const call = open({ fetch: silent }).get('/sources', { timeout: 20 })
    await expect(call).rejects.toMatchObject({ code: 'timed_out', status: null })
  })

  it('when it is aborted, also while it waits', async () => {
    const now = AbortSignal.abort(new Error('enough'))
    await expect(open().get('/sources', { signal: now })).rejects.toThrow('enough')
    api.on('GET /sources', refusal(429, 'rate_limited', {}, '60'))
    const abort = new AbortController()
    const restock = open({ onRetry: () => abort.abort(new Error('changed my mind')) })
    const waiting = restock.get('/sources', { signal: abort.signal })
    await expect(waiting).rejects.toThrow('changed my mind')
  })
})

describe('a list', () => {
  it('is walked page by page, with its query', async () => {
    api.on('GET /proposals', ({ query }) => {
      const isFirst = !query.has('cursor')
      const data = [{ id: isFirst ? 'a' : 'b' }]
      return { body: { data, next_cursor: isFirst ? 'c1' : null, has_more: isFirst } }
    })
    const ids: string[] = []
    for await (const { id } of open().list('/proposals', { query: { sku: 'A' } })) ids.push(id)
    expect(ids).toEqual(['a', 'b'])
    expect(api.received.map(({ query }) => query.toString())).toEqual(['sku=A', 'sku=A&cursor=c1'])
  })

  it('goes on where an earlier walk ended', async () => {
    api.on('GET /events', { body: { data: [], next_cursor: 'e9', has_more: false } })
    for await (const page of open().pages('/events', { query: { cursor: 'e7' } })) {
      expect(page.next_cursor).toBe('e9')
    }
    expect(api.received).toHaveLength(1)
    expect(api.received[0]!.query.get('cursor')).toBe('e7')
  })
})
