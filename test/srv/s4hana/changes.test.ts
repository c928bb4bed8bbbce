// After each change of the ERP an incremental sync stores what a full sync of another source stores, row by row.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Change, type Erp, type PairTruth, startErp } from '../../../sandbox/index.ts'
import { sync } from '../../support/server.ts'
import { storedRows } from '../../support/stored-rows.ts'
import { connect, NOTHING_ELSE } from './source.ts'

/** So many open ones that an incremental read asks for the receipts of some of them only. */
const ORDERS = 150
const MINUTES = 60_000

interface Item {
  order: string
  item: string
}
type Status = { completed?: boolean; deletion?: '' | 'L' | 'S' }

let erp: Erp
let source: number
let whole: number
/** Items of orders that no case has taken. */
let items: Item[]
/** Those that were bought at first. */
let pairs: PairTruth[]
/** One of which more was issued than is cancelled here. */
let issued: { sku: string; location: string }

const change = (...changes: Change[]) => erp.control.change(changes)
const dayAt = (days: number) =>
  new Date(Date.parse(erp.control.counts().today) + days * 86_400_000).toISOString().slice(0, 10)

function pairAt(at: number) {
  const { sku, location } = pairs[at % pairs.length]!
  return { sku, location }
}

/** An order of 20 that were due five days ago, and 30 that are due in twenty. */
function order({ sku, location }: { sku: string; location: string }): Item {
  const schedule = [
    { due: dayAt(-5), quantity: 20 },
    { due: dayAt(20), quantity: 30 },
  ]
  const [made] = change({ kind: 'order', sku, location, quantity: 50, schedule })
  return { order: made!.document!, item: '00010' }
}

const set = (item: Item, status: Status): Change => ({
  ...{ kind: 'orderLine', stamped: false, ...item, ...status },
})
const receive = (item: Item, quantity: number, more: object = {}): Change => ({
  ...{ kind: 'receive', ...item, quantity, ...more },
})
const cancelReceipt = (item: Item): Change => ({ kind: 'cancelReceipt', ...item })
const putOff = (item: Item, days: number): Change => ({
  ...{ kind: 'scheduleLine', ...item, due: dayAt(days), stamped: false },
})
const split = (item: Item, quantity: number): Change => ({
  ...{ kind: 'splitSchedule', ...item, quantity, due: dayAt(40), stamped: false },
})
const setOrder = ({ order: number }: Item, deletion: '' | 'L'): Change => ({
  ...{ kind: 'orderHeader', order: number, deletion, stamped: false },
})

/** What happens to an order item: a sync comes after each step. */
const CASES: Record<string, (item: Item) => Change[][]> = {
  'closed, opened again': (a) => [[set(a, { completed: true })], [set(a, { completed: false })]],
  'deleted, not deleted, blocked, free': (a) =>
    (['L', '', 'S', ''] as const).map((deletion) => [set(a, { deletion })]),
  'deleted with its order, and back': (a) => [[setOrder(a, 'L')], [setOrder(a, '')]],
  'split, put off': (a) => [[split(a, 7)], [putOff(a, 60)]],
  'received late, for an earlier day, and not after all': (a) => [
    [receive(a, 3)],
    [receive(a, 21, { postingDate: dayAt(-9) })],
    [cancelReceipt(a)],
    [cancelReceipt(a)],
  ],
  'received in full, sent back': (a) => [[receive(a, 50)], [receive(a, 8, { type: '122' })]],
  'split, put off and received at once': (a) => [[split(a, 7), putOff(a, 30), receive(a, 4)]],
  'closed and opened again at once, with a receipt': (a) => [
    [set(a, { completed: true }), receive(a, 6), set(a, { completed: false })],
  ],
  'closed, received, opened again and another receipt': (a) => [
    [set(a, { completed: true })],
    [receive(a, 5)],
    [set(a, { completed: false }), cancelReceipt(a), receive(a, 2)],
  ],
  'received twice, of which once is cancelled unseen': (a) => [
    [receive(a, 9), receive(a, 5), cancelReceipt(a)],
  ],
  'deleted and received, not deleted': (a) => [
    [set(a, { deletion: 'L' }), receive(a, 1)],
    [set(a, { deletion: '' })],
  ],
}

async function isRead(mode: 'incremental' | 'full' = 'incremental') {
  expect(await sync(source, mode)).toMatchObject({ status: 'succeeded', issues: [] })
}

/** What is stored is what is stored of a source that reads all. */
async function isTrue(nameOf = new Map<string, string>()) {
  expect(await sync(whole, 'full')).toMatchObject({ status: 'succeeded', issues: [] })
  const [is, should] = [new Set(await storedRows(source)), new Set(await storedRows(whole))]
  expect(should.size).toBeGreaterThan(ORDERS)
  const named = (row: string) => row.replace(/\d{10}/, (text) => nameOf.get(text) ?? text)
  const differences = [
    ...[...is].filter((row) => !should.has(row)).map((row) => `is: ${named(row)}`),
    ...[...should].filter((row) => !is.has(row)).map((row) => `should be: ${named(row)}`),
  ]
  expect(differences).toEqual([])
}

