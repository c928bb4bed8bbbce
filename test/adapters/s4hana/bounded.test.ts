// What an incremental read asks for is bounded by what is open and what has changed, not by the history.
import type { Erp } from '../../../sandbox/index.ts'
import {
  adapter,
  Copy,
  connectionTo,
  differences,
  isOrder,
  startErpOf,
  streamOf,
} from './support.ts'

let erp: Erp
afterEach(() => erp.close())

const readOne = async (copy: Copy, record: 'openOrders' | 'customerOrders', mode?: 'full') => {
  erp.control.clearLog()
  await copy.syncOne(streamOf(copy.connection, record), mode)
  return erp.control.traffic()
}

/** The purchase orders that are named in a filter, alone or as the ends of a range of consecutive ones. */
function namedOrders(set: string): Set<string> {
  const filters = erp.log
    .filter(({ path }) => path.endsWith(`/${set}`))
    .map(({ query }) => new URLSearchParams(query).get('$filter') ?? '')
  const named = new Set<string>()
  for (const filter of filters) {
    for (const [, one, first, last] of filter.matchAll(
      /Purchas\w+ eq '(\d+)'|Purchas\w+ ge '(\d+)' and Purchas\w+ le '(\d+)'/g,
    )) {
      for (let number = Number(one ?? first); number <= Number(one ?? last); number++) {
        named.add(String(number))
      }
    }
  }
  return named
}

describe.each(['v2', 'v4'])('of purchase orders (%s)', (version) => {
  it('those with an open item are asked for, and no others', async () => {
    erp = await startErpOf({ size: 300, days: 500 })
    const copy = new Copy(connectionTo(erp, { purchase_orders: version }))
    await readOne(copy, 'openOrders', 'full')
    erp.control.advance(1)
    const traffic = await readOne(copy, 'openOrders')
    const items = version === 'v2' ? 'A_PurchaseOrderItem' : 'PurchaseOrderItem'
    const sets =
      version === 'v2'
        ? ['A_PurchaseOrderScheduleLine', 'A_PurchaseOrder', 'A_MaterialDocumentItem']
        : ['PurchaseOrderScheduleLine', 'PurchaseOrder']
    const open = namedOrders(sets[0]!)
    expect(open.size).toBeGreaterThan(10)
    expect(open.size).toBeLessThanOrEqual(traffic[items]!.rows)
    expect(open.size).toBeLessThan(erp.control.counts().purchaseOrders / 5)
    for (const set of sets) for (const order of namedOrders(set)) expect(open).toContain(order)
    // An item has two schedule lines at most; an order's other items come along.
    expect(traffic[sets[0]!]!.rows).toBeLessThanOrEqual(open.size * 14)
    const headers = erp.log.filter(({ path }) => path.endsWith(`/${sets[1]}`))
    const byNumber = headers.filter(({ query }) => !query.includes('LastChangeDateTime'))
    expect(byNumber.reduce((sum, { rows }) => sum + rows, 0)).toBe(open.size)
    const documents = new Set(
      [...copy.openOrders.values()].filter(isOrder).map(({ document }) => document),
    )
    for (const document of documents) expect(open).toContain(document)
  })
})

it('of receipts (V2) those of orders that goods have come of are read, beside some in turn', async () => {
  erp = await startErpOf({ size: 4_000, days: 60 })
  const copy = new Copy(connectionTo(erp, { purchase_orders: 'v2' }))
  await readOne(copy, 'openOrders', 'full')
  const all = namedOrders('A_MaterialDocumentItem')
  expect(all.size).toBeGreaterThan(150)
  const open = [...copy.openOrders.values()].findLast(({ quantity }) => quantity > 5)!
  const [order, item] = [open.document, open.line.split('/')[0]!]
  erp.control.change([{ kind: 'receive', order, item, quantity: 1 }])
  await readOne(copy, 'openOrders')
  const some = namedOrders('A_MaterialDocumentItem')
  expect(some).toContain(order)
  expect(some.size).toBeLessThan(all.size)
  const left = () =>
    [...copy.openOrders.values()]
      .filter(({ document, line }) => document === order && line.startsWith(item))
      .reduce((sum, { quantity }) => sum + quantity, 0)
  const before = left()
  await readOne(copy, 'openOrders', 'full')
  expect(left()).toBe(before)
}, 60_000)

it('of a cursor of another version nothing is believed', async () => {
  erp = await startErpOf({ size: 60, days: 60 })
  const connection = connectionTo(erp, { purchase_orders: 'v2' })
  const copy = await new Copy(connection).sync('full')
  for (const cursor of ['whole', '{"from":"2026-11-01","received":"?"}', '{}', '{', '']) {
    for (const record of ['planning', 'stock', 'openOrders'] as const)
      copy.cursors.set(record, cursor)
    erp.control.change([{ kind: 'onHand', ...pairOf(erp), quantity: cursor.length }])
    await copy.sync()
    expect(differences(copy, erp)).toEqual([])
  }
})

it('is told by a cursor of weeks ago, too', async () => {
  erp = await startErpOf({ size: 60, days: 60 })
  const copy = await new Copy(connectionTo(erp, { purchase_orders: 'v2' })).sync('full')
  erp.control.advance(25)
  await copy.sync()
  expect(differences(copy, erp).filter((each) => !each.includes('pairs, not'))).toEqual([])
})

it('comes in smaller pages from a system that refuses large ones', async () => {
  erp = await startErpOf({ size: 60, days: 30 })
  erp.control.fault({ kind: 'status', status: 400, match: 'top=5000', times: null })
  const connection = connectionTo(erp, { page_size: 5000 })
  const copy = await new Copy(connection).sync('full')
  expect(differences(copy, erp)).toEqual([])
  expect(erp.log.filter(({ fault }) => fault).length).toBeLessThan(20)
  expect(adapter.options.parse({})).toMatchObject({ page_size: 5000 })
})

function pairOf({ truth }: Erp) {
  const { sku, location } = [...truth({ demand: false })][0]!
  return { sku, location }
}
