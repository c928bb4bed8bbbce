// Faults of the ERP while a source is read: the outcome says what is missing, and the next sync mends it.
import cds from '@sap/cds'
import { CurrentStock, ErpForecasts } from '../../../srv/base/database/entities.ts'
import { removeSource } from '../../../srv/domain/sources/index.ts'
import { type Erp, type Fault, type PairTruth, startErp } from '../../../sandbox/index.ts'
import { differencesButVanished } from '../../support/erp-truth.ts'
import { daysAgo, finished, sync } from '../../support/server.ts'
import { someOf } from '../../support/some-of.ts'
import { errorOf, post } from '../v1/api.ts'
import { codesOf, connect, syncWith } from './source.ts'

let erp: Erp
/** All tests have one source: each starts when a day has passed since it was whole, and leaves it whole. */
let source: number

beforeAll(async () => {
  erp = await startErp({ size: 20, days: 14, maxPage: 9 })
  ;({ source } = await connect(erp, 'basic', { timeout_seconds: 3, concurrency: 4 }))
  expect(await sync(source, 'full')).toMatchObject({ status: 'succeeded', issues: [] })
})
beforeEach(() => {
  erp.control.clearLog()
  erp.control.advance(1)
})
afterEach(() => allIsWell())
afterAll(() => erp.close())

function allIsWell() {
  erp.control.clearFaults()
  erp.control.set({ forbidden: [], throttle: null, clockSkewSeconds: 0, latencyMs: 0 })
}

/** A sync overcomes what there is, and the store is as the ERP. */
async function isWhole() {
  expect(await sync(source)).toMatchObject({ status: 'succeeded', issues: [] })
  expect(await differencesButVanished(source, erp)).toEqual([])
}

async function isHealed() {
  allIsWell()
  await isWhole()
}

const DOCUMENTS = 'A_MaterialDocumentHeader.*expand'
const STOCK = 'A_MatlStkInAcctMod'
/** Without the requests for batches and for stock in transfer. */
const STOCK_ALONE = `${STOCK}\\?(?!.*InventoryStockType eq)`
const PRODUCTS = 'A_Product\\?'
// Documents name it among their fields.
const ORDERS = 'PurchaseOrderItem\\?'
const STREAMS = [DOCUMENTS, STOCK_ALONE, PRODUCTS, ORDERS]

const PASSING: [string, Omit<Fault, 'match'>][] = [
  ['a connection reset in mid-body', { kind: 'reset' }],
  ['a connection torn before the answer', { kind: 'drop' }],
  ['truncated JSON', { kind: 'truncate' }],
  ['a logon page with status 200', { kind: 'html' }],
  ['a page that repeats', { kind: 'repeat' }],
  ['a link to the very same page', { kind: 'loop' }],
  ['no answer', { kind: 'hang' }],
  ['500', { kind: 'status', status: 500 }],
  ['503 with Retry-After', { kind: 'status', status: 503, retryAfter: '1' }],
  ['429 with Retry-After', { kind: 'status', status: 429, retryAfter: '1' }],
  ['429 without', { kind: 'status', status: 429 }],
]

/** A fault for each list, another one at each; in all of the cases each is at each list. */
const FAULTS_AT_LISTS = PASSING.map((_, first) => {
  const faults = STREAMS.map((match, at) => {
    const [name, fault] = PASSING[(first + at) % PASSING.length]!
    // A first page would repeat what another sync was given.
    const of = fault.kind === 'repeat' ? `${match}.*skiptoken` : match
    return { name, fault: { match: of, ...fault } }
  })
  return [faults.map(({ name }) => name).join(', '), faults.map(({ fault }) => fault)] as const
})

describe('a fault that passes is overcome within the sync', () => {
  it.each(someOf(FAULTS_AT_LISTS, STREAMS.length))(
    'at documents, stock, products and orders: %s',
    async (_names, faults) => {
      for (const fault of faults) erp.control.fault(fault)
      await isWhole()
      expect(erp.log.filter(({ fault }) => fault).length).toBeGreaterThan(2)
    },
  )

  it('an empty page where there are rows', async () => {
    for (const match of [STOCK, ORDERS]) erp.control.fault({ kind: 'empty', match, skip: 1 })
    await isWhole()
  })

  it('a restart of the ERP, all connections cut', async () => {
    const result = await syncWith(erp, source, () => erp.control.restart(700), { mode: 'full' })
    expect(result).toMatchObject({ status: 'succeeded', issues: [] })
    expect(await differencesButVanished(source, erp)).toEqual([])
  })

  it('more requests than the ERP takes at once', async () => {
    erp.control.set({ throttle: { concurrent: 1, status: 503, retryAfter: 'seconds', seconds: 1 } })
    await isWhole()
  })
})

