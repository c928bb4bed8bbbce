import type { Erp } from '../../../sandbox/index.ts'
import { adapter, Copy, connectionTo, differences, startSmallErp } from './support.ts'

let erp: Erp
afterEach(() => erp.close())

async function synced(options: Record<string, unknown> = {}): Promise<Copy> {
  return new Copy(connectionTo(erp, options)).sync('full')
}

describe('a full read equals what the ERP holds', () => {
  it.each([
    ['with next-links', { paging: 'server', maxPage: 70 }, {}],
    ['without any paging', { paging: 'none' }, { page_size: 50, document_page_size: 20 }],
    ['with V4 purchase orders', { v4: true }, { purchase_orders: 'v4' }],
    [
      'with V2 purchase orders and receipts',
      { v4: true },
      { purchase_orders: 'v2', page_size: 30 },
    ],
    ['where V4 is not offered', { v4: false }, { purchase_orders: 'auto' }],
    ['where V2 is not offered', { v2: false }, { purchase_orders: 'auto' }],
    ['where only V2 is in the scopes', {}, { auth: 'client_credentials' }],
    ['where only V4 is to be read after all', { v2: false }, { auth: 'client_credentials' }],
    ['with one request at a time', {}, { concurrency: 1 }],
    ['with many requests at once', {}, { concurrency: 8, page_size: 30 }],
    ['without metadata of rows', { rowMetadata: false }, {}],
  ] as const)('%s', async (_name, behaviour, options) => {
    erp = await startSmallErp({ ...behaviour, size: 250 })
    const copy = await synced(options)
    expect(differences(copy, erp)).toEqual([])
    expect(copy.quarantined).toEqual([])
    expect(copy.demand.size).toBeGreaterThan(1000)
    expect(copy.openOrders.size).toBeGreaterThan(10)
    expect(copy.customerOrders.size).toBeGreaterThan(10)
  })

  it('with less than no stock, which are backorders', async () => {
    erp = await startSmallErp()
    const { sku, location } = [...erp.truth({ demand: false })][0]!
    erp.control.change([{ kind: 'onHand', sku, location, quantity: -4 }])
    const copy = await synced()
    expect(differences(copy, erp)).toEqual([])
    expect(copy.stock.get(`${sku}\n${location}`)).toMatchObject({ onHand: 0, backorders: 4 })
  })

  it('without sales orders, where nobody may grant them', async () => {
    erp = await startSmallErp({ forbidden: ['API_SALES_ORDER_SRV'] })
    const connection = connectionTo(erp, { sales_orders: 'false' })
    const copy = await new Copy(connection).sync('full')
    expect(copy.customerOrders.size).toBe(0)
    expect(adapter.neededRights(connection)).not.toContain('API_SALES_ORDER_SRV')
  })

  it('from deliveries', async () => {
    erp = await startSmallErp()
    const copy = await synced({ demand: 'deliveries' })
    expect(differences(copy, erp, { basis: 'deliveries', classes: ['sale'] })).toEqual([])
  })

  it('for the movement types that were chosen', async () => {
    erp = await startSmallErp()
    const copy = await synced({ movements: '+601,-602,+251,-252' })
    expect(differences(copy, erp, { classes: ['sale'] })).toEqual([])
  })
})
