// Documents that move no stock: invoices before the goods, credits without them, and what suppliers send to the customer.
import type { RecordKind, RecordOf } from '../../../adapters/records.ts'
import { startBusinessOne } from '../../../sandbox/business-one/index.ts'
import type { BusinessOneSandbox } from '../../../sandbox/business-one/index.ts'
import { makeCompany } from '../../../sandbox/company/make-company.ts'
import { dayOfTime } from '../../../sandbox/company/days.ts'
import type { Pair } from '../../../sandbox/company/model.ts'
import { differences, Store } from '../store.ts'
import { adapter, connectionTo } from './support.ts'

let erp: BusinessOneSandbox
let pair: Pair
beforeEach(async () => {
  erp = await startBusinessOne(makeCompany({ size: 60, days: 30 }))
  pair = erp.company.pairs[0]!
})
afterEach(() => erp.close())

const INVOICE = 13
const ENTRY = 90_000_000

/** A document of one line, of 7 of which 3 have not moved yet. */
const invoice = (more: object = {}, line: object = {}) => {
  const today = dayOfTime(erp.company.clock.now())
  return {
    ...{ DocEntry: ENTRY, DocNum: 1, DocDate: today, UpdateDate: today, CardCode: 'P-1' },
    ...{ NumAtCard: 'prop_12', DocumentStatus: 'bost_Close', Cancelled: 'tNO' },
    ...{ CancelStatus: 'csNo', ReserveInvoice: 'tYES', ...more },
    DocumentLines: [
      {
        ...{ LineNum: 0, ItemCode: pair.item.code, WarehouseCode: pair.location.code },
        ...{ InventoryQuantity: 7, RemainingOpenInventoryQuantity: 3, ShipDate: '2031-05-06' },
        ...{ LineStatus: 'bost_Close', BaseType: 17, BaseEntry: 5, BaseLine: 0, ...line },
      },
    ],
  }
}
const set = (otherDocuments: Record<string, object[]>) => erp.set({ otherDocuments } as object)

async function read<K extends RecordKind>(record: K, stored: object[] = []) {
  const stream = adapter.streams(connectionTo(erp)).find((each) => each.record === record)!
  const records: RecordOf<K>[] = []
  const notes: string[] = []
  const known = async () => stored as Record<string, string>[]
  for await (const page of stream.read(null, new AbortController().signal, known)) {
    records.push(...(page.records as RecordOf<K>[]))
    notes.push(...(page.notes ?? []))
  }
  return { records, notes }
}

it('counts a reserve invoice as ordered, not as gone: its delivery is what takes the goods', async () => {
  set({ Invoices: [invoice()] })
  const { records } = await read('demand')
  expect(records.filter(({ document }) => document?.startsWith(`I${ENTRY}`))).toEqual([])
  const orders = await read('customerOrders')
  expect(orders.records.filter(({ document }) => document === `Invoices(${ENTRY})`)).toEqual([
    {
      ...{ document: `Invoices(${ENTRY})`, line: '0', quantity: 3, due: '2031-05-06' },
      ...{ sku: pair.item.code, location: pair.location.code },
    },
  ])
  expect(orders.notes).toEqual([])
})

it('has on order what is invoiced before it comes, paid or not', async () => {
  const paid = invoice({}, { BaseType: 22 })
  set({
    PurchaseInvoices: [
      paid,
      { ...invoice({ DocumentStatus: 'bost_Open' }), DocEntry: ENTRY + 1 },
      { ...invoice({}, { RemainingOpenInventoryQuantity: 0 }), DocEntry: ENTRY + 2 },
      { ...invoice({ ReserveInvoice: 'tNO' }), DocEntry: ENTRY + 3 },
      { ...invoice({ CancelStatus: 'csCancellation' }), DocEntry: ENTRY + 4 },
      { ...invoice({ Cancelled: 'tYES' }), DocEntry: ENTRY + 5 },
      { ...invoice({ DocDate: '2020-01-01' }), DocEntry: ENTRY + 6 },
    ],
  })
  const { records } = await read('openOrders')
  const found = records.filter(({ document }) => document.startsWith('PurchaseInvoices('))
  expect(found.map(({ document }) => document)).toEqual([
    `PurchaseInvoices(${ENTRY})`,
    `PurchaseInvoices(${ENTRY + 1})`,
  ])
  expect(found[0]).toMatchObject({
    ...{ line: '0', quantity: 3, due: '2031-05-06', supplier: 'P-1', reference: 'prop_12' },
    ...{ sku: pair.item.code, location: pair.location.code },
  })
})

