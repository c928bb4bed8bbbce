import type { Erp, PairTruth } from '../../../sandbox/index.ts'
import { kindsConformance } from '../../conformance/adapter-kinds.ts'
import { adapter, connectionTo, startSmallErp } from './support.ts'

let erp: Erp
afterEach(() => erp.close())

const FIXED = { notFor: 'a product number is what S/4HANA knows a product by, and stays' }

kindsConformance(adapter, {
  async missing() {
    erp = await startSmallErp()
    const connection = connectionTo(erp)
    return { connection: { ...connection, account: `${erp.url}/nowhere` }, target: null }
  },
  severalCompanies: { notFor: 'plants are read, of whatever company code the user may read' },
  kits: { notFor: 'items of orders name what is delivered, parts of a sales BOM too' },
  ...{ codeReused: FIXED, codeTwice: FIXED, codeChanged: FIXED },
  supplierOrder: { notFor: 'source of supply: see planning/info-records.ts and its tests' },
  rounding: { notFor: 'the rounding value is in the base unit' },
  async orderPrice() {
    erp = await startSmallErp()
    const [{ sku, location }] = [...erp.truth({ demand: false })] as [PairTruth]
    const [made] = erp.control.change([{ kind: 'order', sku, location, quantity: 20 }])
    const document = made!.document!
    // Net, for ten cartons of six.
    const unit = { PurchaseOrderQuantityUnit: 'CRT', OrderPriceUnit: 'CRT' }
    const factors = { OrderItemQtyToBaseQtyNmrtr: '6', OrderItemQtyToBaseQtyDnmntr: '1' }
    const price = { NetPriceAmount: '108.000', NetPriceQuantity: '10', DocumentCurrency: 'EUR' }
    const key = { PurchaseOrder: document, PurchaseOrderItem: '00010' }
    const values = { ...unit, ...factors, ...price }
    erp.control.change([{ kind: 'row', set: 'PurchaseOrderItem', key, values }])
    return { connection: connectionTo(erp), document }
  },
  async confirmation() {
    erp = await startSmallErp()
    const [{ sku, location, unit }] = [...erp.truth({ demand: false })] as [PairTruth]
    const order = { kind: 'order', sku, location, quantity: 10, unit: 'base' } as const
    const schedule = [{ due: '2027-01-10', quantity: 10 }]
    const made = erp.control.change([
      { ...order, schedule },
      { ...order, schedule },
    ])
    const [document, unconfirmed] = made.map((each) => each.document!) as [string, string]
    const put = (
      set: string,
      key: Record<string, string>,
      values: Record<string, string | number | boolean>,
    ) => erp.control.change([{ kind: 'row', set, key, values }])
    const item = { SupplierConfirmation: '5900000001', SupplierConfirmationItem: '10' }
    const reference = { SuplrConfRefPurchaseOrder: document }
    put(
      'ConfirmationLine',
      { ...item, SupplierConfirmationLine: '1' },
      {
        ...{ DeliveryDate: Date.parse('2027-01-20'), ConfirmedQuantity: '8.000' },
        PurchaseOrderQuantityUnit: unit,
      },
    )
    put('ConfirmationItem', item, {
      ...{ ...reference, SuplrConfRefPurchaseOrderItem: '10', ItemIsRejectedBySupplier: false },
    })
    put(
      'Confirmation',
      { SupplierConfirmation: item.SupplierConfirmation },
      { ...reference, LastChangeDateTime: Date.parse('2026-11-20T06:00:00Z') },
    )
    return {
      ...{ connection: connectionTo(erp), document, unconfirmed },
      line: {
        ...{ quantity: 10, due: '2027-01-10' },
        ...{ confirmedOn: '2027-01-20', confirmedQuantity: 8 },
      },
    }
  },
  async refusedList() {
    erp = await startSmallErp()
    const [{ sku, location }] = [...erp.truth({ demand: false })] as [PairTruth]
    const put = (
      set: string,
      key: Record<string, string>,
      values: Record<string, string | number>,
    ) => erp.control.change([{ kind: 'row', set, key, values }])
    const days = {
      ...{ ValidityStartDate: Date.parse('2026-01-01'), ValidityEndDate: Date.parse('2039-12-31') },
      ...{ Supplier: 'S1', DocumentCurrency: 'EUR' },
    }
    const target = { Material: sku, Plant: location, TargetQuantity: '100.000' }
    const unit = { OrderQuantityUnit: 'CRT', OrderPriceUnit: 'CRT' }
    const ratio = { BaseUnit: 'PC', QuantityNumerator: '6', QuantityDenominator: '1' }
    put('A_ProductUnitsOfMeasure', { Product: sku, AlternativeUnit: 'CRT' }, ratio)
    const contract = { PurchaseContract: '4600000001' }
    put('A_PurchaseContract', contract, days)
    put(
      'A_PurchaseContractItem',
      { ...contract, PurchaseContractItem: '00010' },
      { ...target, ...unit },
    )
    const agreement = { SchedulingAgreement: '5500000001' }
    put('A_SchAgrmtHeader', agreement, days)
    put(
      'A_SchAgrmtItem',
      { ...agreement, SchedulingAgreementItem: '00010' },
      { ...target, ...unit },
    )
    return {
      connection: connectionTo(erp),
      refuse: () =>
        erp.control.fault({ kind: 'status', status: 400, times: null, match: 'A_SchAgrmtItem' }),
      isOf: ({ document }) => document === agreement.SchedulingAgreement,
    }
  },
})
