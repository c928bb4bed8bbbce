import { Fatal, Retriable } from '../../../adapters/errors.ts'
import type { Erp, Fault } from '../../../sandbox/index.ts'
import { CLIENT } from '../../../sandbox/index.ts'
import { someOf } from '../../support/some-of.ts'
import {
  adapter,
  connectionTo,
  Copy,
  differences,
  NOW,
  pagesOf,
  startSmallErp,
  streamOf,
} from './support.ts'

const OPTIONS = { page_size: 60, document_page_size: 20 }
let erp: Erp
beforeEach(async () => {
  erp = await startSmallErp({ size: 60, days: 20, maxPage: 50 })
})
afterEach(() => erp.close())

const DOCUMENTS = 'A_MaterialDocumentHeader.*expand'
const SETS = ['A_Product\\?', 'A_MatlStkInAcctMod', 'PurchaseOrderScheduleLine', DOCUMENTS]

describe('a fault that passes', () => {
  const faults: [string, Omit<Fault, 'match'>][] = [
    ['a reset in mid-body', { kind: 'reset' }],
    ['a connection that is torn before the answer', { kind: 'drop' }],
    ['JSON that breaks off', { kind: 'truncate' }],
    ['a web page instead of data', { kind: 'html' }],
    ['a page that repeats', { kind: 'repeat' }],
    ['a link to the very same page', { kind: 'loop' }],
    ['an empty page where there are rows', { kind: 'empty' }],
    ['no answer at all', { kind: 'hang' }],
    ['a slow answer', { kind: 'slow', delayMs: 300 }],
    ['500', { kind: 'status', status: 500 }],
    ['502', { kind: 'status', status: 502 }],
    ['503 with seconds', { kind: 'status', status: 503, retryAfter: '1' }],
    [
      '429 with a date',
      {
        kind: 'status',
        status: 429,
        retryAfter: new Date(Date.parse(NOW) + 2_000).toUTCString(),
      },
    ],
    ['429 without any wait', { kind: 'status', status: 429 }],
  ]
  // Each round has another fault in each list; all rounds have each fault in each list, some of them have each fault.
  const rounds = faults.map((_, at) =>
    SETS.map((match, of) => [match, ...faults[(at + of) % faults.length]!] as const),
  )
  it.each(someOf(rounds, SETS.length - 1))(
    'is overcome in place: %j, %j, %j, %j',
    async (...round) => {
      for (const [match, , fault] of round) erp.control.fault({ ...fault, match, skip: 1 })
      const patience = round.some(([, , { kind }]) => kind === 'hang') ? { timeout_seconds: 1 } : {}
      const copy = await new Copy(connectionTo(erp, { ...OPTIONS, ...patience })).sync('full')
      expect(differences(copy, erp)).toEqual([])
      expect(erp.log.filter((entry) => entry.fault).length).toBeGreaterThanOrEqual(SETS.length - 1)
    },
  )

  const LISTS = [
    'A_ProductSupplyPlanning',
    'A_PurchasingInfoRecord',
    'A_PurgInfoRecdOrgPlantData',
    'A_ProductPlant\\?.*IsMarkedForDeletion',
    'A_ProductPlant',
    'A_Supplier\\?.*PurchasingIsBlocked',
    'A_ProductUnitsOfMeasure',
    'A_ProductDescription',
    'A_PurchaseOrderItem',
    'A_PurchaseOrderScheduleLine',
    'A_PurchaseOrder\\?',
    'A_MaterialDocumentItem',
    DOCUMENTS,
  ]
  it('is noticed in every list, on its first page too: no rows', async () => {
    for (const match of LISTS) erp.control.fault({ kind: 'empty', match })
    const options = { ...OPTIONS, purchase_orders: 'v2' }
    const copy = await new Copy(connectionTo(erp, options)).sync('full')
    expect(differences(copy, erp)).toEqual([])
    const empty = erp.log.filter((entry) => entry.fault)
    expect(empty.length).toBe(LISTS.length)
    for (const match of LISTS)
      expect(empty.map(({ path, query }) => `${path}?${query}`)).toContainEqual(
        expect.stringMatching(match),
      )
  })

  it('does not make a long read begin anew', async () => {
    erp.control.fault({ kind: 'reset', match: DOCUMENTS, every: 9, times: null })
    await pagesOf(streamOf(connectionTo(erp, OPTIONS), 'demand'))
    const asked = erp.log.filter(({ query }) => query.includes('expand'))
    expect(asked.length).toBeLessThan((erp.control.counts().documents / 20) * 1.6 + 30)
  })

  it.each(['seconds', 'date', 'none'] as const)('is throttling (%s)', async (retryAfter) => {
    erp.control.set({ throttle: { concurrent: 1, retryAfter, seconds: 1 } })
    const options = { ...OPTIONS, concurrency: 4, page_size: 1000, document_page_size: 200 }
    const copy = await new Copy(connectionTo(erp, options)).sync('full')
    expect(differences(copy, erp)).toEqual([])
  })

  it('is a restart of the ERP', async () => {
    const connection = connectionTo(erp, OPTIONS)
    const copy = new Copy(connection)
    let pages = 0
    for (const stream of adapter.streams(connection)) {
      for await (const page of stream.read(null, new AbortController().signal)) {
        if (++pages === 12) await Promise.all([erp.control.restart(300)])
        copy.take(stream.record, page)
      }
    }
    expect(differences(copy, erp)).toEqual([])
  })
})

