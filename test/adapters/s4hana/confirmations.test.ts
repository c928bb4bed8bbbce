// What suppliers confirm of purchase orders: read with them, where it may be.
import { DAY_MS } from '../../../sandbox/clock.ts'
import type { Erp, PairTruth } from '../../../sandbox/index.ts'
import { neededRightsOf } from '../../../adapters/s4hana/auth.ts'
import { adapter, connectionTo, Copy, NOW, startSmallErp, streamOf } from './support.ts'

type Values = Record<string, string | number | boolean | null>
interface Line {
  day: string | null
  quantity: string
  unit?: string
}

const NAME = 'API_SUPPLIERCONFIRMATION'
let erp: Erp
let pair: { sku: string; location: string; unit: string }
let now = Date.parse(NOW)
let number = 5_900_000_000

const put = (set: string, key: Values, values: Values | null) =>
  erp.control.change([{ kind: 'row', set, key, values }])

function order(schedule: [due: string, quantity: number][], unit: 'base' | 'order' = 'base') {
  const [made] = erp.control.change([
    {
      ...{ kind: 'order', sku: pair.sku, location: pair.location, unit },
      quantity: schedule.reduce((sum, [, quantity]) => sum + quantity, 0),
      schedule: schedule.map(([due, quantity]) => ({ due, quantity })),
    },
  ])
  return made!.document!
}

/** Item numbers come without zeros in front. */
function confirm(document: string, lines: Line[], isRejected = false, name = String(number++)) {
  const item = { SupplierConfirmation: name, SupplierConfirmationItem: '10' }
  lines.forEach(({ day, quantity, unit = pair.unit }, index) =>
    put(
      'ConfirmationLine',
      { ...item, SupplierConfirmationLine: String(index + 1) },
      {
        DeliveryDate: day === null ? null : Date.parse(day),
        ...{ ConfirmedQuantity: quantity, PurchaseOrderQuantityUnit: unit },
      },
    ),
  )
  const references = { SuplrConfRefPurchaseOrder: document }
  put('ConfirmationItem', item, {
    ...{ ...references, SuplrConfRefPurchaseOrderItem: '10' },
    ItemIsRejectedBySupplier: isRejected,
  })
  put('Confirmation', { SupplierConfirmation: name }, { ...references, LastChangeDateTime: now })
  return name
}

const openOf = (copy: Copy, document: string) =>
  [...copy.openOrders.values()]
    .filter((line) => line.document === document)
    .map(({ quantity, due, confirmedOn, confirmedQuantity }) => [
      ...[quantity, due, confirmedOn, confirmedQuantity],
    ])

