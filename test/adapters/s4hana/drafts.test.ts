// Requisitions, planned orders and batches: what is open of them, and what becomes of a source that may not read them.
import { neededRightsOf } from '../../../adapters/s4hana/auth.ts'
import type { Page } from '../../../adapters/adapter.ts'
import type { RecordKind } from '../../../adapters/records.ts'
import type { Erp, PairTruth } from '../../../sandbox/index.ts'
import { adapter, connectionTo, pagesOf, startSmallErp, streamOf } from './support.ts'

const REQUISITIONS = 'A_PurchaseRequisitionItem'
const DAY_MS = 86_400_000
const day = (text: string) => Date.parse(text)

let erp: Erp
let pair: { sku: string; location: string }
beforeAll(async () => {
  erp = await startSmallErp({ size: 30, days: 5 })
  const [{ sku, location }] = [...erp.truth({ demand: false })] as [PairTruth]
  pair = { sku, location }
})
afterEach(() => erp.control.set({ forbidden: [] }))
afterAll(() => erp.close())

type Values = Record<string, string | number | boolean | null>

const put = (set: string, key: Record<string, string>, values: Values | null) =>
  erp.control.change([{ kind: 'row', set, key, values }])

const requisition = (number: string, values: Values | null, item = '00010') =>
  put(
    REQUISITIONS,
    { PurchaseRequisition: number, PurchaseRequisitionItem: item },
    values && {
      ...{
        Material: pair.sku,
        Plant: pair.location,
        BaseUnit: unit(),
        RequestedQuantity: '12.000',
      },
      ...{ CreationDate: day('2026-11-10'), DeliveryDate: day('2026-12-01'), ...values },
    },
  )

const plannedOrder = (number: string, values: Values | null) =>
  put(
    'A_PlannedOrder',
    { PlannedOrder: number },
    values && {
      ...{ Material: pair.sku, MRPPlant: pair.location, MaterialProcurementCategory: 'F' },
      ...{ TotalQuantity: '8.500', PlndOrderPlannedEndDate: day('2026-12-09'), ...values },
    },
  )

/** The base unit of the pair's product. */
let base: string
const unit = () => base
beforeAll(async () => {
  const set = 'API_PRODUCT_SRV/A_ProductUnitsOfMeasure'
  const url = `${erp.url}/sap/opu/odata/sap/${set}?$filter=Product eq '${pair.sku}'`
  const answer = await fetch(url, { headers: { authorization: erp.basic } })
  const { d } = (await answer.json()) as { d: { results: Record<string, string>[] } }
  base = d.results[0]!.BaseUnit!
})

async function read<K extends RecordKind>(record: K, options: object = {}): Promise<Page<K>> {
  const pages = await pagesOf(streamOf(connectionTo(erp, { ...options }), record))
  return {
    ...pages.at(-1)!,
    records: pages.flatMap((page) => page.records),
    quarantined: pages.flatMap((page) => page.quarantined),
    notes: pages.flatMap((page) => page.notes ?? []),
  }
}

it('reads what is left of requisitions, and planned orders for what is bought', async () => {
  requisition('0010000001', { OrderedQuantity: '4.000', FixedSupplier: 'S1', Supplier: 'S2' })
  requisition('0010000002', { RequirementTracking: 'prop_1042', Supplier: 'S2' })
  requisition('0010000003', { PurReqnExternalReference: 'ho_12', RequirementTracking: 'PROJECT' })
  const closed: Values[] = [
    { IsDeleted: 'X' },
    { IsClosed: true },
    { IsPurReqnBlocked: '1' },
    { AccountAssignmentCategory: 'K' },
    { PurchasingDocumentItemCategory: '2' },
    { Material: '' },
    { OrderedQuantity: '12.000', ProcessingStatus: 'B' },
    { ProcessingStatus: 'B', CreationDate: day('2026-11-20') - 401 * DAY_MS },
  ]
  for (const [at, values] of closed.entries()) requisition(`002000000${at}`, values)
  plannedOrder('0000000071', { FixedSupplier: 'S1' })
  plannedOrder('0000000072', { MaterialProcurementCategory: 'E' })
  plannedOrder('0000000073', { AccountAssignmentCategory: 'M' })
  const { records, quarantined } = await read('drafts')
  const common = { ...pair, due: '2026-12-01', createdOn: '2026-11-10', line: '00010' }
  const open = { ...common, kind: 'requisition', quantity: 12, ordered: 0 }
  expect(quarantined).toEqual([])
  expect(records).toEqual([
    {
      ...{ document: '0000000071', line: '1', kind: 'planned_order', ...pair, quantity: 8.5 },
      ...{ due: '2026-12-09', createdOn: null, supplier: 'S1' },
    },
    { ...open, document: '0010000001', ordered: 4, supplier: 'S1', reference: null },
    { ...open, document: '0010000002', supplier: 'S2', reference: 'prop_1042' },
    { ...open, document: '0010000003', supplier: null, reference: 'ho_12' },
  ])
})

