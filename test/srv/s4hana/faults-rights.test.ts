// Tokens, consents and secrets that end while a source is read.
import { type Erp, type ErpOptions, CLIENT, startErp } from '../../../sandbox/index.ts'
import { differencesButVanished } from '../../support/erp-truth.ts'
import { sync } from '../../support/server.ts'
import { someOf } from '../../support/some-of.ts'
import { errorOf, get, post } from '../v1/api.ts'
import { codesOf, connect, consent, leave, syncWith, type Way } from './source.ts'

let erp: Erp
const start = async (options: ErpOptions = {}) => {
  erp = await startErp({ size: 12, days: 8, consent: 'allow', ...options })
}

/** A source by each way in, which each test leaves whole and connected. */
const sources = new Map<Way, Awaited<ReturnType<typeof connect>>>()

/** A source that has been read, and a day of business since. */
async function readBefore(way: Way) {
  if (!sources.has(way)) {
    const connected = await connect(erp, way)
    expect(await sync(connected.source, 'full')).toMatchObject({ status: 'succeeded', issues: [] })
    sources.set(way, connected)
  }
  erp.control.advance(1)
  return sources.get(way)!
}

async function isHealed(source: number) {
  expect(await sync(source)).toMatchObject({ status: 'succeeded', issues: [] })
  expect(await differencesButVanished(source, erp)).toEqual([])
}

const tokenRequests = () => erp.log.filter(({ path }) => path.endsWith('/token')).length

describe('while a source is read', () => {
  beforeAll(() => start())
  afterAll(() => leave(erp))

  describe('a token that ends in the middle of a sync', () => {
    it.each<Way>(['authorization_code', 'client_credentials'])(
      'is got anew, once, and nothing is missing (%s)',
      async (way) => {
        const { source } = await readBefore(way)
        const before = tokenRequests()
        const expire = () => erp.control.expireTokens()
        const result = await syncWith(erp, source, expire, { mode: 'full' })
        expect(result).toMatchObject({ status: 'succeeded', issues: [] })
        expect(tokenRequests()).toBe(before + 1)
        expect(await differencesButVanished(source, erp)).toEqual([])
      },
    )

    it('is got anew without a new refresh token, too', async () => {
      const { source } = await readBefore('authorization_code')
      erp.control.set({ rotateRefresh: false })
      for (let times = 0; times < 2; times++) {
        const result = await syncWith(erp, source, () => erp.control.expireTokens())
        expect(result).toMatchObject({ status: 'succeeded', issues: [] })
      }
      erp.control.set({ rotateRefresh: true })
      expect(await differencesButVanished(source, erp)).toEqual([])
    })
  })

  describe('a consent that ends in the middle of a sync', () => {
    it.each([
      ['the refresh is refused', () => erp.control.set({ refreshRefused: true })],
      ['all tokens are revoked', () => erp.control.revokeTokens()],
    ])('fails it with reconsent_required, and a new one mends it: %s', async (_name, end) => {
      const { id, source } = await readBefore('authorization_code')
      const result = await syncWith(erp, source, () => {
        end()
        erp.control.expireTokens()
      })
      expect(result.status).toBe('failed')
      expect(new Set(Object.values(codesOf(result)))).toEqual(new Set(['reconsent_required']))
      expect((await get(`/sources/${id}`)).json).toMatchObject({
        ...{ status: 'reconsent_required', problem: { code: 'consent_ended' } },
      })
      expect(errorOf(await post(`/sources/${id}/sync`, { mode: 'full' })).code).toBe(
        'source_not_connected',
      )
      erp.control.set({ refreshRefused: false })
      const { json } = await post(`/sources/${id}/consent`)
      expect(await consent(json.authorization_url!)).toContain('Connected')
      await isHealed(source)
    })

    it('is not what a server means that is away for a moment: the sync goes on with the consent', async () => {
      const { id, source } = await readBefore('authorization_code')
      const result = await syncWith(erp, source, async () => {
        erp.control.expireTokens()
        await erp.control.restart(500)
      })
      expect(result.status).toBe('succeeded')
      expect((await get(`/sources/${id}`)).json.status).toBe('connected')
      expect(await differencesButVanished(source, erp)).toEqual([])
    })
  })

  it('a password that is changed in the middle of a sync is sent no more than once', async () => {
    const { id, source } = await readBefore('basic')
    const before = erp.log.length
    const result = await syncWith(erp, source, () => erp.control.set({ auth: [] }))
    expect(result.status).toBe('failed')
    expect(Object.values(codesOf(result))).toContain('reconsent_required')
    const refused = erp.log.slice(before).filter(({ status }) => status === 401)
    expect(refused.length).toBeGreaterThan(0)
    // Those under way when the first one was refused; a few wrong passwords lock a user.
    expect(refused.length).toBeLessThanOrEqual(2)
    expect((await get(`/sources/${id}`)).json.problem!.code).toBe('client_refused')
    erp.control.set({ auth: ['basic'] })
    const again = await post(`/sources/${id}/consent`, { client_secret: CLIENT.secret })
    expect(again.json.status).toBe('connected')
    await isHealed(source)
  })
})

