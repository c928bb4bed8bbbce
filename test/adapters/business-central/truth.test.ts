import { startBusinessCentral } from '../../../sandbox/business-central/index.ts'
import type { BusinessCentralSandbox } from '../../../sandbox/business-central/index.ts'
import { makeCompany } from '../../../sandbox/company/make-company.ts'
import { Fatal } from '../../../adapters/errors.ts'
import { differences, Store } from '../store.ts'
import { adapter, connectionTo } from './support.ts'

let erp: BusinessCentralSandbox
afterEach(() => erp.close())

const start = async (behaviour = {}, size = 120) => {
  erp = await startBusinessCentral(makeCompany({ size, days: 60 }), behaviour)
  return erp.company
}
const storeOf = (options = {}) => new Store(adapter, connectionTo(erp, options))
const dataRequests = () => erp.log.filter(({ path }) => path.includes('/companies('))

it.each([
  ['with its own page size', {}, {}],
  ['in small pages', { maxPage: 70 }, { page_size: 60 }],
  ['with pages of a round number of rows', { maxPage: 100 }, { page_size: 100 }],
  ['where large pages are refused', { refuseAbove: 300 }, {}],
  ['with choices that are not encoded', { encodedChoices: false }, {}],
])('reads what the company has, %s', async (_name, behaviour, options) => {
  const company = await start(behaviour)
  const store = await storeOf(options).sync('full')
  expect(differences(store, company)).toEqual([])
  expect(store.quarantined).toEqual([])
  expect(store.all('demand').length).toBeGreaterThan(500)
  const { item } = company.pairs[0]!
  expect(store.all('planning')).toHaveLength(company.pairs.length)
  expect(store.all('planning').find(({ sku }) => sku === item.code)).toMatchObject({
    ...{ leadTimeDays: item.leadTimeDays, moq: item.moq, lotSize: item.lotSize },
    supplier: item.supplier.code,
  })
  expect(store.all('skus').find(({ sku }) => sku === item.code)).toMatchObject({ currency: 'EUR' })
  expect(new Set(erp.log.map(({ method }) => method))).toEqual(new Set(['GET']))
  expect(dataRequests().every(({ headers }) => headers['data-access-intent'] === 'ReadOnly')).toBe(
    true,
  )
})

it('follows each single change', async () => {
  const company = await start()
  const store = await storeOf().sync('full')
  const [pair, other] = company.pairs.filter(({ onHand, item }) => onHand > 20 && item.isActive)
  const order = company.orders.find((one) => one.status === 'open' && one.lines[0]!.quantity > 6)!
  const line = order.lines[0]!
  const changes: [string, () => unknown][] = [
    ['a sale', () => company.sell(pair!, 5)],
    ['a return', () => company.takeBack(pair!, 2)],
    ['more is sold than there is', () => company.sell(other!, other!.onHand + 3)],
    ['part of an order arrives', () => company.receive(order, line, 2)],
    ['another due date', () => company.changeLine(order, line, { due: '2031-02-03' })],
    ['a closed line', () => company.closeLine(order, line)],
    [
      'a cancelled order',
      () => company.cancelOrder(company.orders.find((one) => one.status === 'open')!),
    ],
    [
      'a deleted order',
      () => company.deleteOrder(company.orders.find((one) => one.status === 'open')!),
    ],
    [
      'a new order',
      () =>
        company.order(pair!.item.supplier, [
          ...[5, 9].map((dueInDays) => ({ pair: pair!, quantity: 24, dueInDays })),
          { pair: pair!, quantity: 12, dueInDays: 5 },
        ]),
    ],
    [
      'a customer order',
      () => company.takeSalesOrder([{ pair: pair!, quantity: 3, dueInDays: 2 }]),
    ],
    ['a retired item', () => company.changeItem(pair!.item, { isActive: false })],
    [
      'a new item',
      () => {
        const { id: _, changedAt: _at, isActive: _is, ...like } = pair!.item
        const item = company.addItem({ ...like, code: "N-1 /'#", name: 'New' })
        company.sell(company.pairOf(item, pair!.location), 1)
      },
    ],
  ]
  for (const [name, change] of changes) {
    company.clock.advance(1)
    change()
    expect({ name, wrong: differences(await store.sync(), company) }).toEqual({ name, wrong: [] })
  }
  company.deleteItem(other!.item)
  await store.sync('full')
  const of = (rows: { sku: string }[]) => rows.filter(({ sku }) => sku !== other!.item.code)
  expect(of(store.all('skus'))).toHaveLength(company.items.length)
  expect(store.all('skus').some(({ sku }) => sku === other!.item.code)).toBe(false)
})

it('reads what is on its way between locations as on order, and not as stock', async () => {
  const company = await start()
  const [pair] = company.pairs
  erp.set({ transfers: [{ pair: pair!, quantity: 40, due: '2031-01-02' }], returnOrders: [pair!] })
  const store = await storeOf().sync('full')
  const transfer = store.all('openOrders').filter(({ document }) => document === 'T1')
  expect(transfer).toMatchObject([
    { quantity: 40, due: '2031-01-02', location: pair!.location.code },
  ])
  expect(store.all('stock').some(({ location }) => location === 'OWN.LOG')).toBe(false)
  expect(store.all('openOrders').some(({ document }) => document.startsWith('RO'))).toBe(false)
})