describe('a fault that stays', () => {
  const always = { times: null }

  it.each<[code: string, fault: Omit<Fault, 'match'>]>([
    ['forbidden', { kind: 'status', status: 403, ...always }],
    ['not_found', { kind: 'status', status: 404, ...always }],
    ['request_refused', { kind: 'status', status: 400, ...always }],
    ['login_page', { kind: 'html', ...always }],
    ['redirected', { kind: 'redirect', ...always }],
    ['source_unavailable', { kind: 'status', status: 503, retryAfter: '3600', ...always }],
  ])('at stock: partial, %s, its last data stay; at demand: failed', async (code, fault) => {
    const [{ sku, location }] = [...erp.truth({ demand: false })] as [never]
    const before = await onHand(source, sku, location)
    erp.control.change([{ kind: 'onHand', sku, location, quantity: before + 7 }])
    erp.control.fault({ ...fault, match: STOCK })
    const result = await sync(source)
    expect(result.status).toBe('partial')
    // Batches are read from the same list, and are a note where they may not be read.
    expect(codesOf(result)).toMatchObject({ stock: code })
    expect(await onHand(source, sku, location)).toBe(before)
    const wrong = await differencesButVanished(source, erp)
    expect(wrong.filter((each) => !/ (onHand|inInspection|blocked|inTransit) /.test(each))).toEqual(
      [],
    )
    erp.control.clearFaults()
    erp.control.fault({ ...fault, match: DOCUMENTS })
    const failed = await sync(source)
    expect(failed.status).toBe('failed')
    expect(codesOf(failed)).toMatchObject({ demand: code })
    await isHealed()
  })

  it('is that some services are forbidden: partial, forbidden for what they have', async () => {
    erp.control.set({
      forbidden: [
        ...['API_PLANT_SRV', 'API_BUSINESS_PARTNER', 'API_INFORECORD_PROCESS_SRV'],
        'API_MATERIAL_STOCK_SRV',
      ],
    })
    const result = await sync(source)
    expect(result.status).toBe('partial')
    expect(codesOf(result)).toEqual({
      ...{ locations: 'forbidden', suppliers: 'forbidden', planning: 'forbidden' },
      stock: 'forbidden',
    })
    await isHealed()
  })

  it('is that what is needed is forbidden: failed', async () => {
    for (const [service, stream] of [
      ['API_MATERIAL_DOCUMENT_SRV', 'demand'],
      ['API_PRODUCT_SRV', 'skus'],
    ] as const) {
      erp.control.set({ forbidden: [service] })
      const result = await sync(source)
      expect(result.status).toBe('failed')
      expect(codesOf(result)).toMatchObject({ [stream]: 'forbidden' })
    }
    await isHealed()
  })

  it("is that reservations and the ERP's forecasts cannot be read: notes, forbidden or not_found", async () => {
    const [{ sku, location }] = [...erp.truth({ demand: false })] as [PairTruth]
    const from = daysAgo(-45)
    const erpForecasts = async () =>
      (await SELECT.from(ErpForecasts).where({ source_ID: source })).map((row) => row.quantity)
    erp.control.change([
      { kind: 'reserve', sku, location, reservation: '1', quantity: 4 },
      { kind: 'planRequirement', sku, location, period: 'D', from, quantity: 40 },
    ])
    const areNotes = async (code: string) => {
      const result = await sync(source)
      expect(result).toMatchObject({ status: 'succeeded', issues: [] })
      expect(Object.fromEntries(result.notes.map((note) => [note.stream, note]))).toMatchObject({
        reservations: { code, impact: expect.any(String) },
        erpForecasts: { code, impact: expect.any(String) },
      })
      expect(await erpForecasts()).toEqual([])
    }
    erp.control.set({ forbidden: ['API_RESERVATION_DOCUMENT_SRV', 'API_PLND_INDEP_RQMT_SRV'] })
    await areNotes('forbidden')
    allIsWell()
    for (const match of ['A_Reservation', 'IndepRqmt'])
      erp.control.fault({ kind: 'status', status: 404, match, ...always })
    await areNotes('not_found')
    await isHealed()
    expect(await erpForecasts()).toEqual([40])
  })

  it('is that purchase orders may be read in neither version: partial', async () => {
    const [{ sku, location }] = [...erp.truth({ demand: false })] as [PairTruth]
    const [made] = erp.control.change([{ kind: 'order', sku, location, quantity: 9 }])
    const line = { order: made!.document!, item: '00010' }
    erp.control.change([{ kind: 'receive', ...line, quantity: 1 }])
    erp.control.set({ forbidden: ['API_PURCHASEORDER_2', 'API_PURCHASEORDER_PROCESS_SRV'] })
    const result = await sync(source)
    expect(result.status).toBe('partial')
    expect(codesOf(result)).toEqual({ openOrders: 'forbidden', receipts: 'forbidden' })
    await isHealed()
  })

  it('is that there are too many requests for an hour: failed, source_unavailable', async () => {
    erp.control.fault({ kind: 'status', status: 429, retryAfter: '3600', ...always })
    const result = await sync(source)
    expect(result.status).toBe('failed')
    const codes = codesOf(result)
    expect(new Set(Object.values(codes))).toEqual(new Set(['source_unavailable']))
    // Whichever gives up first ends the sync.
    expect('demand' in codes || 'skus' in codes).toBe(true)
    // All streams together leave it alone.
    expect(erp.log.length).toBeLessThan(10)
    await isHealed()
  })

  it('is the same page again and again, or no rows where there are some: partial', async () => {
    for (const fault of [
      { kind: 'repeat', match: STOCK_ALONE, skip: 1, ...always },
      { kind: 'empty', match: STOCK, ...always },
    ] as const) {
      erp.control.clearFaults()
      erp.control.fault(fault)
      const result = await sync(source)
      expect(result.status).toBe('partial')
      expect(codesOf(result)).toMatchObject({ stock: 'source_unavailable' })
      expect(await onHandOfAll(source)).toBeGreaterThan(0)
    }
    await isHealed()
  })
})

