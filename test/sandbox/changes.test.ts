// Edits of orders, receipts, prices and plans: the rows that are served and the truth follow them alike.
import { startErp } from '../../sandbox/index.ts'
import { ms, query, rowsOf } from './client.ts'
import { onOrderV2, onOrderV4 } from './reference.ts'
import type { Change, Erp, OpenOrderTruth } from '../../sandbox/index.ts'

const NOW = '2026-02-10T08:30:00Z'
let erp: Erp
beforeEach(async () => {
  erp = await startErp({ size: 100, days: 200, now: NOW, defaultPage: 5000 })
})
afterEach(() => erp.close())

const openOrders = () => [...erp.truth({ demand: false })].flatMap((pair) => pair.openOrders)
const linesOf = ({ order, item }: OpenOrderTruth) =>
  openOrders()
    .filter((line) => line.order === order && line.item === item)
    .map(({ scheduleLine, quantity, due }) => [scheduleLine, quantity, due])

/** What both versions of the service say is open is what the truth says. */
async function agree() {
  const [v2, v4] = [await onOrderV2(erp), await onOrderV4(erp)]
  for (const { sku, location, onOrder } of erp.truth({ demand: false })) {
    const pair = `${sku} ${location}`
    expect([pair, v2.get(pair) ?? 0, v4.get(pair) ?? 0]).toEqual([pair, onOrder, onOrder])
  }
}

/** An open line with one schedule line of which nothing has come. */
function anOpenLine() {
  const keyOf = ({ order, item }: { order: string; item: string }) => `${order}/${item}`
  const received = new Set(erp.receipts().map(keyOf))
  const open = [...Map.groupBy(openOrders(), keyOf).values()]
  const [whole] = open.find(
    ([line, ...others]) => !others.length && line!.quantity > 9 && !received.has(keyOf(line!)),
  )!
  return { ...whole!, line: { order: whole!.order, item: whole!.item } }
}

const changedAt = async (order: string) => {
  const path = 'API_PURCHASEORDER_PROCESS_SRV/A_PurchaseOrder'
  const [row] = await rowsOf(erp, `${path}?${query({ $filter: `PurchaseOrder eq '${order}'` })}`)
  return ms(row!.LastChangeDateTime)
}

it.each<[string, Partial<Change>, Partial<Change>]>([
  ['closed', { kind: 'orderLine', completed: true }, { kind: 'orderLine', completed: false }],
  ['deleted', { kind: 'orderLine', deletion: 'L' }, { kind: 'orderLine', deletion: '' }],
  ['blocked', { kind: 'orderLine', deletion: 'S' }, { kind: 'orderLine', deletion: '' }],
])('an order line is %s and opened again', async (_name, close, reopen) => {
  const open = anOpenLine()
  const before = linesOf(open)
  erp.control.change([{ ...close, ...open.line } as Change])
  expect(linesOf(open)).toEqual([])
  expect(await changedAt(open.order)).toBeGreaterThanOrEqual(Date.parse(NOW))
  await agree()
  erp.control.change([{ ...reopen, ...open.line } as Change])
  expect(linesOf(open)).toEqual(before)
  await agree()
})

it('a whole order is deleted while its lines keep their code', async () => {
  const open = anOpenLine()
  const { order } = open
  erp.control.change([{ kind: 'orderHeader', order, deletion: 'L' }])
  expect(openOrders().filter((line) => line.order === order)).toEqual([])
  erp.control.change([{ kind: 'orderHeader', order, deletion: '' }])
  expect(linesOf(open)).toHaveLength(1)
  await agree()
})

it('a schedule line is put off, and split in two', async () => {
  const open = anOpenLine()
  erp.control.change([{ kind: 'scheduleLine', ...open.line, due: '2026-05-04' }])
  expect(linesOf(open)).toEqual([['0001', open.quantity, '2026-05-04']])
  erp.control.change([{ kind: 'splitSchedule', ...open.line, quantity: 1, due: '2026-06-01' }])
  const [first, second] = linesOf(open)
  expect([first![0], second![0], second![2]]).toEqual(['0001', '0002', '2026-06-01'])
  expect(Number(first![1]) + Number(second![1])).toBe(open.quantity)
  await agree()
  const whole = { kind: 'splitSchedule', ...open.line, quantity: 1e6, due: '2026-06-01' } as const
  expect(() => erp.control.change([whole])).toThrow('must stay')
})

it('not stamped, a change leaves the timestamp of its order', async () => {
  const { order, line } = anOpenLine()
  const before = await changedAt(order)
  erp.control.change([
    { kind: 'orderLine', ...line, completed: true, stamped: false },
    { kind: 'orderLine', ...line, completed: false, stamped: false },
    { kind: 'scheduleLine', ...line, due: '2026-05-04', stamped: false },
    { kind: 'splitSchedule', ...line, quantity: 1, due: '2026-06-01', stamped: false },
  ])
  expect(await changedAt(order)).toBe(before)
  await agree()
})