describe('a fault that stays', () => {
  const failure = async (record: 'demand' | 'stock', options = {}) =>
    pagesOf(streamOf(connectionTo(erp, { ...OPTIONS, ...options }), record)).then(
      () => null,
      (error: unknown) => error as Fatal,
    )

  it.each([
    ['login_page', { kind: 'html', times: null }],
    ['redirected', { kind: 'redirect', times: null }],
    ['foreign_link', { kind: 'foreign', times: null }],
    ['forbidden', { kind: 'status', status: 403, times: null }],
    ['request_refused', { kind: 'status', status: 400, times: null }],
    ['unauthorized', { kind: 'status', status: 401, times: null }],
    ['not_found', { kind: 'status', status: 404, times: null }],
  ] as const)('is fatal: %s', async (code, fault) => {
    erp.control.fault({ ...fault, match: 'A_MatlStkInAcctMod' })
    const error = await failure('stock')
    expect(error).toBeInstanceOf(Fatal)
    expect(error).toMatchObject({ code })
    const asked = erp.log.filter(({ path }) => path.endsWith('/A_MatlStkInAcctMod'))
    expect(asked.length).toBeLessThan(5)
  })

  it('is retriable after some tries: the same page again and again', async () => {
    erp.control.fault({ kind: 'repeat', match: 'A_MatlStkInAcctMod', skip: 2, times: null })
    const error = await failure('stock')
    expect(error).toBeInstanceOf(Retriable)
    expect(erp.log.length).toBeLessThan(16)
  }, 60_000)

  it('is retriable after some tries: no rows though there are some', async () => {
    erp.control.fault({ kind: 'empty', match: 'A_MatlStkInAcctMod', skip: 1, times: null })
    const error = await failure('stock')
    expect(error).toBeInstanceOf(Retriable)
    expect(error!.message).toMatch(/has \d+ rows of A_MatlStkInAcctMod, and gives no more than 50/)
    expect(erp.log.length).toBeLessThan(16)
  })

  it('is reported by the code of a service that may not be read, and the others go on', async () => {
    erp.control.set({ forbidden: ['API_MATERIAL_STOCK_SRV', 'API_BUSINESS_PARTNER'] })
    expect(await failure('stock')).toMatchObject({ code: 'forbidden' })
    const checks = await adapter.check(connectionTo(erp, OPTIONS), new AbortController().signal)
    expect(checks.filter(({ status }) => status !== 'ok')).toMatchObject([
      { record: 'suppliers', status: 'forbidden', rights: ['API_BUSINESS_PARTNER'] },
      { record: 'stock', status: 'forbidden', rights: ['API_MATERIAL_STOCK_SRV'] },
    ])
    const pages = await pagesOf(streamOf(connectionTo(erp, OPTIONS), 'planning'))
    expect(pages.flatMap(({ records }) => records).length).toBe(erp.control.counts().pairs)
  })

  it('says what proposals then do not know where sales orders may not be read', async () => {
    erp.control.set({ forbidden: ['API_SALES_ORDER_SRV'] })
    const pages = pagesOf(streamOf(connectionTo(erp, OPTIONS), 'customerOrders'))
    await expect(pages).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringMatching(/backorders .* are missing .*sales_orders=false/),
    })
  })

  it('does not take suppliers for unblocked where that cannot be read for their organisations alone', async () => {
    erp.control.fault({
      kind: 'status',
      status: 403,
      match: 'A_SupplierPurchasingOrg',
      times: null,
    })
    const pages = pagesOf(streamOf(connectionTo(erp, OPTIONS), 'planning'))
    await expect(pages).rejects.toMatchObject({ code: 'forbidden' })
  })

  it('leaves no trace of the credentials', async () => {
    for (const status of [400, 401, 403, 404]) {
      erp.control.clearFaults()
      erp.control.fault({ kind: 'status', status, times: null })
      const { message, stack } = (await failure('stock'))!
      for (const secret of [erp.basic, erp.basic.split(' ')[1]!, CLIENT.secret]) {
        expect(`${message}${stack}`).not.toContain(secret)
      }
    }
  })
})

