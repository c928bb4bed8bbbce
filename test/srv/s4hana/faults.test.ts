// Faults of the ERP while a source is read: the outcome says what is missing, and the next sync mends it.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import cds from '@sap/cds'
import { CurrentStock, ErpForecasts } from '../../../srv/base/database/entities.ts'
import {
  type Erp,
  type ErpOptions,
  type Fault,
  type PairTruth,
  startErp,
} from '../../../sandbox/index.ts'
import { differencesButVanished } from '../../support/erp-truth.ts'
import { daysAgo, sync } from '../../support/server.ts'
import { errorOf, post } from '../v1/api.ts'
import { codesOf, connect, leave, syncWith } from './source.ts'

let erp: Erp
afterEach(() => leave(erp))

/** A source that has been read, and two days of business since. */
async function readBefore(options: ErpOptions = {}, reading: object = {}) {
  erp = await startErp({ size: 20, days: 21, maxPage: 7, ...options })
  const { source } = await connect(erp, 'basic', reading)
  expect(await sync(source, 'full')).toMatchObject({ status: 'succeeded', issues: [] })
  erp.control.advance(2)
  return source
}

/** All is well again, and the store is as the ERP. */
async function isHealed(source: number) {
  erp.control.clearFaults()
  expect(await sync(source)).toMatchObject({ status: 'succeeded', issues: [] })
  expect(await differencesButVanished(source, erp)).toEqual([])
}

const DOCUMENTS = 'A_MaterialDocumentHeader.*expand'
const STOCK = 'A_MatlStkInAcctMod'
/** Without the request for batches. */
const STOCK_ALONE = `${STOCK}(?!.*Batch(\\+|%20| )ne)`
const PRODUCTS = 'A_Product\\?'
// Documents name it among their fields.
const ORDERS = 'PurchaseOrderItem\\?'
const STREAMS = [DOCUMENTS, STOCK, PRODUCTS, ORDERS]

describe('a fault that passes is overcome within the sync', () => {
  it.each<[string, Omit<Fault, 'match'>]>([
    ['a connection reset in mid-body', { kind: 'reset' }],
    ['a connection torn before the answer', { kind: 'drop' }],
    ['truncated JSON', { kind: 'truncate' }],
    ['a logon page with status 200', { kind: 'html' }],
    // The second page of this sync: the first one would repeat what another sync was given.
    ['a page that repeats', { kind: 'repeat', skip: 2 }],
    ['a link to the very same page', { kind: 'loop' }],
    ['no answer', { kind: 'hang' }],
    ['500', { kind: 'status', status: 500 }],
    ['503 with Retry-After', { kind: 'status', status: 503, retryAfter: '1' }],
    ['429 with Retry-After', { kind: 'status', status: 429, retryAfter: '1' }],
    ['429 without', { kind: 'status', status: 429 }],
  ])('%s', async (_name, fault) => {
    const source = await readBefore({}, fault.kind === 'hang' ? { timeout_seconds: 1 } : {})
    for (const match of STREAMS) erp.control.fault({ ...fault, match })
    expect(await sync(source)).toMatchObject({ status: 'succeeded', issues: [] })
    expect(erp.log.filter((entry) => entry.fault).length).toBeGreaterThan(2)
    expect(await differencesButVanished(source, erp)).toEqual([])
  })

  it('an empty page where there are rows', async () => {
    const source = await readBefore()
    for (const match of [STOCK, ORDERS]) erp.control.fault({ kind: 'empty', match, skip: 1 })
    expect(await sync(source)).toMatchObject({ status: 'succeeded', issues: [] })
    expect(await differencesButVanished(source, erp)).toEqual([])
  })

  it('a restart of the ERP, all connections cut', async () => {
    const source = await readBefore()
    const result = await syncWith(erp, source, () => erp.control.restart(700), { mode: 'full' })
    expect(result).toMatchObject({ status: 'succeeded', issues: [] })
    expect(await differencesButVanished(source, erp)).toEqual([])
  })

  it('more requests than the ERP takes at once', async () => {
    const source = await readBefore({}, { concurrency: 4 })
    erp.control.set({ throttle: { concurrent: 1, status: 503, retryAfter: 'seconds', seconds: 1 } })
    expect(await sync(source)).toMatchObject({ status: 'succeeded', issues: [] })
    expect(await differencesButVanished(source, erp)).toEqual([])
  })
})