it('counts what comes of an invoice before the goods from the day of its order on', async () => {
  const today = dayOfTime(erp.company.clock.now())
  const order = erp.company.orders[0]!
  const [line] = order.lines
  const own = { ItemCode: line!.pair.item.code, WarehouseCode: line!.pair.location.code }
  const base = (BaseType: number, BaseEntry: number, BaseLine: number) => ({
    ...{ BaseType, BaseEntry, BaseLine, InventoryQuantity: 2, ...own },
  })
  const ofOrder = invoice({ DocDate: '2031-01-07' }, base(22, order.id, line!.number - 1))
  const ofNothing = { ...invoice({ DocDate: today }, base(-1, 0, 0)), DocEntry: ENTRY + 1 }
  const receipt = (DocEntry: number, of: object, more: object = {}) => ({
    ...invoice({ ReserveInvoice: 'tNO', NumAtCard: null, ...more }, of),
    DocEntry,
  })
  set({
    PurchaseInvoices: [ofOrder, ofNothing],
    PurchaseDeliveryNotes: [
      receipt(ENTRY, base(18, ENTRY, 0)),
      receipt(ENTRY + 1, base(18, ENTRY + 1, 0)),
      receipt(ENTRY + 2, base(22, order.id, line!.number - 1)),
      receipt(ENTRY + 3, base(18, ENTRY + 9, 0)),
      receipt(ENTRY + 4, base(18, ENTRY, 0), { CancelStatus: 'csYes' }),
    ],
  })
  const mine = async () =>
    (await read('receipts')).records.filter((row) => Number(row.receipt.split('/')[0]) >= ENTRY)
  const ordered = {
    ...{ document: String(order.id), line: String(line!.number - 1), quantity: 2, due: line!.due },
    ...{ orderedOn: dayOfTime(order.orderedAt), receivedOn: today, reference: null },
  }
  expect(await mine()).toMatchObject([
    { receipt: `${ENTRY}/0`, ...ordered },
    {
      ...{ document: `PurchaseInvoices(${ENTRY + 1})`, line: '0', receipt: `${ENTRY + 1}/0` },
      ...{ orderedOn: today, due: '2031-05-06', quantity: 2, reference: 'prop_12' },
    },
    { receipt: `${ENTRY + 2}/0`, ...ordered },
  ])
  erp.set({ forbidden: ['PurchaseInvoices'] })
  expect(await mine()).toMatchObject([{ receipt: `${ENTRY + 2}/0`, ...ordered }])
})

it('counts as come what an invoice receives, and as sent back what a return or a credit memo takes away', async () => {
  const order = erp.company.orders[0]!
  const [line] = order.lines
  const own = { ItemCode: line!.pair.item.code, WarehouseCode: line!.pair.location.code }
  const document = (at: number, base: [number, number], more: object = {}, of: object = {}) => ({
    ...invoice(
      { ReserveInvoice: 'tNO', NumAtCard: null, ...more },
      { BaseType: base[0], BaseEntry: base[1], BaseLine: 0, InventoryQuantity: 2, ...own, ...of },
    ),
    DocEntry: ENTRY + at,
  })
  const ofOrder: [number, number] = [22, order.id]
  const at = line!.number - 1
  set({
    PurchaseDeliveryNotes: [document(0, ofOrder, {}, { BaseLine: at })],
    PurchaseInvoices: [
      document(0, ofOrder, {}, { BaseLine: at }),
      document(1, [20, ENTRY]),
      document(2, ofOrder, { ReserveInvoice: 'tYES' }, { BaseLine: at }),
      document(3, ofOrder, { CancelStatus: 'csYes' }, { BaseLine: at }),
    ],
    PurchaseReturns: [
      document(0, [20, ENTRY]),
      document(1, [-1, 0]),
      document(2, [20, ENTRY], { CancelStatus: 'csYes' }),
    ],
    PurchaseCreditNotes: [
      document(0, [18, ENTRY + 1]),
      document(1, [18, ENTRY], {}, { WithoutInventoryMovement: 'tYES' }),
      document(2, [21, ENTRY]),
      document(3, [18, ENTRY + 2]),
    ],
  })
  const { id } = order
  const mine = async () =>
    (await read('receipts')).records
      .filter(({ receipt }) => receipt.includes(String(ENTRY).slice(0, 5)))
      .map(({ document: name, receipt, line: number, quantity }) => [
        ...[name, number, receipt, quantity],
      ])
  expect(await mine()).toEqual([
    [String(id), String(at), `${ENTRY}/0`, 2],
    [String(id), String(at), `PurchaseInvoices(${ENTRY})/0`, 2],
    [String(id), String(at), `PurchaseReturns(${ENTRY})/0`, -2],
    [String(id), String(at), `PurchaseCreditNotes(${ENTRY})/0`, -2],
  ])
  erp.set({ forbidden: ['PurchaseInvoices', 'PurchaseReturns', 'PurchaseCreditNotes'] })
  expect(await mine()).toEqual([[String(id), String(at), `${ENTRY}/0`, 2]])
  const checks = await adapter.check(connectionTo(erp), new AbortController().signal)
  const check = checks.find(({ record }) => record === 'receipts')
  expect(check).toMatchObject({ status: 'ok' })
  expect(check!.notes).toHaveLength(3)
})