it('counts what a transfer order takes away as demand where it leaves, and nothing else of it', async () => {
  const company = await start()
  const [pair] = company.pairs
  const entry = (at: number, documentType: string, quantity: number, more: object = {}) => ({
    ...{ entryNo: 600_000 + at, entryType: 'Transfer', documentType, quantity, open: false },
    ...{ postingDate: '2026-01-05', itemNo: pair!.item.code, locationCode: pair!.location.code },
    ...{ remainingQuantity: 0, lotNo: '', expirationDate: '0001-01-01', ...more },
  })
  const otherEntries = [
    entry(1, 'Transfer_x0020_Shipment', -7),
    entry(2, 'Transfer_x0020_Shipment', 7, { locationCode: 'OWN.LOG' }),
    entry(3, 'Transfer_x0020_Receipt', -7, { locationCode: 'OWN.LOG' }),
    entry(4, 'Transfer_x0020_Receipt', 7),
    entry(5, 'Direct_x0020_Transfer', -4),
    entry(6, 'Direct_x0020_Transfer', 4),
    entry(7, '_x0020_', -3),
    entry(8, 'Transfer_x0020_Shipment', -1, { entryType: 'Negative_x0020_Adjmt_x002E_' }),
  ]
  erp.set({ otherEntries })
  const options = { history_days: 3650 }
  const sentOf = async (more: object) =>
    (await storeOf({ ...options, ...more }).sync('full'))
      .all('demand')
      .filter(({ document }) => Number(document) > 600_000 && Number(document) < 600_100)
      .map(({ location, quantity }) => [location, quantity])
  expect(await sentOf({})).toEqual([
    [pair!.location.code, 7],
    [pair!.location.code, 4],
  ])
  expect(await sentOf({ transfer_demand: false })).toEqual([])
})

it('takes the stockkeeping unit before the item card', async () => {
  const company = await start()
  const pair = company.pairs[3]!
  erp.set({ stockkeepingUnits: [{ pair, leadTime: '1M+5D' }] })
  const store = await storeOf({ sku_planning_service: 'RestockUnits' }).sync('full')
  const found = store
    .all('planning')
    .find((row) => row.sku === pair.item.code && row.location === pair.location.code)
  expect(found).toMatchObject({ leadTimeDays: 35 })
})

it('reads a company without locations', async () => {
  const company = await start({ withoutLocations: true }, 40)
  const store = await storeOf({ blank_location: 'MAIN' }).sync('full')
  expect(store.all('locations').map(({ location }) => location)).toContain('MAIN')
  expect(new Set(store.all('stock').map(({ location }) => location))).toEqual(new Set(['MAIN']))
  const onHand = company.pairs.reduce((sum, pair) => sum + pair.onHand, 0)
  expect(store.all('stock').reduce((sum, row) => sum + row.onHand, 0)).toBe(onHand)
})

it('waits at a 429 without Retry-After, and tries 408, 503 and 504 again', async () => {
  const company = await start({}, 60)
  for (const status of [429, 408, 503, 504]) erp.fault({ status, match: /itemLedgerEntries/ })
  const store = await storeOf().sync('full')
  expect(differences(store, company)).toEqual([])
})

it('names the companies where there are several, and reads the one that is named', async () => {
  await start({}, 40)
  const companies = [
    { id: '5a1e0b7c-3f3d-4c41-9a53-0d5f3c0a9b11', name: 'CRONUS', displayName: 'CRONUS Ltd.' },
    { id: '5a1e0b7c-3f3d-4c41-9a53-0d5f3c0a9b12', name: 'My Company', displayName: '' },
  ]
  erp.set({ companies })
  const failure = await storeOf()
    .sync('full')
    .catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(Fatal)
  expect(failure).toMatchObject({ code: 'company_ambiguous' })
  expect((failure as Fatal).message).toContain('My Company')
  await expect(storeOf({ company: 'CRONUS Ltd.' }).sync('full')).resolves.toBeInstanceOf(Store)
})

it('says which lists are forbidden', async () => {
  await start({ forbidden: ['outstandingSalesLines'] }, 40)
  const checks = await adapter.check(connectionTo(erp), new AbortController().signal)
  const bad = checks.filter(({ status }) => status !== 'ok')
  expect(bad).toMatchObject([{ record: 'customerOrders', status: 'forbidden' }])
})

it('reads what is open or changed after a day, not the history', async () => {
  const company = await start({}, 600)
  const store = await storeOf().sync('full')
  company.clock.advance(1)
  for (const pair of company.pairs.slice(0, 60)) company.sell(pair, 1)
  const before = erp.log.length
  await store.sync()
  const rowsOf = (log: typeof erp.log) => {
    const rows = new Map<string, number>()
    for (const { path, rows: count } of log) {
      const set = path.split('/').at(-1)!
      rows.set(set, (rows.get(set) ?? 0) + count)
    }
    return rows
  }
  const [all, rows] = [rowsOf(erp.log.slice(0, before)), rowsOf(erp.log.slice(before))]
  expect(differences(store, company)).toEqual([])
  // Open entries, two for each pair, those of lots once more, and new ones with an overlap for demand, stock and planning.
  expect(rows.get('itemLedgerEntries')).toBeLessThan(3 * company.pairs.length + 3 * 1_500)
  expect(rows.get('itemLedgerEntries')).toBeLessThan(all.get('itemLedgerEntries')! / 3)
  expect(rows.get('items')).toBeLessThan(50)
  expect(rows.get('RestockItems')).toBe(600)
})
