import { startBusinessOne } from '../../../sandbox/business-one/index.ts'
import type { BusinessOneSandbox } from '../../../sandbox/business-one/index.ts'
import { makeCompany } from '../../../sandbox/company/make-company.ts'
import { differences, Store } from '../store.ts'
import { adapter, connectionTo, headerOf } from './support.ts'

let erp: BusinessOneSandbox
afterEach(() => erp.close())

const start = async (behaviour = {}, options = {}) => {
  erp = await startBusinessOne(makeCompany({ size: 260, days: 60, ...options }), behaviour)
  return erp.company
}
const storeOf = (options = {}) =>
  new Store(adapter, connectionTo(erp, { batches_query: 'restock_batches', ...options }))
const NAMES = { documentOf: (number: string) => String(Number(number.slice(2))) }
const posts = () => erp.log.filter(({ method }) => method === 'POST').map(({ path }) => path)

it.each([
  ['with pages as it likes them', {}, {}],
  ['with a small page whatever is preferred, and relative links', { maxPage: 20 }, {}],
  ['with pages of a round number of rows', {}, { page_size: 100 }],
  ['where the session is lost again and again', { sessionRequests: 4 }, { page_size: 200 }],
  [
    'where a lost session is told by a code',
    { sessionRequests: 7, lostAs: { status: 400, code: 301 } },
    {},
  ],
  ['with exact numbers', { inexact: false }, { price_list: 1 }],
])('reads what the company has, %s', async (_name, behaviour, options) => {
  const company = await start(behaviour)
  const store = await storeOf(options).sync('full')
  expect(differences(store, company, NAMES)).toEqual([])
  expect(store.quarantined).toEqual([])
  expect(store.all('demand').length).toBeGreaterThan(1000)
  const { item } = company.pairs[0]!
  expect(store.all('planning')).toHaveLength(company.pairs.length)
  expect(store.all('planning').find(({ sku }) => sku === item.code)).toMatchObject({
    ...{ leadTimeDays: item.leadTimeDays, moq: item.moq, lotSize: item.lotSize },
    supplier: item.supplier.code,
  })
  const sku = store.all('skus').find((row) => row.sku === item.code)!
  expect(sku).toMatchObject({ currency: 'EUR', unitCost: Number(item.unitCost).toFixed(4) })
  // It logs on and off, and nothing else is sent but reads.
  expect(new Set(posts())).toEqual(new Set(['/b1s/v2/Login', '/b1s/v2/Logout']))
  expect(posts().at(-1)).toBe('/b1s/v2/Logout')
  expect(erp.sessions()).toBe(0)
})

it('logs on once for all lists, and off behind the last', async () => {
  await start()
  await storeOf().sync('full')
  expect(posts()).toEqual(['/b1s/v2/Login', '/b1s/v2/Logout'])
})

it('follows each single change', async () => {
  const company = await start()
  const store = await storeOf().sync('full')
  const [pair, other] = company.pairs.filter(({ onHand, item }) => onHand > 20 && item.isActive)
  const order = company.orders.find((one) => one.status === 'open' && one.lines[0]!.quantity > 6)!
  const line = order.lines[0]!
  const anOrder = () => company.orders.find((one) => one.status === 'open')!
  let sale = company.ledger.movement(company.ledger.size)
  const changes: [string, () => unknown][] = [
    ['a sale', () => (sale = company.sell(pair!, 5))],
    ['its return', () => company.takeBack(pair!, 2, sale)],
    ['a return of no known sale', () => company.takeBack(pair!, 1)],
    ['more is sold than there is', () => company.sell(other!, other!.onHand + 3)],
    ['part of an order arrives', () => company.receive(order, line, 2)],
    ['another due date', () => company.changeLine(order, line, { due: '2031-02-03' })],
    ['a closed line', () => company.closeLine(order, line)],
    ['a cancelled order', () => company.cancelOrder(anOrder())],
    ['a deleted order', () => company.deleteOrder(anOrder())],
    [
      'a customer order',
      () => company.takeSalesOrder([{ pair: pair!, quantity: 3, dueInDays: 2 }]),
    ],
    ['a retired item', () => company.changeItem(pair!.item, { isActive: false })],
    [
      'a new item',
      () => {
        const { id: _, changedAt: _at, isActive: _is, ...like } = pair!.item
        company.pairOf(company.addItem({ ...like, code: "N-1 /'#", name: 'New' }), pair!.location)
      },
    ],
  ]
  for (const [name, change] of changes) {
    company.clock.advance(1)
    change()
    const wrong = differences(await store.sync(), company, NAMES)
    expect({ name, wrong }).toEqual({ name, wrong: [] })
  }
  const [receipt] = store.all('receipts')
  expect(store.all('receipts')).toHaveLength(1)
  expect(receipt).toMatchObject({
    document: String(order.id),
    quantity: 2,
    sku: line.pair.item.code,
  })
  expect(receipt!.orderedOn! < receipt!.receivedOn).toBe(true)
  company.deleteItem(other!.item)
  await store.sync('full')
  expect(store.all('skus').some(({ sku }) => sku === other!.item.code)).toBe(false)
})