describe.each([
  ['v2', 0],
  ['v4', -10 * MINUTES],
])('an incremental sync knows (%s purchase orders, a clock %i ms off)', (version, skew) => {
  beforeAll(async () => {
    const now = new Date(Date.now() + skew)
    erp = await startErp({ size: 16, days: 16, seed: 2, now, clockSkewSeconds: skew / 1_000 })
    pairs = [...erp.truth()].filter(({ supplier }) => supplier)
    issued = pairs.find(({ demand }) => demand.filter(({ quantity }) => quantity > 0).length > 3)!
    items = Array.from({ length: ORDERS }, (_, at) => order(pairAt(at)))
    const options = { ...NOTHING_ELSE, purchase_orders: version, page_size: 100 }
    source = (await connect(erp, 'basic', options)).source
    whole = (await connect(erp, 'basic', options)).source
    await isRead('full')
    await isTrue()
  })
  afterAll(() => erp.close())

  it('what happens to order items', async () => {
    const cases = Object.entries(CASES).map(([name, steps]) => {
      const item = items.pop()!
      return { name, item, steps: steps(item) }
    })
    const names = new Map(cases.map(({ name, item }) => [item.order, `«${name}»`]))
    for (let step = 0; step < 4; step++) {
      change(...cases.flatMap(({ steps }) => steps[step] ?? []))
      await isRead()
      await isTrue(names)
      if (step === 1) erp.control.advance(2)
    }
  })

  it('one change where nothing else happens', async () => {
    change(putOff(items.pop()!, 33))
    await isRead()
    await isTrue()
  })

  it('prices, plans, stock, documents, suppliers and customer orders without a timestamp', async () => {
    const at = (n: number) => pairAt(20 + n)
    const sold = [...erp.truth({ demand: false })].find((pair) => pair.customerOrders.length)!
    const { order: SalesOrder, item: SalesOrderItem } = sold.customerOrders[0]!
    const supplier = pairs[0]!.supplier!
    change(
      { kind: 'price', sku: at(1).sku, price: 123.4 },
      { kind: 'planning', ...at(2), values: { LotSizeRoundingQuantity: '7.000' } },
      { kind: 'onHand', ...at(3), quantity: -4 },
      { kind: 'stock', ...at(4), type: '02', quantity: 11 },
      { kind: 'issue', ...at(5), quantity: 3, postingDate: dayAt(-12) },
      { kind: 'cancelLast', ...issued },
      { kind: 'reserve', ...at(2), reservation: '1', quantity: 30 },
      { kind: 'reserve', ...at(3), reservation: '2', quantity: 5 },
      { kind: 'rename', sku: at(7).sku, name: 'Renamed' },
      { kind: 'flag', sku: at(8).sku },
      { kind: 'supplier', supplier, blocked: true },
      {
        ...{ kind: 'row', set: 'A_SalesOrderItem', key: { SalesOrder, SalesOrderItem } },
        values: { DeliveryStatus: 'C' },
      },
    )
    await isRead()
    await isTrue()
    change(
      { kind: 'supplier', supplier, blocked: false },
      { kind: 'reserve', ...at(2), reservation: '1', quantity: 30, withdrawn: 8 },
      { kind: 'reserve', ...at(3), reservation: '2', quantity: 5, withdrawn: 5 },
      { kind: 'vanish', sku: at(9).sku },
      { kind: 'cancelLast', ...issued },
    )
    await isRead('full')
    await isTrue()
  })

  it('what happens while it reads, between two pages of each list', async () => {
    const lists = [
      ...['A_Product\\?', 'A_ProductSupplyPlanning', 'A_MatlStkInAcctMod', 'PurchaseOrderItem'],
      ...['PurchaseOrderScheduleLine', 'A_MaterialDocumentItem', 'A_SalesOrderItem'],
      ...['A_MaterialDocumentHeader.*expand'],
    ]
    for (const mode of ['incremental', 'full'] as const) {
      for (const match of lists) {
        erp.control.fault({ kind: 'slow', match, delayMs: 150, skip: 1, times: 2 })
      }
      erp.control.clearLog()
      let isOver = false
      const reading = isRead(mode).finally(() => (isOver = true))
      let seen = 0
      while (!isOver) {
        const slow = erp.log.filter(({ fault }) => fault === 'slow').length
        for (; seen < slow; seen++) changeSome(seen)
        await sleep(5)
      }
      await reading
      expect(seen).toBeGreaterThan(4)
      erp.control.clearFaults()
      await isRead()
      await isTrue()
    }
  })
})

/** Of the orders on the first pages and on the last. */
function changeSome(nth: number) {
  const [first, last] = [items.shift()!, items.pop()!]
  const { sku, location } = pairAt(nth)
  change(
    set(first, { completed: true }),
    receive(last, 22),
    split(items[0]!, 1),
    cancelReceipt(last),
    receive(items.at(-1)!, 1),
    { kind: 'issue', sku, location, quantity: 1 },
    { kind: 'onHand', sku, location, quantity: 40 + nth },
    { kind: 'planning', sku, location, values: { MinimumLotSizeQuantity: `${nth + 2}.000` } },
  )
}
