// Orders and movements that look like others, and change one's own stock otherwise.
import type { RecordKind, RecordOf } from '../../../adapters/records.ts'
import { parseMovements } from '../../../adapters/s4hana/demand/movements.ts'
import { s4hanaOptions } from '../../../adapters/s4hana/options.ts'
import type { Change, Erp, PairTruth } from '../../../sandbox/index.ts'
import type { Row } from '../../../sandbox/odata/object-set.ts'
import { Copy, connectionTo, differences, pagesOf, startSmallErp, streamOf } from './support.ts'

let erp: Erp
let pair: PairTruth
beforeEach(async () => {
  erp = await startSmallErp()
  const isBought = ({ purchasable, openOrders }: PairTruth) => purchasable && !openOrders.length
  pair = [...erp.truth({ demand: false })].find(isBought)!
})
afterEach(() => erp.close())

const where = () => ({ sku: pair.sku, location: pair.location })
const change = (...changes: Change[]) => erp.control.change(changes)
const order = (quantity: number) => change({ kind: 'order', ...where(), quantity })[0]!.document!
const isHere = ({ sku, location }: { sku: string; location: string }) =>
  sku === pair.sku && location === pair.location

async function read<K extends RecordKind>(record: K, options: object) {
  const pages = await pagesOf(streamOf(connectionTo(erp, { ...options }), record))
  return pages.flatMap(({ records }) => records as RecordOf<K>[])
}

it('has what is released from valuated blocked stock no longer on order, and what is taken back again', async () => {
  const document = order(20)
  const copy = await new Copy(connectionTo(erp, { purchase_orders: 'v2' })).sync('full')
  const open = () => [...copy.openOrders.values()].filter((row) => row.document === document)
  const [whole] = open()
  const line = { order: document, item: whole!.line.split('/')[0]! }
  change({ kind: 'receive', ...line, quantity: 7, type: '109' })
  await copy.sync()
  expect(open()).toMatchObject([{ quantity: whole!.quantity - 7 }])
  change({ kind: 'receive', ...line, quantity: 2, type: '110' })
  await copy.sync()
  expect(open()).toMatchObject([{ quantity: whole!.quantity - 5 }])
  expect(differences(copy, erp)).toEqual([])
  const receipts = await read('receipts', { purchase_orders: 'v2' })
  const own = receipts.filter((row) => row.document === document)
  expect(own.map(({ quantity }) => quantity).sort()).toEqual([-2, 7])
})

it.each(
  ['v2', 'v4'].flatMap((version) => [
    ['consignment, whose stock stays the supplier’s', version, { PurchaseOrderItemCategory: '2' }],
    ['what goes to a subcontractor', version, { SupplierIsSubcontractor: true }],
  ]) as [string, string, Row][],
)('does not await %s: %s', async (_name, version, values) => {
  const [own, consigned] = [order(20), order(30)]
  const set = version === 'v2' ? 'A_PurchaseOrderItem' : 'PurchaseOrderItem'
  const key = { PurchaseOrder: consigned, PurchaseOrderItem: '00010' }
  const copy = await new Copy(connectionTo(erp, { purchase_orders: version })).sync('full')
  change({ kind: 'row', set, key, values })
  for (const mode of ['incremental', 'full'] as const) {
    await copy.sync(mode)
    const here = [...copy.openOrders.values()].filter(isHere)
    expect(here.map(({ document }) => document)).toEqual([own])
  }
})

it('counts what is sent by a stock transport order without a delivery where it leaves', async () => {
  const { movements } = s4hanaOptions.parse({})
  expect(parseMovements(movements)!.get('351')).toBe(1)
  const before = new Set((await read('demand', {})).map(({ document }) => document))
  const [sent] = change({ kind: 'issue', ...where(), quantity: 9, type: '351' })
  const [undone] = change({ kind: 'issue', ...where(), quantity: 4, type: '352' })
  const found = (await read('demand', {})).filter(({ document }) => !before.has(document))
  expect(found).toMatchObject([
    { ...where(), quantity: 9, document: `${sent!.year}/${sent!.document}/0001` },
    { ...where(), quantity: -4, document: `${undone!.year}/${undone!.document}/0001` },
  ])
})

it.each([
  ['to a subcontractor, not what is used there', 'O', '541', '542', '543'],
  ['into consignment at a customer, not what is sold there', 'W', '631', '632', '633'],
])('counts what is sent %s', async (_name, special, out, back, used) => {
  const before = new Set((await read('demand', {})).map(({ document }) => document))
  const post = (type: string, quantity: number, mark = special) =>
    change({ kind: 'issue', ...where(), quantity, type, special: mark })[0]!.document
  const [sent, unmarked, undone] = [post(out, 9), post(out, 5, ''), post(back, 4)]
  post(used, 8)
  post(out, 7, 'E')
  const found = (await read('demand', {})).filter(({ document }) => !before.has(document))
  expect(found.map(({ document, quantity }) => [document!.split('/')[1], quantity])).toEqual([
    [sent, 9],
    [unmarked, 5],
    [undone, -4],
  ])
})

it('has on order what is under way in a transfer of two steps, and it is no demand', async () => {
  const copy = await new Copy(connectionTo(erp)).sync('full')
  const before = [...copy.demand.keys()].sort()
  const stock = (type: string, storageLocation: string, quantity: number | null) =>
    change({ kind: 'stock', ...where(), type, storageLocation, quantity })
  const here = () =>
    [...copy.openOrders.values()].filter(
      (row) => isHere(row) && !pair.openOrders.some(({ order }) => order === row.document),
    )
  for (const type of ['303', '313']) change({ kind: 'issue', ...where(), quantity: 5, type })
  stock('05', '', 12)
  stock('04', '101A', 3)
  stock('06', '', 100)
  for (const mode of ['incremental', 'full'] as const) {
    await copy.sync(mode)
    expect(here()).toEqual([
      {
        ...{ document: `StockInTransfer(${pair.location})`, line: pair.sku, ...where() },
        ...{ quantity: 15, due: null, reference: null, supplier: null, orderedOn: null },
      },
    ])
    expect(differences(copy, erp)).toEqual([])
  }
  expect([...copy.demand.keys()].sort()).toEqual(before)
  stock('05', '', null)
  stock('04', '101A', null)
  await copy.sync()
  expect(here()).toEqual([])
})