it('converts requisitions in other units, and says which unit has no conversion', async () => {
  const key = { Product: pair.sku, AlternativeUnit: 'BOX' }
  const values = { BaseUnit: unit(), QuantityNumerator: '6', QuantityDenominator: '1' }
  put('A_ProductUnitsOfMeasure', key, values)
  requisition('0030000001', {
    BaseUnit: 'BOX',
    RequestedQuantity: '2.000',
    OrderedQuantity: '1.000',
  })
  requisition('0030000002', { BaseUnit: 'XYZ' })
  const { records, quarantined } = await read('drafts')
  expect(records.find(({ document }) => document === '0030000001')).toMatchObject({
    ...{ quantity: 12, ordered: 6 },
  })
  expect(quarantined).toMatchObject([
    {
      ...{ code: 'unit_conversion', target: 'BaseUnit', ...pair },
      place: expect.stringContaining('0030000002'),
    },
  ])
})

it.each(['v2', 'v4'])(
  'orders name the requisition that they were made of (%s)',
  async (version) => {
    const [{ document = '' } = {}] = erp.control.change([{ kind: 'order', ...pair, quantity: 5 }])
    const set = version === 'v2' ? 'A_PurchaseOrderItem' : 'PurchaseOrderItem'
    put(
      set,
      { PurchaseOrder: document, PurchaseOrderItem: '00010' },
      { PurchaseRequisition: '0010000001', PurchaseRequisitionItem: '00010' },
    )
    const { records } = await read('openOrders', { purchase_orders: version })
    const drafts = records.filter(({ draft }) => draft)
    expect(drafts).toMatchObject([{ document, draft: '0010000001/00010', quantity: 5 }])
  },
)

