import cds from '@sap/cds'
import { CLIENT, type Erp, type ErpOptions, startErp } from '../../erp/index.ts'
import { differences } from '../../support/erp-truth.ts'
import { sync } from '../../support/server.ts'

let erp: Erp
afterEach(() => erp.close())

async function connected(options: ErpOptions = {}) {
  erp = await startErp({ size: 60, days: 120, ...options })
  const sources = await cds.connect.to('SourcesService')
  const { ID } = await sources.send('connect', {
    ...{ type: 's4hana', account: erp.url, role: 'Z_RESTOCK_READ' },
    ...{ clientId: CLIENT.id, clientSecret: CLIENT.secret, options: { auth: 'basic' } },
  })
  return ID as number
}

/** What an incremental sync owes; SKUs that vanished without a trace are found by the next full one. */
const differencesButVanished = async (source: number) =>
  (await differences(source, erp)).filter((found) => !found.endsWith('not in the ERP'))

describe('a sync makes the store equal to the ERP', () => {
  it('in full, and day by day', async () => {
    const source = await connected()
    expect(await sync(source, 'full')).toMatchObject({ status: 'succeeded', issues: [] })
    expect(await differences(source, erp)).toEqual([])
    for (const days of [1, 3]) {
      erp.control.advance(days)
      expect(await sync(source)).toMatchObject({ status: 'succeeded' })
      expect(await differencesButVanished(source)).toEqual([])
    }
    await sync(source, 'full')
    expect(await differences(source, erp)).toEqual([])
  })

  it('only by GET', async () => {
    const source = await connected()
    await sync(source, 'full')
    expect(erp.log.filter(({ data, method }) => data && method !== 'GET')).toEqual([])
  })

  it('with a cancellation in another window, a return, and a SKU that vanished', async () => {
    const source = await connected()
    await sync(source, 'full')
    const [first, second, third] = [...erp.truth()].filter(({ demand }) => demand.length > 3)
    const pairOf = ({ sku, location }: { sku: string; location: string }) => ({ sku, location })
    erp.control.change([
      { kind: 'cancelLast', ...pairOf(first!) },
      { kind: 'return', quantity: 1, ...pairOf(second!) },
      { kind: 'vanish', sku: third!.sku },
    ])
    await sync(source)
    await sync(source, 'full')
    expect(await differences(source, erp)).toEqual([])
  })
})

describe('after a fault the next sync repairs what is missing', () => {
  const documents = 'A_MaterialDocumentHeader'
  it.each([
    ['a connection reset in mid-body', { match: documents, kind: 'reset' }],
    ['truncated JSON', { match: documents, kind: 'truncate' }],
    ['a logon page with status 200', { match: documents, kind: 'html' }],
    ['a page that repeats', { match: documents, kind: 'repeat', skip: 1 }],
    ['a server error', { match: documents, kind: 'status', status: 500 }],
    ['throttling', { kind: 'status', status: 429, retryAfter: '1', times: 3 }],
    ['stock that fails for good', { match: 'A_MatlStk', kind: 'status', status: 400, times: null }],
    [
      'documents that fail for good',
      { match: documents, kind: 'status', status: 400, times: null },
    ],
  ] as const)('%s', async (_name, fault) => {
    const source = await connected()
    await sync(source, 'full')
    erp.control.advance(2)
    erp.control.fault({ ...fault })
    await sync(source)
    erp.control.clearFaults()
    expect(await sync(source)).toMatchObject({ status: 'succeeded' })
    expect(await differencesButVanished(source)).toEqual([])
  })

  it('never calls a broken sync a success', async () => {
    const source = await connected()
    await sync(source, 'full')
    erp.control.fault({ match: 'A_MatlStk', kind: 'status', status: 403, times: null })
    expect(await sync(source)).toMatchObject({
      status: 'partial',
      issues: [expect.objectContaining({ stream: 'stock' })],
    })
    erp.control.fault({ match: documents, kind: 'status', status: 403, times: null })
    expect(await sync(source)).toMatchObject({ status: 'failed' })
  })

  it('a clock that runs ahead', async () => {
    const source = await connected({ clockSkewSeconds: 7200 })
    await sync(source, 'full')
    erp.control.set({ clockSkewSeconds: 0 })
    erp.control.advance(1)
    await sync(source)
    expect(await differencesButVanished(source)).toEqual([])
  })
})