it('a late receipt closes a line, and its cancellation opens it again', async () => {
  const open = anOpenLine()
  const { line, quantity } = open
  const before = linesOf(open)
  const leadTimes = erp.leadTimes()
  erp.control.change([{ kind: 'receive', ...line, quantity, postingDate: '2026-02-02' }])
  expect(linesOf(open)).toEqual([])
  const came = erp.receipts().filter((each) => each.order === line.order && each.item === line.item)
  expect(came.map((each) => [each.receivedOn, each.quantity])).toEqual([['2026-02-02', quantity]])
  expect(erp.leadTimes()).not.toEqual(leadTimes)
  await agree()
  erp.control.change([{ kind: 'cancelReceipt', ...line }])
  expect(linesOf(open)).toEqual(before)
  expect(erp.leadTimes()).toEqual(leadTimes)
  await agree()
  expect(() => erp.control.change([{ kind: 'cancelReceipt', ...line }])).toThrow('no goods receipt')
})

it('a receipt of long ago is cancelled, which opens its line', async () => {
  const open = new Set(openOrders().map(({ order, item }) => `${order}/${item}`))
  const [old] = erp.receipts().filter(({ order, item }) => !open.has(`${order}/${item}`))
  const { order, item } = old!
  erp.control.change([{ kind: 'cancelReceipt', order, item }])
  const now = openOrders().filter((line) => line.order === order && line.item === item)
  expect(now.length).toBeGreaterThan(0)
  await agree()
})

it('a line that was opened again is closed by its receipts', async () => {
  const { line, quantity } = anOpenLine()
  erp.control.change([
    { kind: 'orderLine', ...line, completed: true },
    { kind: 'orderLine', ...line, completed: false },
    { kind: 'receive', ...line, quantity },
  ])
  const $filter = `PurchaseOrder eq '${line.order}' and PurchaseOrderItem eq '${line.item}'`
  const path = `API_PURCHASEORDER_PROCESS_SRV/A_PurchaseOrderItem?${query({ $filter })}`
  const rows = await rowsOf(erp, path)
  expect(rows.map((row) => row.IsCompletelyDelivered)).toEqual([true])
  await agree()
})

it('a price and a plan change without a timestamp, and with one where asked', async () => {
  const wanted = [...erp.truth({ demand: false })].find(
    ({ unitCost, leadTimeDays }) => unitCost !== null && leadTimeDays !== null,
  )!
  const { sku, location } = wanted
  const now = () =>
    [...erp.truth({ demand: false, sku })].find((each) => each.location === location)!
  const changed = async () => {
    const $filter = `LastChangeDateTime ge datetimeoffset'2026-02-10T08:00:00Z'`
    const paths = ['API_PRODUCT_SRV/A_Product', 'API_INFORECORD_PROCESS_SRV/A_PurchasingInfoRecord']
    const found = paths.map((path) => rowsOf(erp, `${path}?${query({ $filter })}`))
    return (await Promise.all(found)).map((rows) => rows.length)
  }
  const price = { kind: 'price', sku, price: 4711 } as const
  const values = { LotSizeRoundingQuantity: '77.000' }
  const planning = { kind: 'planning', sku, location, values } as const
  erp.control.change([price, planning])
  expect(now().unitCost).not.toBe(wanted.unitCost)
  expect(now().lotSize).toBe(77)
  expect(await changed()).toEqual([0, 0])
  erp.control.change([
    { ...price, stamped: true },
    { ...planning, stamped: true },
  ])
  expect(await changed()).toEqual([1, 1])
})

it('tells the requests and rows of each entity set, with those that were expanded', async () => {
  erp.control.clearLog()
  await rowsOf(erp, 'API_PLANT_SRV/A_Plant')
  await rowsOf(erp, 'API_PLANT_SRV/A_Plant?$top=1')
  const path = 'API_MATERIAL_DOCUMENT_SRV/A_MaterialDocumentHeader?$top=3'
  const rows = await rowsOf(erp, `${path}&$expand=to_MaterialDocumentItem`)
  const items = rows.flatMap(
    (row) => (row.to_MaterialDocumentItem as { results: object[] }).results,
  )
  expect(items.length).toBeGreaterThan(3)
  expect(erp.control.traffic()).toEqual({
    A_MaterialDocumentHeader: { requests: 1, rows: 3 },
    A_MaterialDocumentItem: { requests: 0, rows: items.length },
    A_Plant: { requests: 2, rows: 5 },
  })
  const answer = await fetch(`${erp.url}/__control`)
  expect(await answer.json()).toMatchObject({ traffic: { A_Plant: { requests: 2, rows: 5 } } })
})
