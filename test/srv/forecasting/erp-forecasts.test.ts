// What the ERP itself expects: erp_forecast.csv, kept as it was read before its periods began.
import cds from '@sap/cds'
import { keepExpected, scoreExpected } from '../../../srv/domain/quality/erp-forecasts.ts'
import {
  ErpForecasts,
  ErpForecastScores,
  Series,
  Syncs,
} from '../../../srv/base/database/entities.ts'
import { connectFiles, daysAgo, steadyDemand, sync, writeFiles } from '../../support/server.ts'

const { INSERT, SELECT, UPDATE } = cds.ql

const inDays = (days: number) => daysAgo(-days)
const file = (rows: string[]) => ({
  'erp_forecast.csv': ['sku,location,from,to,quantity', ...rows, ''].join('\n'),
})
const PERIODS = [
  `A,L1,${inDays(-3)},${inDays(3)},70`,
  `A,L1,${inDays(0)},${inDays(6)},71`,
  `A,L1,${inDays(1)},${inDays(7)},72`,
  `A,L1,${inDays(8)},${inDays(14)},73`,
]

let source: number
beforeAll(async () => {
  source = await connectFiles('expected', {
    ...{ 'demand.csv': steadyDemand(['A', 'B']), ...file(PERIODS) },
  })
  expect(await sync(source)).toMatchObject({ status: 'succeeded', quarantined: 0 })
})

const kept = async () => {
  const rows = await SELECT.from(ErpForecasts).where({ source_ID: source }).orderBy('firstDay')
  return rows.map(({ firstDay, lastDay, quantity }) => [firstDay, lastDay, quantity])
}

it('is kept of periods that have not begun', async () => {
  expect(await kept()).toEqual([
    [inDays(1), inDays(7), 72],
    [inDays(8), inDays(14), 73],
  ])
  const [row] = await SELECT.from(ErpForecasts).where({ source_ID: source })
  expect(row).toMatchObject({ readOn: inDays(0) })
})

it('stays as it was once its period has begun, and goes or changes before', async () => {
  const begun = { source_ID: source, firstDay: inDays(1) }
  await UPDATE.entity(ErpForecasts)
    .set({ firstDay: inDays(0) })
    .where(begun)
  await writeFiles('expected', file([`A,L1,${inDays(0)},${inDays(7)},1`, PERIODS[2]!]))
  expect(await sync(source)).toMatchObject({ status: 'succeeded' })
  expect(await kept()).toEqual([
    [inDays(0), inDays(7), 72],
    [inDays(1), inDays(7), 72],
  ])
  await writeFiles('expected', file([`A,L1,${inDays(1)},${inDays(5)},8`]))
  expect(await sync(source)).toMatchObject({ status: 'succeeded' })
  expect(await kept()).toEqual([
    [inDays(0), inDays(7), 72],
    [inDays(1), inDays(5), 8],
  ])
})

it('is said by months too, and a period that is none is rejected', async () => {
  const year = Number(inDays(0).slice(0, 4)) + 1
  const month = (...rows: string[]) => ({
    'erp_forecast.csv': ['sku,location,month,quantity', ...rows, ''].join('\n'),
  })
  await writeFiles('expected', month(`A,L1,${year}-02,5`, `B,L1,${year}-04-15,6`, `B,L1,x,7`))
  expect(await sync(source)).toMatchObject({ status: 'partial', quarantined: 1 })
  expect((await kept()).slice(1)).toEqual([
    [`${year}-02-01`, `${year}-02-${year % 4 ? 28 : 29}`, 5],
    [`${year}-04-01`, `${year}-04-30`, 6],
  ])
  await writeFiles(
    'expected',
    file([`A,L1,${inDays(3)},${inDays(93)},8`, PERIODS[3]!, PERIODS[2]!]),
  )
  await sync(source)
  const row = await SELECT.one.from(Syncs).where({ source_ID: source }).orderBy('ID desc')
  expect(row!.issues).toContain('90 days')
})

it('is compared with the last forecast before each period, once that is over', async () => {
  const sample = await SELECT.from(Series).where({ source_ID: source, sku: 'B' })
  const pairs = sample.map(({ ID, sku, location }) => ({ ID, sku: sku!, location: location! }))
  const of = { source_ID: source, sku: 'B', location: 'L1', readOn: daysAgo(40) }
  const coming = { ...of, firstDay: inDays(2), lastDay: inDays(8), quantity: 50 }
  const over = { ...of, firstDay: daysAgo(20), lastDay: daysAgo(14), quantity: 50, p50: 60 }
  const unseen = { ...of, firstDay: daysAgo(30), lastDay: daysAgo(24), quantity: 50 }
  await INSERT.into(ErpForecasts).entries(coming, over, unseen)
  await keepExpected(source, daysAgo(0), pairs)
  const days = async (where: object) =>
    (await SELECT.from(ErpForecasts).where({ source_ID: source, sku: 'B', ...where })).map(
      ({ firstDay, p50 }) => ({ firstDay, isKept: p50 !== null }),
    )
  expect(await days({ firstDay: inDays(2) })).toEqual([{ firstDay: inDays(2), isKept: true }])
  await scoreExpected(source, daysAgo(0), pairs, new Map())
  expect(await days({ lastDay: { '<': daysAgo(0) } })).toEqual([])
  const scores = await SELECT.from(ErpForecastScores).where({ source_ID: source })
  const demand = scores[0]!.demand!
  expect(demand).toBeGreaterThan(0)
  expect(scores).toMatchObject([
    {
      ...{ series: pairs[0]!.ID, cases: 1, p50: 60, quantity: 50 },
      ...{ error: Math.abs(demand - 60), erpError: Math.abs(demand - 50) },
    },
  ])
})
