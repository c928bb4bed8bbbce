import { inspect } from 'node:util'
import cds from '@sap/cds'
import { aKey, call, del, errorOf, get, post } from './api.ts'
import { parseJson } from '../../support/json.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/

describe('every answer of /v1', () => {
  it('carries a request id, the caller’s where it is one', async () => {
    const given = { 'X-Request-Id': 'order:4711.a_b-c' }
    expect((await get('/keys', { headers: given })).headers.get('x-request-id')).toBe(
      'order:4711.a_b-c',
    )
    for (const bad of ['a b', 'ä'.repeat(3), 'x'.repeat(129), '<script>']) {
      const headers = { 'X-Request-Id': Buffer.from(bad).toString('latin1') }
      const { headers: answered } = await get('/keys', { headers })
      expect(answered.get('x-request-id')).toMatch(UUID)
    }
  })

  it('shows where the caller stands', async () => {
    const { headers } = await get('/nowhere')
    const now = Date.now() / 1000
    expect(headers.get('x-ratelimit-limit')).toBe('120')
    expect(Number(headers.get('x-ratelimit-remaining'))).toBeLessThan(120)
    expect(Number(headers.get('x-ratelimit-reset'))).toBeGreaterThanOrEqual(Math.floor(now))
    expect(Number(headers.get('x-ratelimit-reset'))).toBeLessThanOrEqual(now + 62)
  })

  it('goes on counting where the limits are lifted for development', async () => {
    const key = await aKey()
    const call = () => post('/forecasts/batch', {}, { key })
    const answers = await Promise.all(Array.from({ length: 25 }, call))
    expect(answers.map(({ status }) => status)).toEqual(Array(25).fill(400))
    expect((await call()).headers.get('x-ratelimit-remaining')).toBe('0')
  })

  it('is not to be cached and names no software', async () => {
    const { headers } = await get('/keys')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.has('x-powered-by')).toBe(false)
  })
})

describe('the key', () => {
  it.each([
    ['is missing', {}],
    ['is no bearer token', { Authorization: 'Basic YTpi' }],
    ['is malformed', { Authorization: 'Bearer rsk_x' }],
    ['is unknown', { Authorization: `Bearer rsk_${'0'.repeat(16)}_${'a'.repeat(43)}` }],
  ])('that %s is 401', async (_, headers) => {
    const answer = await get('/forecasts?sku=a&location=b', { key: null, headers: { ...headers } })
    expect(errorOf(answer)).toEqual({ status: 401, code: 'invalid_api_key' })
    expect(answer.headers.get('www-authenticate')).toBe('Bearer')
    expect(answer.headers.get('x-ratelimit-limit')).toBe('120')
  })

  it('with the id of one key and the secret of another is 401', async () => {
    const [a, b] = [(await aKey()).split('_'), (await aKey()).split('_')]
    const mixed = ['rsk', a[1], ...b.slice(2)].join('_')
    expect(errorOf(await get('/keys', { key: mixed })).code).toBe('invalid_api_key')
  })

  it('that has expired is 401 with a code of its own', async () => {
    const key = await aKey({ expiresAt: new Date(Date.now() - 1000).toISOString() })
    const answer = await get('/keys', { key })
    expect(errorOf(answer)).toEqual({ status: 401, code: 'expired_api_key' })
    expect(answer.headers.get('www-authenticate')).toBe('Bearer')
  })

  it('is asked for before the path is looked at', async () => {
    expect((await get('/nowhere', { key: null })).status).toBe(401)
    expect((await call('PATCH', '/keys', { key: null })).status).toBe(401)
  })

  it('opens what its scopes open', async () => {
    const key = await aKey({ scopes: ['proposals:decide'] })
    for (const [method, path] of [
      ['GET', '/forecasts?sku=a&location=b'],
      ['POST', '/forecasts/batch'],
      ['GET', '/proposals'],
      ['GET', '/proposals/prop_1'],
      ['GET', '/proposals/prop_1/history'],
      ['GET', '/proposals/export'],
      ['GET', '/proposals/blocked'],
      ['GET', '/keys'],
      ['GET', '/sources'],
      ['GET', '/sources/src_1/syncs'],
      ['POST', '/sources/src_1/sync'],
      ['GET', '/syncs/sync_1'],
    ] as const) {
      const answer = await call(method, path, { key })
      expect([path, errorOf(answer)]).toEqual([path, { status: 403, code: 'insufficient_scope' }])
    }
    expect((await post('/proposals/prop_999999/approve', {}, { key })).status).toBe(404)
  })
})