describe.each(['v2', 'v4'])('what suppliers confirm of %s purchase orders', (version) => {
  let copy: Copy

  beforeAll(async () => {
    erp = await startSmallErp({ size: 30, days: 10 })
    now = Date.parse(NOW)
    const { sku, location, unit } = [...erp.truth({ demand: false })][0] as PairTruth
    pair = { sku, location, unit }
    copy = await new Copy(connectionTo(erp, { purchase_orders: version })).sync('full')
  })
  afterAll(() => erp.close())

  const read = async (document: string) => {
    await copy.syncOne(streamOf(copy.connection, 'openOrders'))
    return openOf(copy, document)
  }

  it('is not there of most orders', async () => {
    const document = order([['2027-01-10', 10]])
    expect(await read(document)).toEqual([[10, '2027-01-10', undefined, undefined]])
  })

  it('is a later day, and a smaller quantity', async () => {
    const [slipped, short] = [order([['2027-01-10', 10]]), order([['2027-01-10', 10]])]
    confirm(slipped, [{ day: '2027-01-20', quantity: '10.000' }])
    confirm(short, [{ day: '2027-01-10', quantity: '4.000' }])
    expect(await read(slipped)).toEqual([[10, '2027-01-10', '2027-01-20', 10]])
    expect(openOf(copy, short)).toEqual([[10, '2027-01-10', '2027-01-10', 4]])
  })

  it('comes in parts, whose last day is that of all of it, and is never more than is open', async () => {
    const document = order([['2027-01-10', 10]])
    confirm(document, [
      { day: '2027-01-20', quantity: '6.000' },
      { day: '2027-01-12', quantity: '3.000' },
    ])
    expect(await read(document)).toEqual([[10, '2027-01-10', '2027-01-20', 9]])
    confirm(document, [{ day: '2027-02-01', quantity: '5.000' }])
    expect(await read(document)).toEqual([[10, '2027-01-10', '2027-02-01', 10]])
  })

  it('belongs to the earliest of several schedule lines', async () => {
    const document = order([
      ['2027-02-10', 4],
      ['2027-01-10', 6],
    ])
    confirm(document, [
      { day: '2027-01-11', quantity: '6.000' },
      { day: '2027-02-15', quantity: '1.000' },
    ])
    expect((await read(document)).toSorted()).toEqual([
      [4, '2027-02-10', '2027-02-15', 1],
      [6, '2027-01-10', '2027-01-11', 6],
    ])
  })

  it('is the rest, where a part has come', async () => {
    const document = order([['2027-01-10', 10]])
    confirm(document, [
      { day: '2027-01-05', quantity: '3.000' },
      { day: '2027-01-15', quantity: '5.000' },
    ])
    erp.control.change([{ kind: 'receive', order: document, item: '00010', quantity: 4 }])
    expect(await read(document)).toEqual([[6, '2027-01-10', '2027-01-15', 4]])
  })

  it('is nothing, where the supplier rejects it, and may have no day', async () => {
    const [rejected, undated] = [order([['2027-01-10', 10]]), order([['2027-01-10', 10]])]
    confirm(rejected, [{ day: '2027-01-10', quantity: '10.000' }], true)
    confirm(undated, [{ day: null, quantity: '7.000' }])
    expect(await read(rejected)).toEqual([[10, '2027-01-10', null, 0]])
    expect(openOf(copy, undated)).toEqual([[10, '2027-01-10', null, 7]])
  })

  it('is known when it changes, without a change of the order', async () => {
    const document = order([['2027-01-10', 10]])
    const name = confirm(document, [{ day: '2027-01-10', quantity: '10.000' }])
    expect(await read(document)).toEqual([[10, '2027-01-10', '2027-01-10', 10]])
    erp.control.advance(3)
    now += 3 * DAY_MS
    confirm(document, [{ day: '2027-03-01', quantity: '10.000' }], false, name)
    expect(await read(document)).toEqual([[10, '2027-01-10', '2027-03-01', 10]])
  })

  it('is in order units, which it names', async () => {
    const { sku, unit } = pair
    const key = { Product: sku, AlternativeUnit: 'CRT' }
    put('A_ProductUnitsOfMeasure', key, {
      ...{ BaseUnit: unit, QuantityNumerator: '6', QuantityDenominator: '1' },
    })
    const document = order([['2027-01-10', 5]])
    const item = { PurchaseOrder: document, PurchaseOrderItem: '00010' }
    const set = version === 'v2' ? 'A_PurchaseOrderItem' : 'PurchaseOrderItem'
    put(set, item, { PurchaseOrderQuantityUnit: 'CRT', OrderItemQtyToBaseQtyNmrtr: '6' })
    confirm(document, [{ day: '2027-01-12', quantity: '3.500', unit: 'CRT' }])
    expect(await read(document)).toEqual([[30, '2027-01-10', '2027-01-12', 21]])
    const other = order([['2027-01-10', 5]])
    confirm(other, [{ day: '2027-01-12', quantity: '3.000', unit: 'PAL' }])
    // The order itself counts; what is confirmed of it is a rejected row without a pair.
    expect(await read(other)).toEqual([[5, '2027-01-10', undefined, undefined]])
    const rejected = copy.quarantined.find(({ place }) => place.includes(other))
    expect(rejected).toMatchObject({
      ...{ code: 'unit_conversion', target: 'PurchaseOrderQuantityUnit' },
      message: expect.stringContaining('PAL'),
    })
    expect(rejected).not.toHaveProperty('sku')
    put(set, item, null)
  })

  it('is left out where it may not be read, and a note says so', async () => {
    const document = order([['2027-01-10', 10]])
    confirm(document, [{ day: '2027-01-20', quantity: '10.000' }])
    expect(await read(document)).toEqual([[10, '2027-01-10', '2027-01-20', 10]])
    erp.control.set({ forbidden: [NAME] })
    expect(await read(document)).toEqual([[10, '2027-01-10', undefined, undefined]])
    expect(copy.notes).toEqual([expect.stringContaining('confirmations=false')])
    const checks = await adapter.check(copy.connection, new AbortController().signal)
    expect(checks.find(({ record }) => record === 'openOrders')).toMatchObject({
      ...{ status: 'ok', notes: copy.notes, rights: expect.not.arrayContaining([NAME]) },
    })
    erp.control.set({ forbidden: [] })
    expect(await read(document)).toEqual([[10, '2027-01-10', '2027-01-20', 10]])
  })

  it.each(['Confirmation', 'ConfirmationItem', 'ConfirmationLine'])(
    'is left out where the system does not answer for %s, and one note says so',
    async (set) => {
      const document = order([['2027-01-10', 10]])
      confirm(document, [{ day: '2027-01-20', quantity: '10.000' }])
      const refused = { kind: 'status', status: 400, times: null } as const
      erp.control.fault({ ...refused, match: `/${set}\\?` })
      const own = new Copy(connectionTo(erp, { purchase_orders: version, page_size: 20 }))
      const streamOfSync = () => streamOf(own.connection, 'openOrders')
      await own.syncOne(streamOfSync(), 'full')
      expect(openOf(own, document)).toEqual([[10, '2027-01-10', undefined, undefined]])
      expect(own.notes).toEqual([expect.stringContaining('confirmations=false')])
      const checks = await adapter.check(own.connection, new AbortController().signal)
      expect(checks.find(({ record }) => record === 'openOrders')!.status).toBe('ok')
      erp.control.clearFaults()
      await own.syncOne(streamOfSync())
      expect(openOf(own, document)).toEqual([[10, '2027-01-10', '2027-01-20', 10]])
    },
  )

  it('does not keep the other streams from being checked, where its list fails', async () => {
    const fails = { kind: 'status', status: 503, retryAfter: '0', times: null } as const
    erp.control.fault({ ...fails, match: '/Confirmation\\?' })
    const checks = await adapter.check(copy.connection, new AbortController().signal)
    expect(checks.find(({ record }) => record === 'openOrders')!.status).toBe('failed')
    expect(checks.find(({ record }) => record === 'stock')!.status).toBe('ok')
    erp.control.clearFaults()
  })

  it.each([
    ['currency without a code', { DocumentCurrency: 'USDN5' }],
    ['negative price', { NetPriceAmount: '-1.00' }],
  ])('and an order with a %s counts without its price', async (_, values) => {
    const document = order([['2027-01-10', 5]])
    const set = version === 'v2' ? 'A_PurchaseOrderItem' : 'PurchaseOrderItem'
    const item = { PurchaseOrder: document, PurchaseOrderItem: '00010' }
    const price = { NetPriceAmount: '2.00', NetPriceQuantity: '1', OrderPriceUnit: pair.unit }
    put(set, item, { PurchaseOrderQuantityUnit: pair.unit, ...price, ...values })
    expect(await read(document)).toEqual([[5, '2027-01-10', undefined, undefined]])
    const line = [...copy.openOrders.values()].find((each) => each.document === document)
    expect(line).not.toHaveProperty('unitCost')
    put(set, item, null)
  })
})

it('needs a right only where somebody wants it', async () => {
  const rights = (options: object) => neededRightsOf(connectionTo(erp, { ...options }))
  const byConsent = { auth: 'authorization_code' }
  expect(rights(byConsent).join()).not.toContain(NAME)
  expect(rights({ ...byConsent, confirmations: true })).toContain(`${NAME}_0001`)
  expect(rights({})).toContain(NAME)
  expect(rights({ confirmations: false }).join()).not.toContain(NAME)
})
