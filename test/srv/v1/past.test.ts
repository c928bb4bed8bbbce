// What was read of the past of each pair, `GET /sources/{id}/past`, and `restock pilot` on it, with the figures of files.
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { PastPair } from '../../../client/index.ts'
import type { Report } from '../../../cli/pilot/figures.ts'
import { restock } from '../../cli/run.ts'
import { connectFiles, daysAgo, serverUrl, sync } from '../../support/server.ts'
import { aKey, get } from './api.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'restock-past-'))
afterAll(() => rmSync(folder, { recursive: true }))

const DAYS = 240
const SKUS = ['A', 'B', 'C']
const soldOn = (at: number, day: number) => 1 + ((day * (2 * at + 1)) % 4)
/** Every 14 days so much as is sold in them, ordered 9 days before. */
const RECEIPTS = Array.from({ length: Math.floor(DAYS / 14) }, (_, at) => 14 * at + 1)

const files = () => ({
  'demand.csv': [
    'sku,location,date,quantity',
    ...SKUS.flatMap((sku, at) =>
      Array.from({ length: DAYS }, (_, day) => `${sku},L1,${daysAgo(day + 1)},${soldOn(at, day)}`),
    ),
  ].join('\n'),
  'items.csv': [
    'sku,group,supplier,unit_cost,currency',
    'A,G,S1,4,EUR',
    'B,G,S1,2.5,EUR',
    'C,H,S2,8,EUR',
  ].join('\n'),
  'planning.csv': [
    'sku,location,lead_time_days,review_period_days',
    ...SKUS.map((sku) => `${sku},L1,7,14`),
  ].join('\n'),
  'supplier_terms.csv': 'supplier,minimum_order_value,order_cost\nS1,90,7.5\n',
  'stock.csv': ['sku,location,on_hand', ...SKUS.map((sku) => `${sku},L1,60`)].join('\n'),
  'open_orders.csv': [
    'order,line,sku,location,quantity,ordered_on',
    `N1,1,A,L1,20,${daysAgo(3)}`,
  ].join('\n'),
  'receipts.csv': [
    'order,line,sku,location,quantity,ordered_on,received_on',
    ...RECEIPTS.flatMap((day) =>
      SKUS.map((sku, at) => `P${day},${at + 1},${sku},L1,35,${daysAgo(day + 9)},${daysAgo(day)}`),
    ),
  ].join('\n'),
})

let source: string
let key: string
beforeAll(async () => {
  const ID = await connectFiles('past', files())
  await sync(ID, 'full')
  source = `src_${ID}`
  key = await aKey({ scopes: ['sources:manage'] })
})

it('tells of each pair its demand, orders and terms, page by page', async () => {
  const first = await get(`/sources/${source}/past?limit=2`, { key })
  const page = first.json as { data: PastPair[]; next_cursor: string; has_more: boolean }
  expect([page.data.length, page.has_more]).toEqual([2, true])
  const rest = await get(`/sources/${source}/past?limit=2&cursor=${page.next_cursor}`, { key })
  const pairs = [...page.data, ...(rest.json as typeof page).data]
  expect(pairs.map(({ sku }) => sku).sort()).toEqual(SKUS)
  const a = pairs.find(({ sku }) => sku === 'A')!
  expect(a).toMatchObject({
    ...{
      location: 'L1',
      group: 'G',
      supplier: 'S1',
      unit_cost: '4.0000',
      currency: 'EUR',
      on_hand: 60,
    },
    ...{
      lead_time_days: 7,
      review_period_days: 14,
      order_days: null,
      target_quantile: null,
      stockout_cost_share: 0.4,
    },
  })
  expect(a.supplier_order).toEqual({
    ...{ location: '', minimum_value: 90, minimum_quantity: null, container_units: null },
    ...{ free_freight_from: null, freight_cost: null, order_cost: 7.5, cover_days: 28 },
  })
  expect(pairs.find(({ sku }) => sku === 'C')!.supplier_order).toBeNull()
  expect(a.days.length).toBe(DAYS)
  expect(a.quantities.at(-1)).toBe(soldOn(0, 0))
  expect(a.order_lines.length).toBe(RECEIPTS.length + 1)
  expect(a.order_lines.at(-1)).toEqual({
    ...{ document: 'N1', ordered_on: daysAgo(3), received_on: null, quantity: 20 },
  })
})

it('is replayed by `restock pilot`', async () => {
  const env = { RESTOCK_URL: `${serverUrl()}/v1`, RESTOCK_API_KEY: key }
  const { code, stdout, stderr } = await restock(['pilot', source, '--weeks', '12', '--json'], {
    env,
  })
  if (code !== 0) throw new Error(stderr)
  const report = JSON.parse(stdout) as Report
  expect(report.pairsOf).toMatchObject({ known: 3, replayed: 3 })
  expect(report.currency).toBe('EUR')
  expect(report.pairs.map(({ sku, orderCost }) => [sku, orderCost])).toEqual([
    ['A', 7.5],
    ['B', 7.5],
    ['C', 0],
  ])
  // Stock counted back from today's by receipts and demand.
  const value = SKUS.map((_, at) => {
    let [stock, total] = [60, 0]
    for (let day = 0; day < 84; day++) {
      total += stock
      stock += soldOn(at, day) - (RECEIPTS.includes(day + 1) ? 35 : 0)
    }
    return ([4, 2.5, 8][at]! * total) / 84
  }).reduce((sum, each) => sum + each, 0)
  expect(report.all.stockValue.own.value).toBeCloseTo(value, 4)
})