it.each(['v2', 'v4'])(
  'reads contracts that hold, with what orders have called off from them (%s)',
  async (version) => {
    const contract = (number: string, header: Values, item: Values, line = '00010') => {
      const common = { Supplier: 'S1', DocumentCurrency: 'EUR' }
      const days = { ValidityStartDate: day('2026-01-01'), ValidityEndDate: day('2039-12-31') }
      put('A_PurchaseContract', { PurchaseContract: number }, { ...common, ...days, ...header })
      const values = {
        Material: pair.sku,
        Plant: '',
        OrderQuantityUnit: 'CRT',
        OrderPriceUnit: 'CRT',
      }
      const price = { ContractNetPriceAmount: '25.00', NetPriceQuantity: '10' }
      put(
        'A_PurchaseContractItem',
        { PurchaseContract: number, PurchaseContractItem: line },
        { ...values, ...price, TargetQuantity: '100.000', DocumentCurrency: 'EUR', ...item },
      )
    }
    const key = { Product: pair.sku, AlternativeUnit: 'CRT' }
    const ratio = { BaseUnit: unit(), QuantityNumerator: '6', QuantityDenominator: '1' }
    put('A_ProductUnitsOfMeasure', key, ratio)
    contract('4600000001', {}, {})
    contract('4600000001', {}, { Plant: pair.location, TargetQuantity: '40.000' }, '00020')
    contract('4600000002', { ValidityEndDate: day('2026-01-31') }, {})
    contract('4600000003', { PurchasingDocumentDeletionCode: 'L' }, {})
    contract('4600000004', {}, { PurchasingContractDeletionCode: 'L' })
    contract('4600000005', {}, { Material: '' })
    contract('4600000006', {}, { AccountAssignmentCategory: 'K' })
    // Over a value, of all its items: they have no quantity.
    const amount = { PurchaseContractTargetAmount: '5000.00' }
    contract('4600000007', amount, { TargetQuantity: '0.000' })
    contract('4600000007', amount, { TargetQuantity: '0.000', Material: '' }, '00020')
    contract('4600000009', amount, { TargetQuantity: '0.000' })
    contract('4600000010', {}, { TargetQuantity: '0.000' })
    contract('4600000011', amount, { TargetQuantity: '0.000' })
    contract('4600000008', {}, { OrderQuantityUnit: 'XYZ', OrderPriceUnit: 'XYZ' })
    const set = version === 'v2' ? 'A_PurchaseOrderItem' : 'PurchaseOrderItem'
    const call = (values: Values) => {
      const [{ document = '' } = {}] = erp.control.change([{ kind: 'order', ...pair, quantity: 5 }])
      const item = { PurchaseContract: '4600000001', PurchaseContractItem: '00010' }
      const units = { OrderQuantity: '5.000', PurchaseOrderQuantityUnit: 'CRT' }
      const order = { PurchaseOrder: document, PurchaseOrderItem: '00010' }
      put(set, order, { ...item, ...units, ...values })
      return order
    }
    const overValue = {
      ...{ PurchaseContractItem: '00020', OrderPriceUnit: 'CRT', DocumentCurrency: 'EUR' },
      ...{ NetPriceAmount: '25.000', NetPriceQuantity: '10' },
    }
    const calls = [
      call({}),
      call({ PurchaseOrderQuantityUnit: unit(), IsCompletelyDelivered: true }),
      call({ PurchasingDocumentDeletionCode: 'L' }),
      call({ IsReturnsItem: true }),
      // All of this item is called off.
      call({ PurchaseContractItem: '00020', OrderQuantity: '40.000' }),
      call({ ...overValue, PurchaseContract: '4600000007' }),
      // Five cartons of six, of which ten pieces cost 25.00.
      call({ ...overValue, PurchaseContract: '4600000007', OrderPriceUnit: unit() }),
      call({ ...overValue, PurchaseContract: '4600000009', DocumentCurrency: 'USD' }),
      call({ ...overValue, PurchaseContract: '4600000011', OrderPriceUnit: 'XYZ' }),
    ]
    const { records, quarantined, notes } = await read('drafts', { purchase_orders: version })
    expect(records.filter(({ kind }) => kind === 'contract')).toEqual([
      {
        ...{ document: '4600000001', line: '00010', kind: 'contract', sku: pair.sku },
        ...{ location: '', quantity: 600, ordered: 35, due: '2039-12-31', createdOn: '2026-01-01' },
        // Ten cartons of six cost 25.00.
        ...{ supplier: 'S1', unitCost: '0.4167', currency: 'EUR' },
      },
      {
        ...{ document: '4600000007', line: '00010', kind: 'contract', sku: pair.sku },
        ...{ location: '', quantity: 0, due: '2039-12-31', createdOn: '2026-01-01' },
        ...{ supplier: 'S1', currency: 'EUR', agreedValue: '5000.0000', orderedValue: '87.5000' },
      },
    ])
    expect(quarantined).toContainEqual(
      expect.objectContaining({ code: 'unit_conversion', target: 'OrderQuantityUnit' }),
    )
    // What is left of it is not known, so it is not shown; nothing is wrong with its items.
    expect(notes).toEqual([
      'What is left of the contract 4600000009 over money, and of 1 more, is not known, and not shown: ' +
        `DocumentCurrency of order ${calls.at(-2)!.PurchaseOrder} is USD, not EUR.`,
    ])
    expect(quarantined.map(({ target }) => target)).not.toContain('DocumentCurrency')
    calls.push(call({ OrderQuantity: 'many' }))
    const bad = await read('drafts', { purchase_orders: version })
    expect(bad.records.map(({ kind }) => kind)).toContain('requisition')
    expect(bad.quarantined).toContainEqual(expect.objectContaining({ target: 'OrderQuantity' }))
    for (const order of calls) put(set, order, null)
  },
)