describe('a fault that stays', () => {
  const always = { times: null }
  const kinds: [code: string, fault: Omit<Fault, 'match'>][] = [
    ['forbidden', { kind: 'status', status: 403, ...always }],
    ['not_found', { kind: 'status', status: 404, ...always }],
    ['request_refused', { kind: 'status', status: 400, ...always }],
    ['login_page', { kind: 'html', ...always }],
    ['redirected', { kind: 'redirect', ...always }],
    ['source_unavailable', { kind: 'status', status: 503, retryAfter: '3600', ...always }],
  ]

  it.each(kinds)('at one stream: partial, %s; its last data stay', async (code, fault) => {
    const source = await readBefore()
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
    await isHealed(source)
  })

  it.each(kinds)('at demand: failed, %s', async (code, fault) => {
    const source = await readBefore()
    erp.control.fault({ ...fault, match: DOCUMENTS })
    const result = await sync(source)
    expect(result.status).toBe('failed')
    expect(codesOf(result)).toMatchObject({ demand: code })
    await isHealed(source)
  })

  it.each([
    ['API_PLANT_SRV', 'partial', 'locations'],
    ['API_BUSINESS_PARTNER', 'partial', 'suppliers'],
    ['API_INFORECORD_PROCESS_SRV', 'partial', 'planning'],
    ['API_MATERIAL_STOCK_SRV', 'partial', 'stock'],
    ['API_MATERIAL_DOCUMENT_SRV', 'failed', 'demand'],
    ['API_PRODUCT_SRV', 'failed', 'skus'],
  ])('is a forbidden %s: %s, forbidden for %s', async (service, status, stream) => {
    const source = await readBefore()
    erp.control.set({ forbidden: [service] })
    const result = await sync(source)
    expect(result.status).toBe(status)
    expect(codesOf(result)).toMatchObject({ [stream]: 'forbidden' })
    erp.control.set({ forbidden: [] })
    await isHealed(source)
  })

  it.each<[string, string, () => void]>([
    [
      ...(['reservations', 'forbidden'] as const),
      () => erp.control.set({ forbidden: ['API_RESERVATION_DOCUMENT_SRV'] }),
    ],
    [
      ...(['reservations', 'not_found'] as const),
      () => erp.control.fault({ kind: 'status', status: 404, match: 'A_Reservation', ...always }),
    ],
    [
      ...(['erpForecasts', 'forbidden'] as const),
      () => erp.control.set({ forbidden: ['API_PLND_INDEP_RQMT_SRV'] }),
    ],
    [
      ...(['erpForecasts', 'not_found'] as const),
      () => erp.control.fault({ kind: 'status', status: 404, match: 'IndepRqmt', ...always }),
    ],
  ])('is that %s cannot be read: a note, %s', async (stream, code, refuse) => {
    const source = await readBefore()
    const [{ sku, location }] = [...erp.truth({ demand: false })] as [PairTruth]
    const from = daysAgo(-45)
    const erpForecasts = async () =>
      (await SELECT.from(ErpForecasts).where({ source_ID: source })).map((row) => row.quantity)
    erp.control.change([
      { kind: 'reserve', sku, location, reservation: '1', quantity: 4 },
      { kind: 'planRequirement', sku, location, period: 'D', from, quantity: 40 },
    ])
    refuse()
    const result = await sync(source)
    expect(result).toMatchObject({ status: 'succeeded', issues: [] })
    expect(result.notes).toMatchObject([{ code, stream, impact: expect.any(String) }])
    if (stream === 'erpForecasts') expect(await erpForecasts()).toEqual([])
    erp.control.set({ forbidden: [] })
    await isHealed(source)
    expect(await erpForecasts()).toEqual([40])
  })

  it('is that purchase orders may be read in neither version: partial', async () => {
    const source = await readBefore()
    erp.control.set({ forbidden: ['API_PURCHASEORDER_2', 'API_PURCHASEORDER_PROCESS_SRV'] })
    const result = await sync(source)
    expect(result.status).toBe('partial')
    expect(codesOf(result)).toEqual({ openOrders: 'forbidden', receipts: 'forbidden' })
    erp.control.set({ forbidden: [] })
    await isHealed(source)
  })

  it('is that there are too many requests for an hour: failed, source_unavailable', async () => {
    const source = await readBefore()
    erp.control.fault({ kind: 'status', status: 429, retryAfter: '3600', ...always })
    const asked = erp.log.length
    const result = await sync(source)
    expect(result.status).toBe('failed')
    const codes = codesOf(result)
    expect(new Set(Object.values(codes))).toEqual(new Set(['source_unavailable']))
    // Whichever gives up first ends the sync.
    expect('demand' in codes || 'skus' in codes).toBe(true)
    // All streams together leave it alone.
    expect(erp.log.length - asked).toBeLessThan(10)
    await isHealed(source)
  })

  it('is the same page again and again: partial, source_unavailable', async () => {
    const source = await readBefore()
    erp.control.fault({ kind: 'repeat', match: STOCK_ALONE, skip: 1, ...always })
    const result = await sync(source)
    expect(result.status).toBe('partial')
    expect(codesOf(result)).toMatchObject({ stock: 'source_unavailable' })
    await isHealed(source)
  })

  it('is no rows where there are some: partial, source_unavailable', async () => {
    const source = await readBefore()
    erp.control.fault({ kind: 'empty', match: STOCK, ...always })
    const result = await sync(source)
    expect(result.status).toBe('partial')
    expect(codesOf(result)).toMatchObject({ stock: 'source_unavailable' })
    expect(await onHandOfAll(source)).toBeGreaterThan(0)
    await isHealed(source)
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

describe('another server', () => {
  const heard: { url: string; headers: unknown }[] = []
  let elsewhere: Server
  let to: string

  beforeAll(async () => {
    elsewhere = createServer(({ url = '', headers }, response) => {
      heard.push({ url, headers })
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"d":{"results":[]}}')
    })
    await new Promise<void>((done) => elsewhere.listen(0, '127.0.0.1', done))
    to = `http://localhost:${(elsewhere.address() as AddressInfo).port}`
  })
  afterAll(() => new Promise((done) => elsewhere.close(done)))

  it.each([
    ['a redirect', 'redirected', 'redirect'],
    ['a next-link', 'foreign_link', 'foreign'],
  ] as const)('hears nothing where %s leads there: %s', async (_name, code, kind) => {
    const source = await readBefore()
    for (const match of [STOCK, ORDERS]) erp.control.fault({ kind, to, match, times: null })
    const result = await sync(source)
    expect(result.status).toBe('partial')
    expect(codesOf(result)).toEqual({
      ...{ stock: code, batches: code, openOrders: code, receipts: code },
    })
    erp.control.clearFaults()
    erp.control.fault({ kind, to, match: DOCUMENTS, times: null })
    const failed = await sync(source)
    expect(failed.status).toBe('failed')
    expect(codesOf(failed)).toMatchObject({ demand: code })
    expect(heard).toEqual([])
    await isHealed(source)
  })
})

describe('bad rows', () => {
  it('are left out by name, and taken once they are good', async () => {
    const source = await readBefore()
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
    await isHealed(source)
  })
})

describe('clocks', () => {
  it.each([
    ['ahead by two hours', 7200],
    ['ahead by three days', 3 * 86_400],
    ['behind by two hours', -7200],
  ])('that run %s lose nothing', async (_name, clockSkewSeconds) => {
    const source = await readBefore({ clockSkewSeconds })
    expect(await sync(source)).toMatchObject({ status: 'succeeded' })
    erp.control.set({ clockSkewSeconds: 0 })
    const [pair] = [...erp.truth()].filter(({ demand }) => demand.length)
    const { sku, location } = pair!
    erp.control.change([{ kind: 'issue', sku, location, quantity: 4 }])
    await isHealed(source)
  })
})

describe('two at once', () => {
  it('who start a sync get one, and the other gets its id', async () => {
    const source = await readBefore({ latencyMs: 10 })
    const start = () => post(`/sources/src_${source}/sync`, { mode: 'incremental' })
    const answers = await Promise.all([start(), start(), start()])
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409, 409])
    const begun = answers.find(({ status }) => status === 202)!.json.id
    for (const answer of answers.filter(({ status }) => status === 409)) {
      expect(errorOf(answer).code).toBe('sync_in_progress')
      expect([begun, null]).toContain(answer.error?.sync_id)
    }
    while ((await post(`/sources/src_${source}/sync`, { mode: 'incremental' })).status === 409);
    erp.control.set({ latencyMs: 0 })
    while ((await post(`/sources/src_${source}/sync`, { mode: 'incremental' })).status === 409);
  })

  it('sources that read the same ERP side by side are both whole', async () => {
    const source = await readBefore()
    const other = await connect(erp, 'client_credentials', { purchase_orders: 'v2' })
    const results = await Promise.all([sync(source, 'full'), sync(other.source, 'full')])
    expect(results).toMatchObject([{ status: 'succeeded' }, { status: 'succeeded' }])
    for (const each of [source, other.source]) {
      expect(await differencesButVanished(each, erp)).toEqual([])
    }
  })
})
