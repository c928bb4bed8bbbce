// The commands that show or issue one thing: forecasts, sources, keys.
import { restockHere } from './run.ts'
import { KEY, withApi } from './setup.ts'

const bench = withApi()
const list = (data: object[]) => ({ body: { data, next_cursor: null, has_more: false } })

describe('forecasts get', () => {
  const body = {
    sku: 'A-100',
    location: 'L1',
    horizon_days: 28,
    forecast: { p10: 31, p50: 44, p90: 61 },
    confidence: 'high',
    drivers: ['weekly_seasonality', 'trend_up'],
    driver_amounts: [
      { driver: 'level', amount: 46 },
      { driver: 'weekly_seasonality', amount: -2 },
    ],
    as_of: '2026-11-20',
  }

  it('shows the range and the drivers', async () => {
    bench.api.on('GET /forecasts', { body })
    const args = ['A-100', 'L1', '--horizon', '28', '--drivers']
    const { code, stdout } = await bench.run('forecasts', 'get', ...args)
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout:
        'A-100 at L1, 28 days from 2026-11-20\n' +
        'P50 44 (P10 31, P90 61), confidence high\n' +
        'Drivers: weekly_seasonality, trend_up\n' +
        'P50 44 = 46 level - 2 weekly_seasonality\n',
    })
    expect(Object.fromEntries(bench.api.received[0]?.query ?? [])).toEqual({
      sku: 'A-100',
      location: 'L1',
      horizon: '28',
      include_drivers: 'true',
    })
  })

  it('says on how many days there was nothing to sell', async () => {
    bench.api.on('GET /forecasts', { body: { ...body, censored_share: 0.058 } })
    const { stdout } = await bench.run('forecasts', 'get', 'A-100', 'L1')
    expect(stdout).toContain("Without stock on 6 % of the past year's days")
  })

  it('says which data are missing', async () => {
    const missing_data = [{ code: 'demand_history', days: 34, message: 'demand of 34 more days' }]
    bench.api.on('GET /forecasts', { body: { ...body, confidence: 'low', missing_data } })
    const { stdout } = await bench.run('forecasts', 'get', 'A-100', 'L1')
    expect(stdout).toContain('confidence low\nMissing: demand of 34 more days\n')
  })

  it('asks for a code exactly as it is written', async () => {
    bench.api.on('GET /forecasts', { body })
    const sku = '"; DROP TABLE + 100% 🍝 ../../x'
    expect((await bench.run('forecasts', 'get', sku, '007', '--json')).code).toBe(0)
    expect(bench.api.received[0]?.query.get('sku')).toBe(sku)
    expect(bench.api.received[0]?.query.get('location')).toBe('007')
  })

  it.each(['0', '91', '7.5', 'week'])('is wrong usage with a horizon of %s', async (horizon) => {
    const { code } = await bench.run('forecasts', 'get', 'A', 'L', '--horizon', horizon)
    expect(code).toBe(2)
  })
})

describe('sources list', () => {
  it('shows state and age of each source', async () => {
    const last_sync = { id: 'sync_7', status: 'partial', finished_at: '2026-11-20T03:00:12Z' }
    const source = { id: 'src_1', type: 'csv', account: 'demo', role: 'reader', last_sync }
    bench.api.on(
      'GET /sources',
      list([{ ...source, status: 'connected', data_as_of: '2026-11-20' }]),
    )
    const { code, stdout } = await bench.run('sources', 'list')
    expect(code).toBe(0)
    expect(stdout).toMatch(/src_1\s+csv\s+demo\s+reader\s+connected\s+sync_7\s+partial/)
  })
})