describe('a bad row', () => {
  it('is quarantined with its reason and place, and taken once it is good', async () => {
    const { sku, location } = [...erp.truth({ demand: false })][0]!
    const bad = (value: string) =>
      erp.control.change([
        { kind: 'planning', sku, location, values: { MinimumLotSizeQuantity: value } },
      ])
    bad('many')
    const copy = await new Copy(connectionTo(erp, OPTIONS)).sync('full')
    expect(copy.quarantined).toMatchObject([
      {
        code: 'invalid_value',
        place: `A_ProductSupplyPlanning('${sku}','${location}')`,
        target: 'MinimumLotSizeQuantity',
      },
    ])
    bad('12.000')
    copy.quarantined.length = 0
    await copy.sync()
    expect(copy.quarantined).toEqual([])
    expect(differences(copy, erp)).toEqual([])
  })

  it('is reported where it is an item of a sales order, with the lines of it', async () => {
    const { customerOrders } = [...erp.truth({ demand: false })].find(
      (pair) => pair.customerOrders.length > 0,
    )!
    const { order, item, scheduleLine } = customerOrders[0]!
    const key = { SalesOrder: order, SalesOrderItem: item, ScheduleLine: scheduleLine }
    const values = { DeliveredQtyInOrderQtyUnit: '-1.000' }
    erp.control.change([{ kind: 'row', set: 'A_SalesOrderScheduleLine', key, values }])
    const pages = await pagesOf(streamOf(connectionTo(erp, OPTIONS), 'customerOrders'))
    expect(pages.flatMap(({ quarantined }) => quarantined)).toMatchObject([
      {
        ...{ code: 'invalid_value', target: 'DeliveredQtyInOrderQtyUnit' },
        place: `A_SalesOrderItem(${order}/${item})`,
      },
    ])
  })

  it('is reported where it is a goods receipt that an open order is computed with', async () => {
    const [open] = [...erp.truth({ demand: false })].flatMap(({ openOrders }) => openOrders)
    const { order, item } = open!
    const [receipt] = erp.control.change([{ kind: 'receive', order, item, quantity: -1 }])
    const options = { ...OPTIONS, purchase_orders: 'v2' }
    const pages = await pagesOf(streamOf(connectionTo(erp, options), 'openOrders'))
    expect(pages.flatMap(({ quarantined }) => quarantined)).toMatchObject([
      {
        code: 'invalid_value',
        place: `A_MaterialDocumentItem(${receipt!.year}/${receipt!.document}/0001)`,
        target: 'QuantityInBaseUnit',
      },
    ])
  })
})