describe('scheduling agreements', () => {
  const agreement = (number: string, header: Values, item: Values, lines: Values[] = []) => {
    const common = { Supplier: 'S1', ValidityStartDate: day('2026-01-01') }
    const values = { ...common, ValidityEndDate: day('2039-12-31'), ...header }
    put('A_SchAgrmtHeader', { SchedulingAgreement: number }, values)
    const key = { SchedulingAgreement: number, SchedulingAgreementItem: '00010' }
    put('A_SchAgrmtItem', key, {
      ...{ Material: pair.sku, Plant: pair.location, OrderQuantityUnit: 'SCH' },
      ...{ OrderPriceUnit: 'SCH', NetPriceAmount: '25.00', NetPriceQuantity: '10' },
      ...{ DocumentCurrency: 'EUR', TargetQuantity: '100.000', ...item },
    })
    for (const [at, line] of lines.entries())
      put('A_SchAgrmtSchLine', { ...key, ScheduleLine: String(at + 1).padStart(4, '0') }, line)
  }
  const line = (date: string, scheduled: string, received: string) => ({
    ...{ ScheduleLineDeliveryDate: day(date), ScheduleLineOrderQuantity: scheduled },
    RoughGoodsReceiptQty: received,
  })
  const numbers = ['1', '2', '3', '4', '5', '6'].map((digit) => `550000000${digit}`)
  const [first = '', ...others] = numbers
  const own = <R extends { document: string }>(records: R[]) =>
    records.filter(({ document }) => numbers.includes(document))

  beforeAll(() => {
    const key = { Product: pair.sku, AlternativeUnit: 'SCH' }
    const ratio = { BaseUnit: unit(), QuantityNumerator: '6', QuantityDenominator: '1' }
    put('A_ProductUnitsOfMeasure', key, ratio)
    agreement(first, {}, {}, [
      line('2026-11-01', '20.000', '20.000'),
      line('2026-12-01', '10.000', '4.000'),
      {
        ...line('2027-01-01', '5.000', '0.000'),
        ...{ PurchaseRequisition: '0010000001', PurchaseRequisitionItem: '00010' },
      },
    ])
    const [ended, deleted, closed, used, open] = others as [string, string, string, string, string]
    agreement(ended, { ValidityEndDate: day('2026-01-31') }, {}, [
      line('2026-12-01', '2.000', '0.000'),
    ])
    const one = [line('2026-12-01', '2.000', '0.000')]
    agreement(deleted, { PurchasingDocumentDeletionCode: 'L' }, {}, one)
    agreement(closed, {}, { PurchasingDocumentDeletionCode: 'S' }, one)
    // Without a target quantity it is no contract, but what is scheduled comes.
    agreement(used, {}, { TargetQuantity: '0.000' }, one)
    agreement(open, {}, { OrderQuantityUnit: 'XYZ' })
  })

  it('are contracts over what is not scheduled yet', async () => {
    const { records, quarantined } = await read('drafts')
    expect(own(records)).toEqual([
      {
        ...{ document: first, line: '00010', kind: 'contract', ...pair, quantity: 600 },
        ...{ ordered: 210, due: '2039-12-31', createdOn: '2026-01-01', supplier: 'S1' },
        ...{ unitCost: '0.4167', currency: 'EUR' },
      },
    ])
    expect(quarantined).toContainEqual(
      expect.objectContaining({
        ...{ code: 'unit_conversion', target: 'OrderQuantityUnit' },
        place: expect.stringContaining(others.at(-1)!),
      }),
    )
  })

  it.each(['v2', 'v4'])('bring what their schedule lines have open (%s)', async (version) => {
    const { records } = await read('openOrders', { purchase_orders: version })
    const common = { ...pair, supplier: 'S1', reference: null, orderedOn: null }
    expect(own(records)).toEqual([
      {
        ...{ ...common, document: first, line: '00010/0002', quantity: 36 },
        ...{ due: '2026-12-01', draft: `${first}/00010` },
      },
      {
        ...{ ...common, document: first, line: '00010/0003', quantity: 30 },
        ...{ due: '2027-01-01', draft: '0010000001/00010' },
      },
      ...[others[0], others[3]].map((document) => ({
        ...{ ...common, document, line: '00010/0001', quantity: 12 },
        ...{ due: '2026-12-01', draft: `${document}/00010` },
      })),
    ])
  })

  it.each(['v2', 'v4'])('are seen to change by a later read (%s)', async (version) => {
    const { signal } = new AbortController()
    // A sync has streams of its own.
    const streamOfSync = () =>
      streamOf(connectionTo(erp, { purchase_orders: version }), 'openOrders')
    const before: Page<'openOrders'>[] = []
    for await (const page of streamOfSync().read(null, signal)) before.push(page)
    const stored = before.flatMap((page) => page.records as unknown as Record<string, string>[])
    const key = { SchedulingAgreement: first, SchedulingAgreementItem: '00010' }
    const change = (values: Values) =>
      put('A_SchAgrmtSchLine', { ...key, ScheduleLine: '0002' }, values)
    change({ RoughGoodsReceiptQty: '9.000' })
    const pages: Page<'openOrders'>[] = []
    const { cursor } = before.at(-1)!
    for await (const page of streamOfSync().read(cursor, signal, async () => stored))
      pages.push(page)
    change({ RoughGoodsReceiptQty: '4.000' })
    expect(own(pages.flatMap(({ records }) => records))[0]).toMatchObject({
      ...{ line: '00010/0002', quantity: 6 },
    })
    const kept = pages.flatMap((page) => page.kept ?? [])
    const all = kept.length + pages.flatMap(({ records }) => records).length
    expect(all).toBe(stored.length)
  })

  it.each([
    ['may not be read', () => erp.control.set({ forbidden: [RIGHTS.scheduling_agreements] })],
    [
      'are not answered for',
      () => {
        erp.control.fault({ kind: 'status', status: 400, times: null, match: 'A_SchAgrmtItem' })
      },
    ],
  ])('that %s leave the orders as they are, and say so', async (_, arrange) => {
    arrange()
    for (const record of ['openOrders', 'drafts'] as const) {
      const { records, notes } = await read<RecordKind>(record)
      expect(own(records as { document: string }[])).toEqual([])
      expect(records.length).toBeGreaterThan(0)
      expect(notes).toEqual([expect.stringContaining('scheduling_agreements=false')])
    }
    erp.control.set({ forbidden: [] })
    erp.control.clearFaults()
  })

  it('with a bad value are rejected, and the others are read', async () => {
    const [undated, uncounted] = ['5500000011', '5500000012']
    agreement(undated, { ValidityEndDate: Date.parse('0026-05-10') }, {})
    agreement(uncounted, {}, {}, [line('2026-12-01', 'many', '0.000')])
    const drafts = await read('drafts')
    const targetOf = (number: string) =>
      drafts.quarantined.find(({ place }) => place.includes(number))?.target
    expect(targetOf(undated)).toBe('ValidityEndDate')
    expect(targetOf(uncounted)).toBe('ScheduleLineOrderQuantity')
    expect(own(drafts.records)).toHaveLength(1)
    const orders = await read('openOrders')
    expect(orders.quarantined.find(({ place }) => place.includes(uncounted))).toBeDefined()
  })

  it('that ended long ago, and lines that are done, are not kept; pages are small', async () => {
    const old = '5500000013'
    agreement(old, { ValidityEndDate: day('2025-10-01') }, {}, [
      line('2026-12-01', '2.000', '0.000'),
    ])
    erp.control.clearLog()
    const { records } = await read('openOrders', { page_size: 2 })
    expect(records.some(({ document }) => document === old)).toBe(false)
    const asked = erp.log.filter(({ set }) => set === 'A_SchAgrmtSchLine')
    expect(asked.length).toBeGreaterThan(1)
    expect(asked.some(({ query }) => query.includes(old))).toBe(false)
  })
})

