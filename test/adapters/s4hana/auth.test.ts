import type { Connection } from '../../../adapters/adapter.ts'
import { Fatal } from '../../../adapters/errors.ts'
import { SCOPES, startErp } from '../../../sandbox/index.ts'
import { adapter, connectionTo, Copy, differences, startSmallErp } from './support.ts'

const connection = (options: Record<string, unknown>, account = 'erp.example.com'): Connection => ({
  ...{ account, role: 'Z_READ', baseUrl: null, options, credentials: null },
})

describe('how a source is authorised', () => {
  it('asks a person for just the scopes of what is read', () => {
    const plan = adapter.auth(connection({ purchase_orders: 'v4' }))
    expect(plan).toEqual({
      kind: 'authorization_code',
      authorizationEndpoint: 'https://erp.example.com/sap/bc/sec/oauth2/authorize',
      tokenEndpoint: 'https://erp.example.com/sap/bc/sec/oauth2/token',
      scopes: [
        'API_PRODUCT_SRV_0001',
        'API_PLANT_SRV_0001',
        'API_BUSINESS_PARTNER_0001',
        'API_MATERIAL_STOCK_SRV_0001',
        'API_INFORECORD_PROCESS_SRV_0001',
        'API_MATERIAL_DOCUMENT_SRV_0001',
        'API_PURCHASEORDER_2_0001',
        'API_SALES_ORDER_SRV_0001',
      ],
      usesPkce: true,
    })
  })

  it.each([
    [{}, 8],
    [{ auth: 'client_credentials' }, 8],
    [{ purchase_orders: 'v2' }, 8],
    [{ purchase_orders: 'v4', demand: 'deliveries' }, 8],
    [{ demand: 'deliveries' }, 9],
    [{ sales_orders: 'false' }, 7],
  ])('needs the rights that %j reads, and no others', async (options, count) => {
    const rights = adapter.neededRights(connection(options))
    expect(rights).toHaveLength(count)
    expect(Object.values(SCOPES)).toEqual(expect.arrayContaining(rights))
  })

  it('asks for the V2 scope of orders unless V4 was chosen: every system knows it', () => {
    const [v2, v4] = ['API_PURCHASEORDER_PROCESS_SRV_0001', 'API_PURCHASEORDER_2_0001']
    const ordersOf = (purchase_orders: string) =>
      adapter
        .neededRights(connection({ purchase_orders }))
        .filter((right) => /PURCHASEORDER/.test(right))
    expect(ordersOf('auto')).toEqual([v2])
    expect(ordersOf('v2')).toEqual([v2])
    expect(ordersOf('v4')).toEqual([v4])
  })

  it('names services where a communication user has no scopes', () => {
    const basic = connection({ auth: 'basic' })
    expect(adapter.auth(basic)).toEqual({ kind: 'basic' })
    expect(adapter.neededRights(basic)).toContain('API_PRODUCT_SRV')
  })

  it('sends PKCE unless somebody has turned it off, and knows what the server calls itself', () => {
    expect(adapter.auth(connection({ pkce: 'false' }))).toMatchObject({ usesPkce: false })
    const issuer = 'https://ias.example.com'
    expect(adapter.auth(connection({ issuer }))).toMatchObject({ usesPkce: true, issuer })
    expect(adapter.options.safeParse({ issuer: 'ias' }).success).toBe(false)
  })

  it('keeps the client and the path of a system', () => {
    const plan = adapter.auth({
      ...connection({ auth: 'client_credentials', sap_client: '100' }, '0LABC'),
      baseUrl: 'https://gateway.example.com/s4/',
    })
    expect(plan).toMatchObject({
      tokenEndpoint: 'https://gateway.example.com/s4/sap/bc/sec/oauth2/token?sap-client=100',
    })
  })

  it.each([
    ['http://erp.example.com', 'insecure_address'],
    ['ftp://erp.example.com', 'invalid_address'],
    ['https://user:secret@erp.example.com', 'invalid_address'],
    ['https://erp.example.com/?x=1', 'invalid_address'],
    ['https://', 'invalid_address'],
    ['', 'invalid_address'],
  ])('refuses %j as an account', (account, code) => {
    for (const use of [
      () => adapter.auth(connection({}, account)),
      () => adapter.streams(connection({}, account)),
    ]) {
      expect(use).toThrow(Fatal)
      expect(use).toThrow(expect.objectContaining({ code }))
    }
  })

  it('takes plain http to this machine, but not in production', () => {
    const local = connection({}, 'http://127.0.0.1:4010')
    expect(adapter.streams(local)).toHaveLength(9)
    const before = process.env.NODE_ENV
    process.env.NODE_ENV = 'production'
    try {
      expect(() => adapter.streams(local)).toThrow(
        expect.objectContaining({ code: 'insecure_address' }),
      )
    } finally {
      process.env.NODE_ENV = before
    }
  })

  it('refuses options that it does not know or that make no sense', () => {
    for (const options of [
      { page_size: '0' },
      { sap_client: '1' },
      { language: 'deu' },
      { movements: '601' },
      { demand: 'orders' },
      { auth: 'none' },
      { write: 'true' },
    ]) {
      expect(adapter.options.safeParse(options).success).toBe(false)
    }
    const text = { page_size: '500', pkce: 'false', concurrency: '3', history_days: '365' }
    const parsed = adapter.options.parse(text)
    expect(adapter.options.parse(parsed)).toEqual(parsed)
    expect(parsed).toMatchObject({ page_size: 500, pkce: false, concurrency: 3 })
  })
})

describe('a token that ends while it is used', () => {
  it('is got anew, once for all requests that were refused', async () => {
    const erp = await startSmallErp()
    let [token, refreshes] = [1, 0]
    erp.control.set({ auth: ['client_credentials', 'basic'] })
    const source = {
      ...connectionTo(erp, { page_size: 50, document_page_size: 10 }),
      credentials: {
        async authorization(refused?: string) {
          if (refused === `Bearer ${token}`) {
            refreshes++
            token++
          }
          // The sandbox knows the communication user only; every odd token is a wrong one.
          return token % 2 ? `Bearer ${token}` : erp.basic
        },
      },
    }
    const copy = await new Copy(source).sync('full')
    expect(refreshes).toBe(1)
    expect(differences(copy, erp)).toEqual([])
    await erp.close()
  })

  it('ends the read where no other one is to be had', async () => {
    const erp = await startErp({ size: 10, days: 5 })
    const credentials = {
      async authorization(refused?: string): Promise<string> {
        if (refused) throw new Fatal('reconsent_required', 'The consent has ended.')
        return 'Bearer ended'
      },
    }
    const reading = new Copy({ ...connectionTo(erp), credentials }).sync('full')
    await expect(reading).rejects.toMatchObject({ code: 'reconsent_required' })
    await erp.close()
  })
})
