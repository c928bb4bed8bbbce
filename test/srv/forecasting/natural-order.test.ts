// The same data give the same forecasts and proposals, in whatever order their rows come, and offline as well.
import { join } from 'node:path'
import { proposalsAs } from '../../support/buyer.ts'
import { parseModel, predictDemand } from '../../../engine/index.ts'
import { removeSource } from '../../../srv/domain/sources/index.ts'
import { connectFiles, daysAgo, sync, writeFiles } from '../../support/server.ts'
import { resultsOf } from '../../support/results.ts'
import { restock } from '../../cli/run.ts'

const LOCATIONS = ['L1', 'L2', 'Ä']
const SKUS = Array.from({ length: 10 }, (_, i) => `S${i}`)
const noise = (seed: number) => ((Math.imul(seed, 2_654_435_761) >>> 8) % 1000) / 1000

const pairs = SKUS.flatMap((sku) => LOCATIONS.map((location) => ({ sku, location })))

/** A third each: regular, rare, and long out of use. */
const demand = pairs.flatMap(({ sku, location }, at) => {
  const [from, to] = at % 10 === 9 ? [1_000, 900] : [170 - ((at * 13) % 70), 1]
  return Array.from({ length: from - to }, (_, i) => {
    const luck = noise(at * 7919 + i)
    const quantity = luck < (at % 3 ? 0.3 : 0.9) ? 0 : Math.round(luck * (1 + (at % 9)) * 100) / 10
    return quantity ? [`${sku},${location},${daysAgo(from - i)},${quantity}`] : []
  }).flat()
})

const orders = pairs.flatMap(({ sku, location }, at) =>
  [0.1, 0.2, 0.3].map((part, i) => `PO${at},${i},${sku},${location},${part + i},${daysAgo(-3)}`),
)
const planning = pairs.map(({ sku, location }, at) => {
  return `${sku},${location},${5 + (at % 9)},1,${1 + (at % 4)},V${at % 3},${1 + (at % 7)}.15,EUR`
})
const stock = pairs.map(({ sku, location }, at) => `${sku},${location},${at % 5}`)

const file = (header: string, rows: string[]) => `${header}\n${rows.join('\n')}\n`

const filesOf = (inOrder: (rows: string[]) => string[]) => ({
  'demand.csv': file('sku,location,date,quantity', inOrder(demand)),
  'open_orders.csv': file('order,line,sku,location,quantity,due', inOrder(orders)),
  'customer_orders.csv': file('order,line,sku,location,quantity,due', inOrder(orders)),
  'planning.csv': file(
    'sku,location,lead_time_days,moq,lot_size,supplier,unit_cost,currency',
    inOrder(planning),
  ),
  'stock.csv': file('sku,location,on_hand', inOrder(stock)),
})

const shuffled = (rows: string[]) =>
  rows
    .map((row, i) => ({ row, at: noise(i * 31 + 7) }))
    .sort((a, b) => a.at - b.at)
    .map(({ row }) => row)

/** What comes of these files, and of a sync of each mode after it. */
async function readFiles(account: string, files: Record<string, string>) {
  const source = await connectFiles(account, files)
  expect(await sync(source, 'full')).toMatchObject({ status: 'succeeded', issues: [] })
  return source
}

/** A supplier's minimum, so that lines are raised together. */
async function setMinimum() {
  const rule = { level: 'supplier', supplier: 'V1', minimumOrderValue: '1000.00' }
  await proposalsAs({}, 'setPolicy', { rule })
}

it('the order of the rows changes nothing', async () => {
  await setMinimum()
  const first = await readFiles(
    'sorted',
    filesOf((rows) => rows),
  )
  const results = await resultsOf(first)
  expect(results.proposals.length).toBeGreaterThan(8)
  expect(results.forecasts.filter(({ model }) => /"p90":\[0/.test(model)).length).toBeLessThan(15)
  await removeSource(first)
  const second = await readFiles('shuffled', filesOf(shuffled))
  expect(await resultsOf(second)).toEqual(results)
  // A full sync after any history is as good as a clean one.
  await writeFiles('shuffled', {
    'demand.csv': file('sku,location,date,quantity', demand.slice(9)),
  })
  await sync(second)
  await writeFiles(
    'shuffled',
    filesOf((rows) => rows),
  )
  await sync(second, 'full')
  expect(await resultsOf(second)).toEqual(results)
  await removeSource(second)
})

it('restock predict says the same as the service', async () => {
  const source = await readFiles('offline', {
    'demand.csv': file('sku,location,date,quantity', shuffled(demand)),
  })
  const { forecasts, asOf } = await resultsOf(source)
  const path = join(process.env.RESTOCK_CSV_ROOT!, 'offline', 'demand.csv')
  const args = ['predict', '--history', path, '--as-of', asOf!, '--horizons', '7,28,90']
  const { stdout, code } = await restock(args)
  expect(code).toBe(0)
  const lines = forecasts.flatMap(({ sku, location, model }) =>
    [7, 28, 90].map((horizon) => {
      const { p10, p50, p90, confidence, drivers } = predictDemand(parseModel(model), horizon)
      return [sku, location, horizon, p10, p50, p90, confidence, drivers.join(';')].join()
    }),
  )
  expect(stdout.trim().split('\n').slice(1).toSorted()).toEqual(lines.toSorted())
})