it('reads unrestricted stock by batch, of batches that expire', async () => {
  const stock = (batch: string, quantity: number, more: object = {}) =>
    erp.control.change([{ kind: 'stock', ...pair, batch, quantity, ...more }])
  const batch = (name: string, plant: string, expires: string | null) =>
    put(
      'Batch',
      { Material: pair.sku, BatchIdentifyingPlant: plant, Batch: name },
      { ShelfLifeExpirationDate: expires && day(expires) },
    )
  stock('C-1', 3, { storageLocation: '101A' })
  stock('C-1', 4.5, { storageLocation: '101B' })
  stock('C-1', 99, { type: '07' })
  stock('C-2', 2)
  stock('C-3', 5)
  stock('C-4', -1)
  batch('C-1', '', '2027-01-31')
  batch('C-2', '', '2027-02-28')
  batch('C-2', pair.location, '2027-03-15')
  batch('C-3', '', null)
  batch('C-4', '', '2027-01-31')
  const { records, quarantined } = await read('batches')
  expect(quarantined).toEqual([])
  expect(records).toEqual([
    { ...pair, batch: 'C-1', expiresOn: '2027-01-31', quantity: 7.5 },
    { ...pair, batch: 'C-2', expiresOn: '2027-03-15', quantity: 2 },
  ])
})