it('reads orders where such invoices may not be read, with a note and in the check', async () => {
  erp.set({ forbidden: ['PurchaseInvoices'] })
  const { records, notes } = await read('openOrders')
  expect(records.length).toBeGreaterThan(3)
  expect(notes).toEqual([expect.stringMatching(/PurchaseInvoices.*before the goods/)])
  const checks = await adapter.check(connectionTo(erp), new AbortController().signal)
  const check = checks.find(({ record }) => record === 'openOrders')
  expect(check).toMatchObject({ status: 'ok', notes: [expect.stringMatching(/PurchaseInvoices/)] })
})

it('keeps what is stored of invoices that are refused', async () => {
  erp.fault({ match: /PurchaseInvoices/, status: 400, times: 9 })
  const stored = [{ document: `PurchaseInvoices(${ENTRY})`, line: '0' }]
  await expect(read('openOrders', stored)).rejects.toMatchObject({ code: 'request_refused' })
})

it('takes a credit for a return only where the goods came back', async () => {
  const credit = (DocEntry: number, line: object) => ({
    ...invoice({ ReserveInvoice: 'tNO' }, { BaseType: INVOICE, BaseEntry: ENTRY, ...line }),
    DocEntry,
  })
  set({
    CreditNotes: [
      credit(ENTRY, { WithoutInventoryMovement: 'tYES' }),
      credit(ENTRY + 1, { WithoutInventoryMovement: 'tNO' }),
      credit(ENTRY + 2, { BaseType: 234_000_031 }),
    ],
  })
  const { records } = await read('demand')
  const found = records.filter(({ document }) => document?.startsWith('C9'))
  expect(found).toMatchObject([
    { document: `C${ENTRY + 1}/0`, quantity: -7, reversalOf: `I${ENTRY}/0` },
    { document: `C${ENTRY + 2}/0`, quantity: -7 },
  ])
  expect(found[1]).not.toHaveProperty('reversalOf')
})

it('takes back the delivery where what was credited had been delivered before it was invoiced', async () => {
  const invoiced = (DocEntry: number, of: object) => ({
    ...invoice({ ReserveInvoice: 'tNO' }, of),
    DocEntry,
  })
  const credit = (DocEntry: number, BaseEntry: number) =>
    invoiced(DocEntry, { BaseType: INVOICE, BaseEntry, BaseLine: 0 })
  set({
    Invoices: [
      invoiced(ENTRY, { BaseType: 15, BaseEntry: 3, BaseLine: 2 }),
      invoiced(ENTRY + 1, { BaseType: 17 }),
    ],
    CreditNotes: [credit(ENTRY, ENTRY), credit(ENTRY + 1, ENTRY + 1)],
  })
  const { records } = await read('demand')
  const found = records.filter(({ document }) => document?.startsWith('C9'))
  expect(found).toMatchObject([
    { document: `C${ENTRY}/0`, quantity: -7, reversalOf: 'D3/2' },
    { document: `C${ENTRY + 1}/0`, quantity: -7, reversalOf: `I${ENTRY + 1}/0` },
  ])
})

it('leaves out what a supplier sends to the customer, which is no stock of any warehouse', async () => {
  const { company } = erp
  const [here, away] = company.locations
  erp.set({ dropShips: new Set([away!.code]) })
  const store = await new Store(adapter, connectionTo(erp)).sync('full')
  for (const record of [
    ...(['locations', 'stock', 'planning', 'demand'] as const),
    ...(['openOrders', 'customerOrders', 'drafts', 'receipts'] as const),
  ]) {
    const locations = new Set(store.all(record).map(({ location }) => location))
    expect({ record, isIn: locations.has(away!.code) }).toEqual({ record, isIn: false })
  }
  const isHere = ({ location }: { location: string }) => location === here!.code
  expect(store.all('demand').filter(isHere).length).toBeGreaterThan(10)
  const wrong = differences(store, company, { documentOf: (one) => String(Number(one.slice(2))) })
  expect(wrong.filter((line) => !line.includes(away!.code) && /\{/.test(line))).toEqual([])
})
