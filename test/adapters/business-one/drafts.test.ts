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

async function read<K extends RecordKind>(record: K) {
  const stream = adapter.streams(connectionTo(erp)).find((each) => each.record === record)!
  const records: RecordOf<K>[] = []
  const [quarantined, notes]: [unknown[], string[]] = [[], []]
  for await (const page of stream.read(null, new AbortController().signal)) {
    records.push(...(page.records as RecordOf<K>[]))
    quarantined.push(...page.quarantined)
    notes.push(...(page.notes ?? []))
  }
  expect(quarantined).toEqual([])
  return { records, notes }
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

it('says what is missing where nothing may be read', async () => {
  erp.set({ forbidden: ['PurchaseRequests', 'PurchaseQuotations', 'Drafts', 'BlanketAgreements'] })
  await expect(read('drafts')).rejects.toMatchObject({ code: 'forbidden' })
  const checks = await adapter.check(connectionTo(erp), new AbortController().signal)
  expect(checks.find(({ record }) => record === 'drafts')).toMatchObject({
    status: 'forbidden',
    rights: expect.arrayContaining(['Read only: PurchaseRequests']),
  })
  expect(checks.filter(({ status }) => status !== 'ok')).toHaveLength(1)
})
