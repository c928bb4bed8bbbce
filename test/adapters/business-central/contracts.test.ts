// Blanket purchase orders, what orders call off from them, and the quotes that orders were made of.
import type { RecordKind, RecordOf } from '../../../adapters/records.ts'
import { startBusinessCentral } from '../../../sandbox/business-central/index.ts'
import type { BusinessCentralSandbox } from '../../../sandbox/business-central/index.ts'
import { makeCompany } from '../../../sandbox/company/make-company.ts'
import type { Agreement, Order } from '../../../sandbox/company/model.ts'
import { adapter, connectionTo } from './support.ts'

const SERVICE = { order_lines_service: 'RestockOrderLines' }
let erp: BusinessCentralSandbox
let [agreement]: Agreement[] = []
let [order]: Order[] = []

async function start(behaviour = {}) {
  erp = await startBusinessCentral(makeCompany({ size: 120, days: 20 }), behaviour)
  const { company } = erp
  for (const one of company.orders) if (one.status === 'draft') one.status = 'cancelled'
  const [pair, other] = company.pairs as [(typeof company.pairs)[0], (typeof company.pairs)[0]]
  const supplier = company.suppliers[0]!
  const common = { quantity: 100, unitCost: '1.5' }
  agreement = company.agree(
    supplier,
    [
      { ...common, item: pair.item, location: pair.location },
      { ...common, item: other.item, location: null },
    ],
    { from: '2026-01-01' },
  )
  order = company.order(supplier, [{ pair, quantity: 20, dueInDays: 9 }])
  order.lines[0]!.agreement = agreement.lines[0]!
  company.receive(order, order.lines[0]!, 5)
}
afterEach(() => erp.close())

async function read<K extends RecordKind>(record: K, options: object = SERVICE) {
  const { records, quarantined, notes } = await readAll(record, options)
  expect(quarantined).toEqual([])
  return { records, notes }
}

async function readAll<K extends RecordKind>(record: K, options: object) {
  const stream = adapter
    .streams(connectionTo(erp, { ...options }))
    .find((each) => each.record === record)!
  const records: RecordOf<K>[] = []
  const [quarantined, notes]: [unknown[], string[]] = [[], []]
  for await (const page of stream.read(null, new AbortController().signal)) {
    records.push(...(page.records as RecordOf<K>[]))
    quarantined.push(...page.quarantined)
    notes.push(...(page.notes ?? []))
  }
  return { records, quarantined, notes }
}

it.each([true, false])('reads blanket orders (encoded: %s)', async (encodedChoices) => {
  await start({ encodedChoices })
  const common = {
    ...{ document: `BlanketOrders(${agreement!.number})`, kind: 'contract', due: null },
    createdOn: '2026-01-01',
    ...{ supplier: agreement!.supplier.code, quantity: 100 },
  }
  const [placed, anywhere] = agreement!.lines
  expect(await read('drafts')).toEqual({
    records: [
      {
        ...{ ...common, line: '10000', sku: placed!.item.code },
        ...{ location: placed!.location!.code, ordered: 20 },
      },
      { ...common, line: '20000', sku: anywhere!.item.code, location: '', ordered: 0 },
    ],
    notes: [],
  })
  const named = async () => (await read('openOrders')).records.filter(({ draft }) => draft)
  expect(await named()).toMatchObject([{ draft: `${common.document}/10000`, quantity: 15 }])
  // What does not come any more can be called off again.
  erp.company.closeLine(order!, order!.lines[0]!)
  expect((await read('drafts')).records[0]).toMatchObject({ ordered: 5 })
  expect(await named()).toEqual([])
})

it('names the quote that an order was made of', async () => {
  await start()
  const other = erp.company.orders.find(({ status, id }) => status === 'open' && id !== order!.id)!
  erp.set({ quotes: new Map([[other.id, 'Q-1001']]) })
  const { records } = await read('openOrders', {})
  const named = records.filter(({ draft }) => draft)
  expect(named.length).toBeGreaterThan(0)
  expect(new Set(named.map(({ document, draft }) => `${document} ${draft}`))).toEqual(
    new Set([`${other.number} Q-1001`]),
  )
})

it('names no blanket order where lines that are one in the list have several', async () => {
  await start()
  const [line] = order!.lines
  const { quantity, due, pair } = line!
  const twin = erp.company.order(order!.supplier, [{ pair, quantity, dueInDays: 9 }]).lines[0]!
  order!.lines.push({ ...twin, due, number: 2 })
  const { records } = await read('openOrders')
  const [sum] = records.filter(({ document }) => document === order!.number)
  expect(sum).toMatchObject({ quantity: 35 })
  expect(sum!.draft).toBeUndefined()
  // The blanket order is told exactly all the same.
  expect((await read('drafts')).records[0]).toMatchObject({ ordered: 20 })
})

