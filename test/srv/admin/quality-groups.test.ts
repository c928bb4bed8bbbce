// Forecast quality by what the pairs are, and the pairs that cost most.
import cds from '@sap/cds'
import { ForecastSeriesScores, Series } from '../../../srv/base/database/entities.ts'
import { connectFiles, daysAgo, sync } from '../../support/server.ts'
import { aKey, get } from '../v1/api.ts'
import { rows } from './admin.ts'

const { DELETE, INSERT, SELECT } = cds.ql

const PAIRS = ['A', 'B', 'C'].flatMap((sku) => ['L1', 'L2'].map((location) => ({ sku, location })))
let source: number
let page: string
let numbers: Map<string, number>

beforeAll(async () => {
  const demand = PAIRS.flatMap(({ sku, location }, at) =>
    Array.from({ length: 300 }, (_, i) => {
      const day = 300 - i
      return `${sku},${location},${daysAgo(day)},${5 + at + ((day * 7919) % (3 + at))}`
    }),
  )
  source = await connectFiles('groups', {
    'demand.csv': `sku,location,date,quantity\n${demand.join('\n')}\n`,
    'stock.csv': 'sku,location,on_hand\nA,L1,3\n',
    'items.csv':
      'sku,name,group,supplier,unit_cost,currency\nA,Hammer,TOOLS,S-1,10.00,EUR\nB,Saw,TOOLS,S-2,1.00,EUR\nC,Doll,TOYS,S-2,,\n',
  })
  expect(await sync(source, 'full')).toMatchObject({ status: 'succeeded', issues: [] })
  page = `ForecastQuality(${source})`
  const series = await SELECT.from(Series).where({ source_ID: source })
  numbers = new Map(series.map(({ ID, sku, location }) => [`${sku} ${location}`, ID]))
})

it('a source’s past is replayed by series, and compared with repeating the last season', async () => {
  const scores = await SELECT.from(ForecastSeriesScores).where({ source_ID: source })
  expect(new Set(scores.map(({ series }) => series)).size).toBe(PAIRS.length)
  expect(new Set(scores.map(({ kind }) => kind))).toEqual(new Set(['replayed']))
  const losses = scores.reduce(
    (sum, { loss, naiveLoss }) => [sum[0]! + loss!, sum[1]! + naiveLoss!],
    [0, 0],
  )
  expect(losses[0]).toBeGreaterThan(0)
  expect(losses[1]).toBeGreaterThan(0)
  const byLocation: { code?: string; pairs?: number; cases?: number }[] = await rows(
    `${page}/byLocation?$orderby=position`,
  )
  expect(byLocation.map(({ code, pairs }) => [code, pairs]).sort()).toEqual([
    ['L1', 3],
    ['L2', 3],
  ])
  const cases = scores.reduce((sum, score) => sum + score.cases!, 0)
  expect(Number(byLocation[0]!.cases) + Number(byLocation[1]!.cases)).toBe(cases)
})

describe('of forecasts that were given', () => {
  const score = (pair: string, demand: number, more: object = {}) => ({
    ...{ source_ID: source, kind: 'given', series: numbers.get(pair), month: '2026-03-01' },
    ...{ demandClass: 'smooth', cases: 20, p50: 1.1 * demand, demand, squares: demand ** 2 / 20 },
    ...{ error: 0.2 * demand, loss: 50, naiveLoss: 100, ...more },
  })

  beforeAll(async () => {
    await DELETE.from(ForecastSeriesScores).where({ source_ID: source })
    await INSERT.into(ForecastSeriesScores).entries([
      score('A L1', 1000),
      score('A L2', 100, { squares: (2 * 100 ** 2) / 20, naiveLoss: 40 }),
      score('B L1', 1000, { demandClass: 'lumpy', squares: (3 * 1000 ** 2) / 20 }),
      score('C L1', 500),
      score('C L1', 500, { month: '2025-02-01' }),
    ])
  })

  it('each group tells bias, loss against naive, and what it was off by in money', async () => {
    expect(await rows(`${page}/byGroup?$orderby=position`)).toMatchObject([
      {
        ...{ code: 'TOOLS', pairs: 3, cases: 60, bias: 10, weightedLoss: 14.3, toNaive: -37.5 },
        ...{ error: 420, money: 2400, currency: 'EUR', toNaiveCriticality: 3 },
      },
      // Only the latest year counts; what it costs is not known.
      { code: 'TOYS', pairs: 1, cases: 20, toNaive: -50, money: null, toNaiveCriticality: 0 },
    ])
    expect(await rows(`${page}/bySupplier?$orderby=position`)).toMatchObject([
      { code: 'S-1', toNaive: -28.6, money: 2200 },
      { code: 'S-2', pairs: 2, money: 200 },
    ])
    expect(await rows(`${page}/byPattern?$orderby=position`)).toMatchObject([
      { code: 'smooth', text: 'Smooth', pairs: 3 },
      { code: 'lumpy', pairs: 1 },
    ])
  })

  it('ABC follows the value of demand, XYZ its variation', async () => {
    expect(await rows(`${page}/byAbc?$orderby=position`)).toMatchObject([
      { code: 'A', pairs: 1 },
      { code: 'B', pairs: 2 },
      { code: '', pairs: 1 },
    ])
    expect(await rows(`${page}/byXyz?$orderby=position`)).toMatchObject([
      { code: 'X', pairs: 2 },
      { code: 'Y', pairs: 1 },
      { code: 'Z', pairs: 1 },
    ])
  })

  it('the worst are those that were off by the most money, then by the most units', async () => {
    expect(await rows(`${page}/worst?$orderby=position`)).toMatchObject([
      { sku: 'A', skuName: 'Hammer', location: 'L1', money: 2000, error: 200, abcXyz: 'AX' },
      { sku: 'B', location: 'L1', money: 200, classText: 'Lumpy', abcXyz: 'BZ' },
      { sku: 'A', location: 'L2', money: 200, toNaive: 25, abcXyz: 'BY' },
      { sku: 'C', location: 'L1', money: null, bias: 10, abcXyz: '–X' },
    ])
  })
})

describe('over /v1', () => {
  it('a source tells its figures, with their standard errors, by part and the worst', async () => {
    const { status, json } = await get(`/sources/src_${source}/quality`)
    expect(status).toBe(200)
    expect(json).toMatchObject({
      ...{ source_id: `src_${source}`, kind: 'given', series: 6, pairs: 4, cases: 80 },
      ...{ bias: 10, bias_error: 0, erp_cases: 0, to_erp: null, currency: 'EUR' },
    })
    expect(json.groups.filter(({ part }) => part === 'supplier')).toMatchObject([
      { code: 'S-1', to_naive: -28.6 },
      { code: 'S-2', pairs: 2 },
    ])
    expect(json.worst).toMatchObject([
      { sku: 'A', name: 'Hammer', pattern: 'smooth', abc: 'A' },
      {},
      {},
      {},
    ])
  })

  it('is refused without the scope, and of a source that is not there', async () => {
    const reader = await aKey({ scopes: ['forecasts:read'] })
    expect((await get(`/sources/src_${source}/quality`, { key: reader })).status).toBe(403)
    expect((await get('/sources/src_999999/quality')).status).toBe(404)
  })
})