describe('the path', () => {
  it('that nobody knows is 404', async () => {
    for (const path of ['/nowhere', '/', '/Forecasts', '/keys/', '/forecasts/batch/x', '/%ZZ']) {
      expect([path, errorOf(await get(path))]).toEqual([path, { status: 404, code: 'not_found' }])
    }
  })

  it('with another method is 405 and says which it takes', async () => {
    const answer = await call('PUT', '/proposals/prop_1', { body: {} })
    expect(errorOf(answer)).toEqual({ status: 405, code: 'method_not_allowed' })
    const allowed = answer.headers.get('allow')!.split(', ')
    expect(new Set(allowed)).toEqual(new Set(['GET', 'HEAD', 'DELETE']))
    expect((await get('/forecasts/batch')).headers.get('allow')).toBe('POST')
    expect((await del('/proposals/blocked')).headers.get('allow')).toBe('HEAD, GET')
  })
})

describe('the body', () => {
  const json = { 'Content-Type': 'application/json' }

  it.each([
    ['broken', '{"items":'],
    ['a list', '[]'],
    ['null', 'null'],
    ['text', '"x"'],
    ['nothing at all', ''],
  ])('that is %s is an invalid request', async (_, raw) => {
    const answer = await call('POST', '/forecasts/batch', { raw, headers: json })
    expect(errorOf(answer)).toEqual({ status: 400, code: 'invalid_request' })
  })

  it('that is no UTF-8 is an invalid request', async () => {
    const raw = new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])
    const answer = await call('POST', '/forecasts/batch', { raw, headers: json })
    expect(errorOf(answer)).toEqual({ status: 400, code: 'invalid_request' })
  })

  it.each(['text/plain', 'application/xml', 'application/json; charset=utf-16', 'json'])(
    'of the type %s is 415',
    async (type) => {
      const headers = { 'Content-Type': type }
      const answer = await call('POST', '/forecasts/batch', { raw: '{}', headers })
      expect(errorOf(answer)).toEqual({ status: 415, code: 'unsupported_media_type' })
    },
  )

  it('may have 1,048,576 bytes and no more', async () => {
    const items = `{"items":[],"x":"`
    const fill = (size: number) => `${items}${'a'.repeat(size - items.length - 2)}"}`
    const at = (size: number) =>
      call('POST', '/forecasts/batch', { raw: fill(size), headers: json })
    expect(errorOf(await at(1_048_576)).status).toBe(400)
    expect(errorOf(await at(1_048_577))).toEqual({ status: 413, code: 'payload_too_large' })
  })

  it.each([
    ['{"name":"a","name":"b","scopes":["keys:manage"]}', 'name'],
    ['{"name":"a","scopes":["keys:manage"],"n\\u0061me":"b"}', 'name'],
    ['{"name":"a","scopes":["keys:manage"],"x":[{"y":{}},{"y":{"z":1,"z":1}}]}', 'x.y.z'],
  ])('names no field twice: %s', async (raw, target) => {
    const answer = await call('POST', '/keys', { raw, headers: json })
    expect(errorOf(answer)).toEqual({ status: 400, code: 'invalid_parameter', target })
  })

  it('that looks like fields named twice within a text is fine', async () => {
    const name = '{"a":1,"a":2}, \\"a": \\'
    const { status, json } = await post('/keys', { name, scopes: ['forecasts:read'] })
    expect([status, json.name]).toEqual([201, name])
  })

  it('is not ignored where a method takes none', async () => {
    const { json: key } = await post('/keys', { name: 'n', scopes: ['forecasts:read'] })
    const answer = await call('DELETE', `/keys/${key.id}`, { body: { reason: 'lost' } })
    expect(errorOf(answer)).toEqual({ status: 400, code: 'invalid_request' })
    expect((await call('DELETE', '/keys/0000000000000000', { body: {} })).status).toBe(404)
    expect((await call('DELETE', `/keys/${key.id}`, { headers: json })).status).toBe(204)
  })

  it('takes no unknown, missing or foreign field', async () => {
    const snooze = (body: unknown) => post('/keys', body)
    const good = { name: 'n', scopes: ['forecasts:read'] }
    for (const [body, target] of [
      [{ ...good, colour: 1 }, 'colour'],
      [{ scopes: good.scopes }, 'name'],
      [{ ...good, name: 5 }, 'name'],
      [{ ...good, name: 'a\u0000b' }, 'name'],
      [{ ...good, scopes: ['everything'] }, 'scopes'],
      [{ ...good, scopes: [] }, 'scopes'],
      [parseJson<object>('{"name":"n","scopes":["forecasts:read"],"__proto__":1}'), '__proto__'],
    ] as const) {
      expect(errorOf(await snooze(body))).toEqual({
        ...{ status: 400, code: 'invalid_parameter', target },
      })
    }
  })
})