it('does not guess what is left where nobody says which orders call off', async () => {
  await start()
  const { records, notes } = await read('drafts', {})
  expect(records).toEqual([])
  expect(notes).toEqual([expect.stringContaining('order_lines_service')])
  erp.set({ forbidden: ['RestockOrderLines'] })
  expect((await read('drafts')).notes).toEqual([expect.stringContaining('RestockOrderLines')])
  const open = await read('openOrders')
  expect(open.records.length).toBeGreaterThan(0)
  expect(open.notes).toHaveLength(1)
  const checks = await adapter.check(connectionTo(erp, SERVICE), new AbortController().signal)
  expect(checks.find(({ record }) => record === 'drafts')).toMatchObject({
    ...{ status: 'ok', notes: [expect.stringContaining('Blanket orders are not read')] },
  })
})

it('asks for order lines before blanket orders, and for drafts not at all without their service', async () => {
  await start()
  const setsOf = async (options: object) => {
    erp.log.length = 0
    await read('drafts', options)
    return erp.log.slice(1).map(({ path }) => path.split('/').at(-1))
  }
  expect(await setsOf({})).toEqual(['requisitionLines', 'purchaseLines'])
  // What comes meanwhile must not be offered again.
  expect(await setsOf(SERVICE)).toEqual([
    ...['purchaseLines', 'RestockOrderLines', 'requisitionLines', 'purchaseLines'],
  ])
})

it('tells a blanket order from a quote of the same number', async () => {
  await start()
  const quote = erp.company.orders.find(({ status, id }) => status === 'open' && id !== order!.id)!
  Object.assign(quote, { status: 'draft', number: agreement!.number })
  const { records } = await read('drafts')
  const keys = records.map(({ document, line }) => `${document}/${line}`)
  expect(new Set(keys).size).toBe(keys.length)
  expect(keys).toEqual(expect.arrayContaining([`${quote.number}/10000`]))
})

it('hands the number of a blanket order over', () => {
  const line = {
    ...{ handOver: 'ho_12', order: 1, place: 1, sku: 'A', location: '01', wantedOn: '2026-12-01' },
    ...{ supplier: 'V1', orderedOn: '2026-11-20', orderQuantity: '5', price: null },
    contract: { document: 'BlanketOrders(BO-(7))', line: '30000', over: 0 },
  }
  const [, lines] = adapter.orderForm.tables([line as never])
  const at = lines!.header[0]!.indexOf('Blanket Order No.')
  expect(lines!.rows[0]!.slice(at, at + 2)).toEqual(['BO-(7)', '30000'])
})

it('names the draft of an order whose promised day is another one than the requested', async () => {
  await start()
  const [line] = order!.lines
  erp.company.changeLine(order!, line!, { requested: line!.due, promised: '2031-02-03' })
  const options = { ...SERVICE, purchase_line_service: 'purchaseDocumentLines' }
  const { records } = await read('openOrders', options)
  expect(records.filter(({ draft }) => draft)).toMatchObject([
    {
      draft: `BlanketOrders(${agreement!.number})/10000`,
      due: line!.due,
      confirmedOn: '2031-02-03',
    },
  ])
})

const ORDER_LINES = /purchaseLines.*quoteNo/

it('goes on where one order line has a bad value', async () => {
  await start()
  const [line] = order!.lines
  const row = {
    ...{ documentNo: order!.number, purchaseLineDocumentType: 'Order', lineNo: 10_000 },
    ...{ itemNo: line!.pair.item.code, locationCode: line!.pair.location.code, quoteNo: '' },
    ...{ expectedReceiptDate: '0026-05-10', outstandingQtyBase: 'many' },
  }
  erp.fault({ match: ORDER_LINES, status: 200, body: { value: [row] } })
  const open = await read('openOrders')
  expect(open.records.length).toBeGreaterThan(0)
  expect(open.records.filter(({ draft }) => draft)).toEqual([])
  // What is left of its blanket order is not known; the other one is read.
  erp.fault({ match: ORDER_LINES, status: 200, body: { value: [row] } })
  const drafts = await readAll('drafts', SERVICE)
  expect(drafts.records.map((each) => each.line)).toEqual(['20000'])
  expect(drafts.quarantined).toMatchObject([{ target: 'outstandingQtyBase' }])
})

it('goes on where order lines or what was agreed are refused, and says so', async () => {
  await start()
  const quote = erp.company.orders.find(({ status, id }) => status === 'open' && id !== order!.id)!
  erp.fault({ match: ORDER_LINES, status: 400 })
  const open = await read('openOrders')
  expect(open.records.length).toBeGreaterThan(0)
  expect(open.notes).toEqual([expect.stringContaining('400')])
  quote.status = 'draft'
  for (const match of [ORDER_LINES, /purchaseLines.*quantityBase/]) {
    erp.fault({ match, status: 400 })
    const { records, notes } = await read('drafts')
    expect(new Set(records.map(({ kind }) => kind))).toEqual(new Set(['rfq']))
    expect(notes).toEqual([expect.stringContaining('400')])
  }
})
