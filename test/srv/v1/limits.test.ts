process.env.RESTOCK_RATE_LIMIT = 'on'
const { aKey, errorOf, get, post } = await import('./api.ts')

const limitOf = ({ headers }: { headers: Headers }) => [
  Number(headers.get('x-ratelimit-limit')),
  Number(headers.get('x-ratelimit-remaining')),
]

describe('the limits of /v1', () => {
  it('count refusals of every kind, and stop exactly at the limit', async () => {
    const key = await aKey({ scopes: ['forecasts:read'] })
    const calls = [
      () => post('/forecasts/batch', { items: [{ sku: 'a', location: 'b' }] }, { key }),
      () => post('/forecasts/batch', { items: [] }, { key }),
      () => get('/forecasts/batch', { key }),
      () =>
        post('/forecasts/batch', undefined, { key, raw: 'x', headers: { 'Content-Type': 'x' } }),
      () => post('/forecasts/batch', { x: 'a'.repeat(1_100_000) }, { key }),
    ]
    const seen = []
    for (let count = 0; count < 20; count++) {
      const answer = await calls[count % calls.length]!()
      expect(limitOf(answer)).toEqual([20, 19 - count])
      seen.push(answer.status)
    }
    expect(seen.slice(0, 5)).toEqual([200, 400, 405, 415, 413])
    const before = Date.now() / 1000
    const answer = await calls[0]!()
    expect(errorOf(answer)).toEqual({ status: 429, code: 'rate_limited' })
    expect(limitOf(answer)).toEqual([20, 0])
    const wait = Number(answer.headers.get('retry-after'))
    expect(Number.isInteger(wait) && wait >= 1 && wait <= 60).toBe(true)
    const reset = Number(answer.headers.get('x-ratelimit-reset'))
    // Both are whole seconds, rounded up.
    expect(reset).toBeGreaterThan(before + wait - 1)
    expect(reset).toBeLessThan(Date.now() / 1000 + wait + 1)
  })

  it('hold for a key without the scope as well', async () => {
    const key = await aKey({ scopes: ['keys:manage'] })
    const statuses = []
    for (let count = 0; count < 22; count++)
      statuses.push((await post('/forecasts/batch', {}, { key })).status)
    expect(statuses).toEqual([...Array<number>(20).fill(403), 429, 429])
  })

  it('count calls without a valid key by address, and do not touch those with one', async () => {
    const key = await aKey()
    const strangers = await Promise.all(
      Array.from({ length: 130 }, () => get('/keys', { key: 'rsk_wrong' })),
    )
    const statuses = strangers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 401)).toHaveLength(120)
    expect(statuses.filter((status) => status === 429)).toHaveLength(10)
    expect((await get('/keys', { key })).status).toBe(200)
  })
})
