// Blanket agreements: which of them are contracts with suppliers, and what is left of each.
import type { RecordKind, RecordOf } from '../../../adapters/records.ts'
import { startBusinessOne } from '../../../sandbox/business-one/index.ts'
import type { BusinessOneSandbox } from '../../../sandbox/business-one/index.ts'
import { makeCompany } from '../../../sandbox/company/make-company.ts'
import type { Agreement, Order } from '../../../sandbox/company/model.ts'
import { adapter, connectionTo } from './support.ts'

let erp: BusinessOneSandbox
let [agreement]: Agreement[] = []
let [order]: Order[] = []
const until = '2031-12-31'

beforeEach(async () => {
  erp = await startBusinessOne(makeCompany({ size: 120, days: 20 }))
  const { company } = erp
  const supplier = company.suppliers[0]!
  const [boxed, single] = [true, false].map((isBoxed) =>
    company.items.find(({ orderUnit }) => (orderUnit !== null) === isBoxed)!,
  )
  const factor = boxed!.orderUnit!.factor
  agreement = company.agree(
    supplier,
    [
      { item: boxed!, location: null, quantity: 100 * factor, unitCost: '1.5' },
      { item: single!, location: null, quantity: 0.3, unitCost: '0' },
    ],
    { from: '2026-01-01', until },
  )
  const pair = company.pairs.find(({ item }) => item === boxed)!
  order = company.order(supplier, [{ pair, quantity: 20 * factor, dueInDays: 9 }])
  order.lines[0]!.agreement = agreement.lines[0]!
  company.receive(order, order.lines[0]!, 5 * factor)
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
  return { records, quarantined, notes }
}

it('reads agreements in base units, with what has come and what is on order', async () => {
  const { records, quarantined, notes } = await read('drafts')
  expect([quarantined, notes]).toEqual([[], []])
  const [boxed, single] = agreement!.lines
  const factor = boxed!.item.orderUnit!.factor
  const common = {
    ...{ document: 'BlanketAgreements(1)', kind: 'contract', location: '', due: until },
    ...{ createdOn: '2026-01-01', supplier: agreement!.supplier.code },
  }
  const price = { unitCost: '1.5000', currency: 'EUR' }
  expect(records).toEqual([
    {
      ...{ ...common, ...price, line: '1', sku: boxed!.item.code },
      ...{ quantity: 100 * factor, ordered: 20 * factor },
    },
    { ...common, line: '2', sku: single!.item.code, quantity: 0.3, ordered: 0 },
  ])
  const named = (await read('openOrders')).records.filter(({ draft }) => draft)
  expect(named).toMatchObject([{ draft: 'BlanketAgreements(1)/1', quantity: 15 * factor }])
  // What does not come any more can be called off again.
  erp.company.closeLine(order!, order!.lines[0]!)
  expect((await read('drafts')).records[0]).toMatchObject({ ordered: 5 * factor })
})

it('leaves out what is ended, with a customer, or of no item', async () => {
  const [{ item }] = erp.company.agreements[0]!.lines as [Agreement['lines'][0]]
  const line = {
    ...{ AgreementRowNumber: 1, ItemNo: item.code, PlannedQuantity: 10, CumulativeQuantity: 0 },
    ...{ UnitPrice: 2, PriceCurrency: 'EUR', LineDiscount: 0, UnitsOfMeasurement: null },
  }
  const row = (AgreementNo: number, change: object) => ({
    ...{ AgreementNo, BPCode: agreement!.supplier.code, StartDate: null, EndDate: null },
    ...{ TerminateDate: null, AgreementMethod: 'amItem', Status: 'asApproved' },
    ...{ IgnorePricesInAgreement: 'tNO', BlanketAgreements_ItemsLines: [line], ...change },
  })
  erp.set({
    otherAgreements: [
      row(11, { EndDate: '2020-01-01' }),
      row(12, { BPCode: 'C1' }),
      row(14, { Status: 'asOnHold' }),
      row(15, { BlanketAgreements_ItemsLines: [{ ...line, ItemNo: null }] }),
      row(16, { BlanketAgreements_ItemsLines: [{ ...line, CumulativeQuantity: 10 }] }),
      row(17, { Status: 'asTerminated', TerminateDate: '2020-01-01', EndDate: until }),
      row(18, { Status: 'asTerminated', TerminateDate: '2030-01-01', EndDate: until }),
      row(19, { BlanketAgreements_ItemsLines: [{ ...line, PriceCurrency: '$' }] }),
      row(20, { BlanketAgreements_ItemsLines: [{ ...line, LineDiscount: 5 }] }),
      row(21, { IgnorePricesInAgreement: 'tYES' }),
      row(22, { BlanketAgreements_ItemsLines: [{ ...line, PlannedQuantity: 'many' }] }),
      row(23, { Status: 'asTerminated', EndDate: until }),
      row(24, { EndDate: '0026-05-10' }),
    ],
  })
  const { records, quarantined } = await read('drafts')
  const others = records.filter(({ document }) => document !== 'BlanketAgreements(1)')
  expect(others).toMatchObject([
    { document: 'BlanketAgreements(18)', due: '2030-01-01', unitCost: '2.0000' },
    ...[19, 20, 21].map((number) => ({ document: `BlanketAgreements(${number})`, due: null })),
  ])
  expect(others.slice(1).map(({ unitCost }) => unitCost)).toEqual([undefined, undefined, undefined])
  expect(quarantined).toMatchObject([
    { target: 'PlannedQuantity', sku: item.code },
    { target: 'EndDate', sku: item.code },
  ])
})

it('does not guess what is left where an open order does not say what it calls off', async () => {
  const line = {
    ...{ LineNum: 0, LineStatus: 'bost_Open', AgreementNo: 1, AgreementRowNumber: 1 },
    RemainingOpenInventoryQuantity: 'many',
  }
  const value = [{ DocEntry: 1, DocumentLines: [line] }]
  erp.fault({ match: /v2\/PurchaseOrders/, status: 200, body: { value } })
  const { records, quarantined } = await read('drafts')
  expect(records.map((record) => record.line)).toEqual(['2'])
  expect(quarantined).toMatchObject([{ target: 'RemainingOpenInventoryQuantity' }])
})

it('reads agreements after orders, so that what comes meanwhile is not offered again', async () => {
  await read('drafts')
  const sets = erp.log.map(({ path }) => path.slice('/b1s/v2/'.length))
  expect(sets.lastIndexOf('BlanketAgreements')).toBeGreaterThan(sets.indexOf('PurchaseOrders'))
})

it('goes on without agreements that may not be read, and says so', async () => {
  erp.set({ forbidden: ['BlanketAgreements'] })
  const { records, notes } = await read('drafts')
  expect(records).toEqual([])
  expect(notes).toMatchObject([expect.stringContaining('BlanketAgreements')])
  const checks = await adapter.check(connectionTo(erp), new AbortController().signal)
  expect(checks.find(({ record }) => record === 'drafts')).toMatchObject({
    status: 'ok',
    rights: expect.not.arrayContaining(['Read only: BlanketAgreements']),
    notes: [expect.stringContaining('BlanketAgreements')],
  })
})

it('asks for no partners and no orders where there are no agreements', async () => {
  erp.company.agreements.length = 0
  await read('drafts')
  const sets = erp.log.map(({ path }) => path.slice('/b1s/v2/'.length))
  expect(sets.filter((set) => !/^Log/.test(set))).toEqual([
    ...['Warehouses', 'PurchaseRequests', 'PurchaseQuotations', 'Drafts', 'BlanketAgreements'],
  ])
})

it('hands the number of an agreement over', () => {
  const line = {
    ...{ reference: 'prop_1', handOver: 'ho_12', order: 1, place: 1, sku: 'A', supplier: 'V1' },
    ...{ location: '01', orderQuantity: '5', orderUnit: 'PC', unit: 'PC', currency: 'EUR' },
    ...{ price: null, supplierSku: null, orderedOn: '2026-11-20', wantedOn: '2026-12-01' },
    contract: { document: 'BlanketAgreements(12)', line: '3', over: 0 },
  }
  const [, lines] = adapter.orderForm.tables([line as never])
  const at = lines!.header[0]!.indexOf('AgreementNo')
  expect(lines!.rows[0]!.slice(at, at + 2)).toEqual(['12', '3'])
})

describe('agreements over money', () => {
  const line = (change: object = {}) => ({
    ...{ AgreementRowNumber: 1, ItemNo: agreement!.lines[0]!.item.code, PriceCurrency: 'EUR' },
    ...{ PlannedAmountLC: 5000, CumulativeAmountLC: 120.5, UnitsOfMeasurement: null, ...change },
  })
  const row = (AgreementNo: number, change: object) => ({
    ...{ AgreementNo, BPCode: agreement!.supplier.code, StartDate: '2026-01-01', EndDate: until },
    ...{ TerminateDate: null, AgreementMethod: 'amMonetary', Status: 'asApproved' },
    ...{ IgnorePricesInAgreement: 'tNO', BlanketAgreements_ItemsLines: [line(change)] },
  })
  const called = (AgreementNo: number, change: object = {}) => ({
    ...{ LineNum: 0, LineStatus: 'bost_Open', AgreementNo, AgreementRowNumber: 1 },
    ...{ Price: 24, Quantity: 10, Currency: 'EUR', InventoryQuantity: 120 },
    ...{ RemainingOpenInventoryQuantity: 60, ...change },
  })
  const readMoney = async (rows: object[], lines: object[] = []) => {
    erp.set({ otherAgreements: rows as Record<string, never>[] })
    const value = [{ DocEntry: 1, DocumentLines: lines }]
    erp.fault({ match: /v2\/PurchaseOrders/, status: 200, body: { value } })
    const { records, quarantined } = await read('drafts')
    return { records: records.filter(({ agreedValue }) => agreedValue), quarantined }
  }

  it('say what is agreed, and what of it has come or is on order', async () => {
    const foreign = { PlannedAmountFC: 900, CumulativeAmountFC: 100, PriceCurrency: 'USD' }
    const { records, quarantined } = await readMoney(
      [
        row(31, {}),
        row(32, foreign),
        row(33, { PriceCurrency: '' }),
        row(34, { PriceCurrency: '$' }),
      ],
      [called(31), called(32, { Currency: 'USD' }), called(34, { Currency: '$' })],
    )
    const common = {
      ...{ line: '1', kind: 'contract', sku: agreement!.lines[0]!.item.code, location: '' },
      ...{ quantity: 0, due: until, createdOn: '2026-01-01', supplier: agreement!.supplier.code },
    }
    const money = (agreedValue: string, orderedValue: string, currency: string) => ({
      ...{ ...common, agreedValue, orderedValue, currency },
    })
    expect(quarantined).toEqual([])
    expect(records).toEqual([
      { document: 'BlanketAgreements(31)', ...money('5000.0000', '240.5000', 'EUR') },
      { document: 'BlanketAgreements(32)', ...money('900.0000', '220.0000', 'USD') },
      // The company's own, by the option `currency`.
      { document: 'BlanketAgreements(33)', ...money('5000.0000', '120.5000', 'EUR') },
      { document: 'BlanketAgreements(34)', ...money('5000.0000', '240.5000', 'EUR') },
    ])
  })

  it('are not offered where nothing is left or agreed, and not guessed', async () => {
    const { records, quarantined } = await readMoney(
      [
        row(41, { CumulativeAmountLC: 5000 }),
        row(42, { PlannedAmountLC: 0 }),
        row(43, { PlannedAmountLC: -5 }),
        row(44, { CumulativeAmountLC: -5 }),
        row(45, { PlannedAmountLC: 'much' }),
        row(46, {}),
        row(47, { PlannedAmountFC: 9, PriceCurrency: '$' }),
        row(48, {}),
        row(49, { ItemNo: null }),
      ],
      [
        called(46, { Currency: 'USD' }),
        called(48, { InventoryQuantity: 0 }),
        called(44, { RemainingOpenInventoryQuantity: 0, Currency: 'USD' }),
      ],
    )
    expect(records).toMatchObject([{ document: 'BlanketAgreements(44)', orderedValue: '0.0000' }])
    expect(quarantined).toMatchObject([
      { target: 'PlannedAmountLC' },
      { target: 'Currency', message: 'Currency of an order that calls off is USD, not EUR.' },
      { target: 'PriceCurrency' },
      { target: 'InventoryQuantity' },
    ])
  })
})
