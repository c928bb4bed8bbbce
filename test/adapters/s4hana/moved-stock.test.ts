// Of stock a later read asks for what has moved, and holds that against a range in turn: here with more rows than one turn has.
import type { Change, Erp, PairTruth } from '../../../sandbox/index.ts'
import { Copy, connectionTo, startErpOf, streamOf } from './support.ts'

let erp: Erp
let copy: Copy
let rowsOfAll: number
beforeAll(async () => {
  erp = await startErpOf({ size: 3_000, days: 20 })
  copy = new Copy(connectionTo(erp))
  rowsOfAll = await read('full')
}, 60_000)
afterAll(() => erp.close())

async function read(mode: 'full' | 'incremental' = 'incremental'): Promise<number> {
  erp.control.clearLog()
  await copy.syncOne(streamOf(copy.connection, 'stock'), mode)
  return erp.control.traffic().A_MatlStkInAcctMod!.rows
}

const truth = () => [...erp.truth({ demand: false })]
const stockOf = ({ sku, location }: { sku: string; location: string }) =>
  copy.stock.get(`${sku}\n${location}`)
const quantities = (of: Partial<Record<string, unknown>> | undefined) =>
  ['onHand', 'backorders', 'inInspection', 'blocked', 'inTransit'].map((field) => of?.[field] ?? 0)
/** Pairs whose stock was read otherwise than it is. */
const others = () =>
  truth().filter((pair) => String(quantities({ ...pair })) !== String(quantities(stockOf(pair))))

it('a day later less is read, and all is true', async () => {
  erp.control.advance(1)
  expect(await read()).toBeLessThan(rowsOfAll * 0.8)
  expect(others()).toEqual([])
  expect(copy.stock.size).toBe(truth().length)
})

it('a sale is known at once, wherever its product is', async () => {
  const last = truth().at(-1)!
  const { sku, location, onHand } = last
  erp.control.change([
    { kind: 'issue', sku, location, quantity: 1 },
    { kind: 'onHand', sku, location, quantity: onHand + 41 },
  ])
  await read()
  expect(stockOf(last)?.onHand).toBe(onHand + 41)
})

it('what changes without a document is known when its turn comes', async () => {
  const changed = truth().filter((_pair, at) => at % 900 === 5)
  erp.control.change(
    changed.map(({ sku, location }): Change => ({ kind: 'onHand', sku, location, quantity: 555 })),
  )
  for (let turn = 0; turn < 3; turn++) await read()
  expect(changed.map((pair) => stockOf(pair)?.onHand)).toEqual(changed.map(() => 555))
})

it('where much changes without a document all is read at once', async () => {
  const put = (pairs: PairTruth[], quantity: number) =>
    erp.control.change(
      pairs.map(({ sku, location }): Change => ({ kind: 'onHand', sku, location, quantity })),
    )
  put(
    truth().filter((_pair, at) => at % 10 === 3),
    777,
  )
  expect(await read()).toBeGreaterThanOrEqual(rowsOfAll * 0.9)
  expect(others()).toEqual([])
})
