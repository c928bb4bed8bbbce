import cds from '@sap/cds'
import { ForecastScores } from '../../../srv/base/database/entities.ts'
import { connectFiles, steadyDemand, sync } from '../../support/server.ts'
import { get, rows } from './admin.ts'

const { DELETE, INSERT } = cds.ql

let source: number
let page: string

const NOTHING = { cases: 0, covered: 0, above: 0, below: 0, bounded: 0, p50: 0, demand: 0, loss: 0 }

/** A hundred windows, of which so many lay within the range, and the others above it. */
const score = (kind: string, month: string, covered: number, more: object = {}) => ({
  ...{ ...NOTHING, source_ID: source, kind, month, demandClass: 'smooth', confidence: 'high' },
  ...{ cases: 100, covered, above: 100 - covered, bounded: 100, p50: 1100, demand: 1000, loss: 50 },
  ...more,
})
const SCORES = ForecastScores

beforeAll(async () => {
  source = await connectFiles('admin-quality', {
    'demand.csv': steadyDemand(['A'], { days: 30 }),
    'stock.csv': 'sku,location,on_hand\nA,L1,3\n',
  })
  await sync(source, 'full')
  page = `ForecastQuality(${source})`
})
beforeEach(() => DELETE.from(SCORES).where({ source_ID: source }))

it('says that no window has ended yet', async () => {
  expect((await get(page)).json).toMatchObject({
    ...{ series: 1, forecasts: 1, isUnmeasured: true, kind: null, period: null },
    ...{ cases: 0, coverage: null, bias: null, weightedLoss: null, coverageCriticality: 0 },
  })
  for (const part of ['byMonth', 'byClass', 'byConfidence'])
    expect(await rows(`${page}/${part}`)).toEqual([])
})

it('shows the replayed past until a window of a forecast that was given has ended', async () => {
  await INSERT.into(SCORES).entries([score('replayed', '2026-03-01', 90)])
  expect((await get(page)).json).toMatchObject({
    ...{ kind: 'replayed', kindText: 'Recalculated for the past', cases: 100, isUnmeasured: false },
    ...{ coverage: 90, period: 'Mar 2026', coverageCriticality: 3, aboveCriticality: 3 },
  })
  await INSERT.into(SCORES).entries([score('given', '2026-04-01', 40)])
  expect((await get(page)).json).toMatchObject({
    ...{ kind: 'given', cases: 100, coverage: 40, aboveP90: 60, belowP10: 0, bias: 10 },
    ...{ weightedLoss: 10, coverageCriticality: 1, aboveCriticality: 1, biasCriticality: 3 },
  })
})

it('adds up the three latest months, and shows all of them', async () => {
  const months = ['2025-11-01', '2026-01-01', '2026-02-01', '2026-03-01']
  await INSERT.into(SCORES).entries([
    ...months.map((month, at) => score('given', month, 80 - at)),
    score('given', '2026-03-01', 10, { demandClass: 'lumpy', confidence: 'low' }),
  ])
  expect((await get(page)).json).toMatchObject({
    ...{ cases: 400, coverage: 61.0, period: 'Jan 2026 – Mar 2026' },
  })
  const byMonth = await rows(`${page}/byMonth?$orderby=position`)
  expect(byMonth).toMatchObject([
    { code: '2026-03-01', text: 'Mar 2026', cases: 200, coverage: 43.5 },
    { code: '2026-02-01' },
    { code: '2026-01-01' },
    { code: '2025-11-01', cases: 100, coverage: 80, kindText: 'As forecast then' },
  ])
  expect(await rows(`${page}/byClass?$orderby=position`)).toMatchObject([
    { code: 'smooth', text: 'Smooth', cases: 300, coverage: 78 },
    { code: 'lumpy', cases: 100, coverage: 10 },
  ])
  expect(await rows(`${page}/byConfidence?$orderby=position`)).toMatchObject([
    { code: 'high', text: 'High', cases: 300 },
    { code: 'low', cases: 100 },
  ])
  expect((await rows('ForecastQuality')).at(-1)).toMatchObject({ source, cases: 400 })
})

it('rates nothing that few cases say', async () => {
  await INSERT.into(SCORES).entries([score('given', '2026-03-01', 0, { cases: 49, above: 49 })])
  expect((await get(page)).json).toMatchObject({ coverage: 0, coverageCriticality: 0 })
})

it('is read by its source, and is not filtered', async () => {
  await INSERT.into(SCORES).entries([score('given', '2026-03-01', 80)])
  const other = await connectFiles('admin-quality-2', {})
  expect((await rows('ForecastQuality')).map((row: { source: number }) => row.source)).toEqual(
    expect.arrayContaining([source, other]),
  )
  expect(await rows(`${page}/byMonth`)).toMatchObject([{ code: '2026-03-01', coverage: 80 }])
  expect((await get(`ForecastQuality?$filter=source ne ${source}`)).status).toBe(400)
  expect((await get(`ForecastQuality(${other})/byMonth/$count`)).text).toBe('0')
  expect((await get('ForecastQuality(999)')).status).toBe(404)
})

it('is there for auditors, and for nobody else', async () => {
  expect((await get(page, 'auditor')).status).toBe(200)
  expect((await get(`${page}/byMonth`, 'buyer')).status).toBe(403)
})