describe('the query', () => {
  it.each([
    ['/proposals?colour=red', 'colour'],
    ['/proposals?__proto__=1', '__proto__'],
    ['/proposals?sku=a&sku=b', 'sku'],
    ['/proposals?limit=10&limit=10', 'limit'],
    ['/proposals?limit=0', 'limit'],
    ['/proposals?limit=201', 'limit'],
    ['/proposals?limit=1e2', 'limit'],
    ['/proposals?sku=', 'sku'],
    ['/proposals?status=maybe', 'status'],
    ['/proposals?status=pending&status=maybe', 'status'],
    ['/proposals?sort=price', 'sort'],
    ['/proposals?min_value=-1', 'min_value'],
    ['/proposals?min_value=1,5', 'min_value'],
    ['/proposals?order_by_until=2026-13-01', 'order_by_until'],
    ['/proposals?order_by_until=today', 'order_by_until'],
    ['/proposals?updated_since=2026-11-20', 'updated_since'],
    ['/proposals?updated_since=2026-02-30T00:00:00Z', 'updated_since'],
    ['/forecasts?sku=a&location=b&include_drivers=1', 'include_drivers'],
    ['/forecasts?sku=a&location=b&include_drivers=TRUE', 'include_drivers'],
    ['/forecasts?sku=a%00&location=b', 'sku'],
    ['/forecasts?location=b', 'sku'],
    ['/keys?x=1', 'x'],
    ['/reports/value?from=0000-01-01&to=0000-01-02', 'from'],
  ])('%s is refused', async (path, target) => {
    expect(errorOf(await get(path))).toEqual({ status: 400, code: 'invalid_parameter', target })
  })

  it.each([
    ['/forecasts?sku=A&location=L&horizon=91', 'horizon: must be at most 90'],
    ['/proposals?limit=0', 'limit: must be at least 1'],
    ['/proposals?sort=size', /^sort: must be one of -created_at, /],
    ['/proposals?sku=', 'sku: must not be empty'],
    ['/proposals?sort=urgency&sort=-value', 'sort: must be a single value'],
    ['/reports/months?from=', 'from: must be a month as YYYY-MM'],
  ])('is told in a plain sentence, once for a value: %s', async (path, message) => {
    const { error } = (await get(path)).json as { error: { message: string; details?: unknown } }
    expect(error.message).toMatch(message)
    expect(error.details).toBeUndefined()
  })

  it('gets all its faults', async () => {
    const { error } = await get('/proposals?colour=red&limit=0')
    const targets = error?.details?.map(({ target }) => target)
    expect(targets).toEqual(['limit', 'colour'])
  })
})

describe('an error', () => {
  it('is a problem of RFC 9457 where the caller asks for one', async () => {
    const headers = { Accept: 'application/json, application/problem+json' }
    const answer = await get('/proposals?limit=0', { headers })
    expect(answer.headers.get('content-type')).toBe('application/problem+json')
    expect(answer.json).toMatchObject({
      ...{ type: 'about:blank', title: 'Bad Request', status: 400 },
      ...{ code: 'invalid_parameter', target: 'limit' },
      ...{ request_id: answer.headers.get('x-request-id'), detail: expect.any(String) },
    })
  })

  it('of our own shows nothing of the inside, and stands in the log with its request id', async () => {
    const { handlers } = cds.db as unknown as { handlers: { on: unknown[] } }
    cds.db.prepend(() =>
      cds.db.on('READ', 'restock.Proposals', () => {
        throw new Error('SELECT secret FROM /var/lib/restock')
      }),
    )
    const log = cds.log('v1')
    const { error } = log
    let logged = ''
    log.error = (...args: unknown[]) => (logged = inspect(args, { depth: 9 }))
    try {
      const key = await aKey()
      const answer = await get('/proposals', { key })
      expect(errorOf(answer)).toEqual({ status: 500, code: 'internal_error' })
      expect(answer.text).not.toMatch(/SELECT|var|Error|\.ts/)
      expect(logged).toContain(answer.error?.request_id)
      expect(logged).toContain('SELECT secret')
      expect(logged).not.toContain(key)
    } finally {
      handlers.on.shift()
      log.error = error
    }
  })
})

describe('GET /openapi.json', () => {
  it('needs no key, counts for the address, and names every path', async () => {
    const { status, headers, text } = await get('/openapi.json', { key: null })
    const json = JSON.parse(text) as { openapi: string; paths: object }
    expect(status).toBe(200)
    expect(headers.get('x-ratelimit-limit')).toBe('120')
    expect(Number(headers.get('x-ratelimit-remaining'))).toBeLessThan(120)
    expect(json.openapi).toBe('3.1.0')
    expect(Object.keys(json.paths)).toEqual(
      expect.arrayContaining(['/forecasts', '/proposals/{id}/approve', '/keys', '/syncs/{id}']),
    )
    const references = JSON.stringify(json).match(/"#\/components\/[^"]+"/g)!
    for (const reference of new Set(references)) {
      const steps = reference.slice(3, -1).split('/')
      const step = (value: unknown, name: string) => (value as Record<string, unknown>)?.[name]
      expect(steps.reduce(step, json)).toBeDefined()
    }
    expect((await post('/openapi.json', {}, { key: null })).status).toBe(405)
  })
})