describe('a user without the right to sales orders', () => {
  afterEach(() => leave(erp))

  it.each(someOf<Way>(['basic', 'authorization_code'], 2))(
    'is read all the same: %s',
    async (way) => {
      await start({ forbidden: ['API_SALES_ORDER_SRV'] })
      const { source } = await connect(erp, way)
      const result = await sync(source, 'full')
      expect(result).toMatchObject({
        status: 'partial',
        issues: [
          {
            ...{ code: 'forbidden', stream: 'customerOrders' },
            message: expect.stringContaining('backorders and large orders are missing in them'),
          },
        ],
      })
      const missing = await differencesButVanished(source, erp)
      expect(missing.length).toBeGreaterThan(0)
      expect(missing.filter((each) => !each.includes(': customer orders '))).toEqual([])
      erp.control.set({ forbidden: [] })
      await isHealed(source)
    },
  )

  it('is asked for none where the source leaves them out', async () => {
    await start({ forbidden: ['API_SALES_ORDER_SRV'] })
    const { source, json } = await connect(erp, 'basic', { sales_orders: 'false' })
    expect(json.needed_rights).not.toContain('API_SALES_ORDER_SRV')
    expect(await sync(source, 'full')).toMatchObject({ status: 'succeeded', issues: [] })
  })
})

describe('scopes of purchase orders', () => {
  const [v2, v4] = ['API_PURCHASEORDER_PROCESS_SRV_0001', 'API_PURCHASEORDER_2_0001']
  afterEach(() => leave(erp))

  const withV2: [Way, ErpOptions][] = [
    ['authorization_code', {}],
    ['authorization_code', { v4: false }],
    ['client_credentials', { v4: false }],
  ]

  it.each(someOf(withV2, 2))(
    'with auto a system with V2 is read by it: %s %j',
    async (way, options) => {
      await start(options)
      const { json, source, page } = await connect(erp, way)
      expect(page).not.toContain('Not connected')
      expect(json.needed_rights).toContain(v2)
      expect(json.needed_rights).not.toContain(v4)
      expect(await sync(source, 'full')).toMatchObject({ status: 'succeeded', issues: [] })
      expect(await differencesButVanished(source, erp)).toEqual([])
    },
  )

  it.each(someOf<Way>(['authorization_code', 'client_credentials'], 2))(
    'with v4 one without V2 is read by it: %s',
    async (way) => {
      await start({ v2: false })
      const { json, source } = await connect(erp, way, { purchase_orders: 'v4' })
      expect(json.needed_rights).toContain(v4)
      expect(await sync(source, 'full')).toMatchObject({ status: 'succeeded', issues: [] })
      expect(await differencesButVanished(source, erp)).toEqual([])
    },
  )

  it.each([{ v4: false }, { v2: false }])('a communication user reads either: %j', async (only) => {
    await start(only)
    const { source } = await connect(erp, 'basic')
    expect(await sync(source, 'full')).toMatchObject({ status: 'succeeded', issues: [] })
    expect(await differencesButVanished(source, erp)).toEqual([])
  })
})
