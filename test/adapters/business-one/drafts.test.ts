// Purchase requests, quotations and drafts of orders, and what becomes of a source that may not read them.
import type { RecordKind, RecordOf } from '../../../adapters/records.ts'
import { startBusinessOne } from '../../../sandbox/business-one/index.ts'
import type { BusinessOneSandbox } from '../../../sandbox/business-one/index.ts'
import { makeCompany } from '../../../sandbox/company/make-company.ts'
import type { Order } from '../../../sandbox/company/model.ts'
import { adapter, connectionTo } from './support.ts'

const REQUEST = 1470000113

let erp: BusinessOneSandbox
let [request, quotation, draft, order]: Order[] = []
beforeEach(async () => {
  erp = await startBusinessOne(makeCompany({ size: 120, days: 20 }))
  const untouched = erp.company.orders.filter(
    ({ status, lines }) => status === 'open' && lines.every(({ received }) => !received),
  )
  ;[request, quotation, draft, order] = untouched
  for (const one of [request!, quotation!, draft!]) one.status = 'draft'
  erp.set({
    kinds: new Map([
      [request!.id, 'PurchaseRequests'],
      [draft!.id, 'Drafts'],
    ]),
  })
})
afterEach(() => erp.close())

async function readAll<K extends RecordKind>(record: K) {
  const stream = adapter.streams(connectionTo(erp)).find((each) => each.record === record)!
  const records: RecordOf<K>[] = []
  const [quarantined, notes]: [object[], string[]] = [[], []]
  for await (const page of stream.read(null, new AbortController().signal)) {
    records.push(...(page.records as RecordOf<K>[]))
    quarantined.push(...page.quarantined)
    notes.push(...(page.notes ?? []))
  }
  return { records, quarantined, notes }
}

async function read<K extends RecordKind>(record: K) {
  const { quarantined, ...rest } = await readAll(record)
  expect(quarantined).toEqual([])
  return rest
}

const expected = ({ id, lines, supplier, orderedAt }: Order, set: string, kind: string) =>
  lines.map(({ number, pair, quantity, due }) => ({
    ...{ document: `${set}(${id})`, line: String(number - 1), kind, quantity, ordered: 0, due },
    ...{ sku: pair.item.code, location: pair.location.code, supplier: supplier.code },
    ...{ createdOn: new Date(orderedAt).toISOString().slice(0, 10), reference: null },
  }))

it('reads requests, quotations and drafts of orders', async () => {
  const { records, notes } = await read('drafts')
  expect(notes).toEqual([])
  expect(records).toEqual([
    ...expected(request!, 'PurchaseRequests', 'requisition'),
    ...expected(quotation!, 'PurchaseQuotations', 'rfq'),
    ...expected(draft!, 'Drafts', 'rfq'),
  ])
})

it('says what was ordered of a request, and orders name it', async () => {
  const [line] = request!.lines
  line!.received = 1
  erp.set({ madeOf: new Map([[order!.id, { type: REQUEST, entry: request!.id }]]) })
  const [first] = (await read('drafts')).records
  expect(first).toMatchObject({ quantity: line!.quantity, ordered: 1 })
  const { records } = await read('openOrders')
  const named = records.filter((each) => each.draft)
  expect(named.map(({ document }) => document)).toEqual(order!.lines.map(() => String(order!.id)))
  expect(named[0]!.draft).toBe(`PurchaseRequests(${request!.id})/0`)
})

it('counts a quotation that was made of a request as the request alone', async () => {
  erp.set({ madeOf: new Map([[quotation!.id, { type: REQUEST, entry: request!.id }]]) })
  const { records } = await read('drafts')
  expect(records.map(({ document }) => document)).not.toContain(
    `PurchaseQuotations(${quotation!.id})`,
  )
  erp.set({ forbidden: ['PurchaseRequests'] })
  const alone = await read('drafts')
  expect(alone.records.map(({ document }) => document)).toContain(
    `PurchaseQuotations(${quotation!.id})`,
  )
  expect(alone.notes).toHaveLength(1)
})

const draftCheck = async () => {
  const checks = await adapter.check(connectionTo(erp), new AbortController().signal)
  return checks.find(({ record }) => record === 'drafts')
}

it.each([
  ['forbidden', () => erp.set({ forbidden: ['PurchaseQuotations'] })],
  ['not there', () => erp.fault({ match: /PurchaseQuotations/, status: 404, times: 2 })],
  ['unknown', () => erp.fault({ match: /PurchaseQuotations/, status: 400, times: 2 })],
])('reads the other lists where one is %s, and the check names it', async (_name, fail) => {
  fail()
  const { records, notes } = await read('drafts')
  expect(records.map(({ document }) => document)).toContain(`PurchaseRequests(${request!.id})`)
  expect(notes).toEqual([expect.stringContaining('PurchaseQuotations')])
  expect(await draftCheck()).toMatchObject({
    ...{ status: 'ok', notes: [expect.stringContaining('PurchaseQuotations')] },
    rights: expect.not.arrayContaining(['Read only: PurchaseQuotations']),
  })
})

it('keeps an order whose price or day cannot be used, without them', async () => {
  const { lines, id } = order!
  const line = (LineNum: number, change: object) => ({
    ...{ LineNum, ItemCode: lines[0]!.pair.item.code, LineStatus: 'bost_Open', ShipDate: null },
    ...{ WarehouseCode: lines[0]!.pair.location.code, InventoryQuantity: 6, Quantity: 2 },
    ...{ RemainingOpenInventoryQuantity: 6, Price: 9, Currency: 'EUR', ...change },
  })
  const DocumentLines = [
    line(0, {}),
    line(1, { Price: 'much' }),
    line(2, { ShipDate: '2027-02-30' }),
    line(3, { RemainingOpenInventoryQuantity: 'many' }),
  ]
  const value = [{ DocEntry: id, DocNum: id, DocDate: '2026-05-01', CardCode: 'V1', DocumentLines }]
  erp.fault({ match: /v2\/PurchaseOrders/, status: 200, body: { value } })
  const { records, quarantined } = await readAll('openOrders')
  expect(records.map(({ line: at, due, unitCost }) => [at, due, unitCost])).toEqual([
    ['0', null, '3.0000'],
    ['1', null, undefined],
    ['2', null, '3.0000'],
  ])
  const { sku } = records[0]!
  // A row that counts without a value is no row of its pair that is lacking.
  expect(quarantined).toMatchObject([{ target: 'Price' }, { target: 'ShipDate' }, { sku }])
  expect(quarantined.map((row) => 'sku' in row)).toEqual([false, false, true])
})

it('says what is missing where nothing may be read', async () => {
  erp.set({ forbidden: ['PurchaseRequests', 'PurchaseQuotations', 'Drafts', 'BlanketAgreements'] })
  await expect(read('drafts')).rejects.toMatchObject({ code: 'forbidden' })
  expect(await draftCheck()).toMatchObject({
    status: 'forbidden',
    rights: expect.arrayContaining(['Read only: PurchaseRequests']),
  })
})