describe('keys', () => {
  const issued = { id: 'k1', key: 'rsk_k1_s', expires_at: '2027-05-20T00:00:00Z' }

  it('create prints the key alone, so that it can be piped', async () => {
    bench.api.on('POST /keys', { status: 201, body: issued })
    const scopes = ['--scopes', 'proposals:read,proposals:decide']
    const limit = ['--max-order-value', '5000.00', '--currency', 'USD']
    const more = ['--acts-as', 'buyer', ...limit, '--expires-in-days', '30']
    const { code, stdout, stderr } = await bench.run(
      'keys',
      'create',
      '--name',
      'd',
      ...scopes,
      ...more,
    )
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'rsk_k1_s\n' })
    expect(stderr).toContain('only once')
    expect(bench.api.received[0]?.body).toEqual({
      name: 'd',
      scopes: ['proposals:read', 'proposals:decide'],
      acts_as: 'buyer',
      max_order_value: '5000.00',
      currency: 'USD',
      expires_in_days: 30,
    })
  })

  it('create needs a name and scopes', async () => {
    expect((await bench.run('keys', 'create', '--name', 'd')).code).toBe(2)
  })

  it('create says who must confirm a key that decides', async () => {
    const pending = { ...issued, status: 'pending_confirmation', acts_as: 'buyer' }
    bench.api.on('POST /keys', { status: 201, body: pending })
    const wish = ['--name', 'd', '--scopes', 'proposals:decide', '--acts-as', 'buyer']
    const { stdout, stderr } = await bench.run('keys', 'create', ...wish)
    expect(stdout).toBe('rsk_k1_s\n')
    expect(stderr).toContain('once buyer has confirmed it')
    expect(stderr).toContain('restock keys confirm k1')
  })

  it('create takes a year at most', async () => {
    const wish = ['--name', 'd', '--scopes', 'sync:run', '--expires-in-days', '366']
    expect((await bench.run('keys', 'create', ...wish)).code).toBe(2)
  })

  describe('confirm', () => {
    const path = 'POST /odata/v4/buyer/confirmKey'
    const pending = { id: 'k1', name: 'd', status: 'pending_confirmation', acts_as: 'buyer' }
    const authorizations = () =>
      bench.api.received
        .filter(({ path: called }) => called.endsWith('confirmKey'))
        .map(({ headers }) => headers.authorization)
    const basic = (name: string) => `Basic ${Buffer.from(`${name}:${name}`).toString('base64')}`

    it('is done on this machine as the mocked user whom the key acts as', async () => {
      bench.api.on('GET /keys', list([pending]))
      bench.api.on(path, { body: { ...pending, status: 'active' } })
      expect(await bench.run('keys', 'confirm', 'k1')).toMatchObject({
        ...{ code: 0, stdout: 'Confirmed k1.\n' },
      })
      expect(bench.api.received.at(-1)?.body).toEqual({ id: 'k1' })
      expect((await bench.run('keys', 'confirm', 'k1', '--user', 'anna')).code).toBe(0)
      expect(authorizations()).toEqual([basic('buyer'), basic('anna')])
    })

    it('takes the token of a sign-in, and never the key', async () => {
      bench.api.on(path, { body: pending })
      const env = { RESTOCK_URL: bench.api.url, RESTOCK_API_KEY: KEY, RESTOCK_USER_TOKEN: 'mine' }
      const { stdout } = await restockHere(['keys', 'confirm', 'k1', '--json'], env)
      expect(JSON.parse(stdout)).toEqual(pending)
      expect(authorizations()).toEqual(['Bearer mine'])
      const elsewhere = { RESTOCK_URL: 'https://restock.example.com/v1', RESTOCK_API_KEY: KEY }
      const { code, stderr } = await restockHere(['keys', 'confirm', 'k1'], elsewhere)
      expect(code).toBe(1)
      expect(stderr).toContain('RESTOCK_USER_TOKEN')
    })

    it('says why not', async () => {
      bench.api.on('GET /keys', list([pending]))
      bench.api.on(path, { status: 404, body: { error: { code: 'not_found', message: 'No.' } } })
      const refused = await bench.run('keys', 'confirm', 'k1')
      expect([refused.code, refused.stderr]).toEqual([1, 'error: The key is not confirmed: No.\n'])
      bench.api.on(path, { status: 401, body: 'Unauthorized' })
      expect((await bench.run('keys', 'confirm', 'k1')).stderr).toContain('RESTOCK_USER_TOKEN')
      expect((await bench.run('keys', 'confirm', 'k2')).code).toBe(2)
    })
  })

  it('list, revoke and rotate', async () => {
    bench.api.on('GET /keys', list([{ id: 'k1', name: 'd', scopes: ['forecasts:read'] }]))
    bench.api.on('DELETE /keys/k1', { status: 204 })
    bench.api.on('POST /keys/k1/rotate', { body: { ...issued, old_key_expires_at: 'tomorrow' } })
    expect((await bench.run('keys', 'list')).stdout).toMatch(/k1\s+d\s.*forecasts:read/)
    expect((await bench.run('keys', 'revoke', 'k1')).stdout).toBe('Revoked k1.\n')
    expect((await bench.run('keys', 'revoke', 'k1', '--json')).stdout).toBe('{}\n')
    const rotated = await bench.run('keys', 'rotate', 'k1')
    expect(rotated.stdout).toBe('rsk_k1_s\n')
    expect(rotated.stderr).toContain('ends at tomorrow')
  })
})