const stockOf = (source: number) => cds.ql.SELECT.from(CurrentStock).where({ source_ID: source })
const onHand = async (source: number, sku: string, location: string) =>
  Number((await stockOf(source)).find(isOf(sku, location))!.onHand)
const onHandOfAll = async (source: number) =>
  (await stockOf(source)).reduce((sum, row) => sum + Number(row.onHand), 0)
const isOf =
  (sku: string, location: string) => (row: { sku: string | null; location: string | null }) =>
    row.sku === sku && row.location === location

describe('bad rows', () => {
  it('are left out by name, and taken once they are good', async () => {
    const [{ sku, location }] = [...erp.truth({ demand: false })] as [never]
    const lot = (MinimumLotSizeQuantity: string) =>
      erp.control.change([{ kind: 'planning', sku, location, values: { MinimumLotSizeQuantity } }])
    lot('many')
    const result = await sync(source)
    expect(result).toMatchObject({ status: 'partial', quarantined: 1 })
    expect(result.issues).toMatchObject([
      {
        ...{ code: 'invalid_value', stream: 'planning' },
        key: `A_ProductSupplyPlanning('${sku}','${location}')`,
      },
    ])
    lot('12.000')
    await isHealed()
  })
})

describe('clocks', () => {
  it.each([
    ['ahead by two hours', 7200],
    ['ahead by three days', 3 * 86_400],
    ['behind by two hours', -7200],
  ])('that run %s lose nothing', async (_name, clockSkewSeconds) => {
    erp.control.set({ clockSkewSeconds })
    expect(await sync(source, 'full')).toMatchObject({ status: 'succeeded' })
    erp.control.advance(1)
    expect(await sync(source)).toMatchObject({ status: 'succeeded' })
    erp.control.set({ clockSkewSeconds: 0 })
    const [pair] = [...erp.truth()].filter(({ demand }) => demand.length)
    const { sku, location } = pair!
    erp.control.change([{ kind: 'issue', sku, location, quantity: 4 }])
    await isHealed()
  })
})

describe('two at once', () => {
  it('who start a sync get one, and the other gets its id', async () => {
    erp.control.set({ latencyMs: 10 })
    const start = () => post(`/sources/src_${source}/sync`, { mode: 'incremental' })
    const answers = await Promise.all([start(), start(), start()])
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409, 409])
    const begun = answers.find(({ status }) => status === 202)!.json.id
    for (const answer of answers.filter(({ status }) => status === 409)) {
      expect(errorOf(answer).code).toBe('sync_in_progress')
      expect([begun, null]).toContain(answer.error?.sync_id)
    }
    await finished(Number(begun.slice(5)))
    const next = await start()
    expect(next.status).toBe(202)
    await finished(Number(next.json.id.slice(5)))
  })

  it('sources that read the same ERP side by side are both whole', async () => {
    const other = await connect(erp, 'client_credentials', {
      ...{ purchase_orders: 'v2', reservations: 'true' },
    })
    const results = await Promise.all([sync(source, 'full'), sync(other.source, 'full')])
    expect(results).toMatchObject([{ status: 'succeeded' }, { status: 'succeeded' }])
    for (const each of [source, other.source]) {
      expect(await differencesButVanished(each, erp)).toEqual([])
    }
    await removeSource(other.source)
  })
})
