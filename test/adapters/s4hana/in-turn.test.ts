// Lists whose rows say nothing of their changes are read again in turns: here with more rows than one turn has.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Change, Erp, PairTruth } from '../../../sandbox/index.ts'
import { Copy, connectionTo, startErpOf, streamOf } from './support.ts'

type Row = Record<string, string | number>

let erp: Erp
let copy: Copy
let pairs: PairTruth[]
beforeAll(async () => {
  erp = await startErpOf({ size: 4_500, days: 1 })
  pairs = [...erp.truth({ demand: false })]
  copy = new Copy(connectionTo(erp))
  for (const record of ['skus', 'planning', 'stock'] as const) await sync(record, 'full')
}, 60_000)
afterAll(() => erp.close())

async function sync(
  record: 'skus' | 'planning' | 'stock',
  mode: 'full' | 'incremental' = 'incremental',
) {
  erp.control.clearLog()
  await copy.syncOne(streamOf(copy.connection, record), mode)
  return erp.control.traffic()
}

const last = () => pairs.findLast(({ purchasable }) => purchasable)!

it('a planning value without a timestamp is known when its turn comes, with one at once', async () => {
  const { sku, location } = last()
  const lot = (value: string, stamped: boolean) =>
    erp.control.change([
      { kind: 'planning', sku, location, values: { LotSizeRoundingQuantity: value }, stamped },
    ])
  const known = () => copy.planning.get(`${sku}\n${location}`)?.lotSize
  lot('77.000', false)
  const traffic = await sync('planning')
  expect(known()).not.toBe(77)
  expect(traffic.A_ProductSupplyPlanning!.rows).toBeLessThan(2_500)
  // A turn is 2,000 rows, of which there are some 5,400.
  for (let turns = 0; turns < 2; turns++) await sync('planning')
  expect(known()).toBe(77)
  lot('78.000', true)
  await sync('planning')
  expect(known()).toBe(78)
  lot('79.000', false)
  await sync('planning', 'full')
  expect(known()).toBe(79)
})

it('a price is known at once where its record says that it has changed', async () => {
  const { sku, location } = pairs.findLast(({ unitCost }) => unitCost)!
  const cost = () => copy.planning.get(`${sku}\n${location}`)?.unitCost
  const before = cost()
  erp.control.change([{ kind: 'price', sku, price: 321, stamped: true }])
  await sync('planning')
  expect(cost()).not.toBe(before)
  const truth = [...erp.truth({ demand: false, sku })].find((pair) => pair.location === location)!
  expect(cost()).toBe(truth.unitCost)
})

it('a supplier that is blocked is bought from no longer, wherever its products are', async () => {
  const { sku, location, supplier } = pairs.findLast((pair) => pair.supplier)!
  erp.control.change([{ kind: 'supplier', supplier: supplier!, blocked: true }])
  await sync('planning')
  expect(copy.planning.get(`${sku}\n${location}`)?.supplier).not.toBe(supplier)
  erp.control.change([{ kind: 'supplier', supplier: supplier!, blocked: false }])
  await sync('planning')
  expect(copy.planning.get(`${sku}\n${location}`)?.supplier).toBe(supplier)
})

it('a new product is known at once, with its pair and no stock', async () => {
  const Product = 'ZZ-NEW'
  const key = { Product, Plant: '1010' }
  const changed = Date.parse('2026-11-20T05:59:00Z')
  const rowOf = (set: string, key: Row, values: Row) =>
    ({ kind: 'row', set, key, values }) satisfies Change
  erp.control.change([
    rowOf('A_Product', { Product }, { BaseUnit: 'PC', LastChangeDateTime: changed }),
    rowOf('A_ProductPlant', key, { BaseUnit: 'PC' }),
    rowOf('A_ProductSupplyPlanning', key, { ProcurementType: 'F' }),
  ])
  for (const record of ['skus', 'planning', 'stock'] as const) await sync(record)
  expect(copy.skus.get(Product)).toMatchObject({ unit: 'PC' })
  expect(copy.planning.get(`${Product}\n1010`)).toMatchObject({ leadTimeDays: null })
  expect(copy.stock.get(`${Product}\n1010`)).toMatchObject({ onHand: 0 })
})

it('all pairs keep their stock, with rows or without', async () => {
  await sync('stock')
  expect(copy.stock.size).toBe(erp.control.counts().pairs + 1)
})

it('a change during a whole read is known after the next one, however long that was', async () => {
  const { sku, location } = last()
  const some = new Copy(connectionTo(erp, { page_size: 300 }))
  const read = (mode?: 'full') => some.syncOne(streamOf(some.connection, 'planning'), mode)
  erp.control.clearLog()
  // The last page is slow: the pair is read by then, and what has changed is asked for a day later.
  const skip = Math.floor(erp.control.counts().pairs / 300)
  erp.control.fault({ kind: 'slow', delayMs: 300, match: 'A_ProductSupplyPlanning', skip })
  const reading = read('full')
  while (!erp.log.some(({ fault }) => fault)) await sleep(5)
  const values = { LotSizeRoundingQuantity: '81.000' }
  erp.control.change([{ kind: 'planning', sku, location, values, stamped: true }])
  erp.control.advance(1)
  erp.control.change([{ kind: 'rename', sku: '1'.padStart(18, '0'), name: 'Later' }])
  await reading
  const lotSize = () => some.planning.get(`${sku}\n${location}`)?.lotSize
  expect(lotSize()).not.toBe(81)
  await read()
  expect(lotSize()).toBe(81)
})