it('takes a cancelled delivery out of demand, and an invoice without a delivery in', async () => {
  const company = await start({}, { size: 40 })
  const pair = company.pairs[0]!
  const [delivered, invoiced] = [company.sell(pair, 7), company.sell(pair, 11)]
  erp.set({ invoiced: new Set([invoiced.id]) })
  const store = await storeOf().sync('full')
  expect(differences(store, company, NAMES)).toEqual([])
  erp.set({ cancelled: new Set([delivered.id]) })
  await store.sync()
  const documents = store.all('demand').map(({ document }) => document)
  expect(documents).not.toContain(`D${delivered.id}/0`)
  expect(documents).toContain(`I${invoiced.id}/0`)
})

it('tells apart two orders of one number', async () => {
  const company = await start({}, { size: 60 })
  const [first, second] = company.orders.filter(({ status }) => status === 'open')
  erp.set({ numbers: new Map([[second!.id, first!.id]]) })
  const store = await storeOf().sync('full')
  const names = new Set(store.all('openOrders').map(({ document }) => document))
  expect(names).toContain(`${first!.id}/${second!.id}`)
})

it('reads stock without the list of warehouses where there is one warehouse, and says so where there are more', async () => {
  const company = await start({ withoutWarehouses: true }, { size: 40 })
  await expect(storeOf().sync('full')).rejects.toMatchObject({
    ...{ code: 'unexpected_content', target: 'ItemWarehouseInfoCollection' },
  })
  company.locations.splice(1)
  const store = await storeOf().sync('full')
  const onHand = company.pairs.reduce((sum, pair) => sum + pair.onHand, 0)
  expect(store.all('stock').reduce((sum, row) => sum + row.onHand, 0)).toBe(onHand)
})

it('reads every warehouse of an item, used or not', async () => {
  const company = await start({ allWarehouses: true }, { size: 40 })
  const store = await storeOf().sync('full')
  expect(store.all('stock')).toHaveLength(40 * company.locations.length)
})

it('tries a wrong password once, so that the user is not locked', async () => {
  await start({}, { size: 40 })
  const refused: (string | undefined)[] = []
  const wrong = headerOf({ name: 'restock', password: 'guess' })
  const connection = connectionTo(erp)
  connection.credentials = {
    async authorization(header) {
      if (header) refused.push(header)
      return wrong
    },
  }
  const checks = await adapter.check(connection, new AbortController().signal)
  expect(new Set(checks.map(({ status }) => status))).toEqual(new Set(['failed']))
  expect(refused).toEqual([wrong])
  expect(posts()).toEqual(['/b1s/v2/Login'])
})

it('says which lists are forbidden', async () => {
  await start({ forbidden: ['Orders'] }, { size: 40 })
  const checks = await adapter.check(connectionTo(erp), new AbortController().signal)
  const bad = checks.filter(({ status }) => status !== 'ok')
  expect(bad).toMatchObject([{ record: 'customerOrders', status: 'forbidden' }])
  expect(erp.sessions()).toBe(0)
})

it('reads what is open or changed after a day, not the history', async () => {
  const company = await start({}, { size: 5_000, days: 20 })
  const store = await storeOf().sync('full')
  company.clock.advance(3)
  for (const pair of company.pairs.slice(0, 200)) company.sell(pair, 1)
  await store.sync()
  company.clock.advance(1)
  for (const pair of company.pairs.slice(0, 200)) company.sell(pair, 1)
  const before = erp.log.length
  await store.sync()
  const rows = new Map<string, number>()
  for (const { path, rows: count } of erp.log.slice(before)) {
    const set = path.split('/').at(-1)!
    rows.set(set, (rows.get(set) ?? 0) + count)
  }
  expect(differences(store, company, NAMES)).toEqual([])
  expect(rows.get('DeliveryNotes')).toBeLessThanOrEqual(400)
  // Stock of all items, and nothing else of those that were not changed.
  expect(rows.get('Items')).toBe(5_000)
  expect(rows.get('PurchaseOrders')).toBeLessThanOrEqual(company.orders.length)
})