const RIGHTS = {
  requisitions: 'API_PURCHASEREQ_PROCESS_SRV',
  planned_orders: 'API_PLANNED_ORDERS',
  contracts: 'API_PURCHASECONTRACT_PROCESS_SRV',
  scheduling_agreements: 'API_SCHED_AGRMT_PROCESS_SRV',
  batches: 'API_BATCH_SRV',
}

it.each(Object.entries(RIGHTS))(
  '%s need a right only where somebody wants them',
  (option, name) => {
    const rights = (options: object) => neededRightsOf(connectionTo(erp, { ...options }))
    const byConsent = { auth: 'authorization_code' }
    expect(rights(byConsent).join()).not.toContain(name)
    expect(rights({ ...byConsent, [option]: true })).toContain(`${name}_0001`)
    expect(rights({})).toContain(name)
    expect(rights({ [option]: false }).join()).not.toContain(name)
    const without = {
      ...{ requisitions: false, planned_orders: false },
      ...{ contracts: false, scheduling_agreements: false, batches: false },
    }
    const kinds = adapter.streams(connectionTo(erp, without)).map(({ record }) => record)
    expect(kinds).not.toContain('drafts')
    expect(kinds).not.toContain('batches')
  },
)

it('reads one list of drafts where the other may not be read, and says so', async () => {
  erp.control.set({ forbidden: [RIGHTS.planned_orders] })
  const { records, notes } = await read('drafts')
  expect(records.map(({ kind }) => kind)).toContain('requisition')
  expect(records.map(({ kind }) => kind)).not.toContain('planned_order')
  expect(notes).toEqual([expect.stringContaining('planned_orders=false')])
  const checks = await adapter.check(connectionTo(erp), new AbortController().signal)
  expect(checks.find(({ record }) => record === 'drafts')).toMatchObject({
    ...{ status: 'ok', notes: [expect.stringContaining(RIGHTS.planned_orders)] },
    rights: expect.not.arrayContaining([RIGHTS.planned_orders]),
  })
})

it('says what is missing where none may be read', async () => {
  erp.control.set({ forbidden: Object.values(RIGHTS) })
  for (const [record, option] of [
    ['drafts', 'planned_orders'],
    ['batches', 'batches'],
  ] as const) {
    const stream = streamOf(connectionTo(erp), record)
    expect(stream).toMatchObject({ isRequired: false, isOptional: true })
    await expect(pagesOf<RecordKind>(stream)).rejects.toMatchObject({
      ...{ code: 'forbidden', message: expect.stringContaining(`${option}=false`) },
    })
  }
})
