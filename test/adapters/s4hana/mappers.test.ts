import fc from '../../support/properties.ts'
import { RECORDS } from '../../../adapters/records.ts'
import type { RecordOf } from '../../../adapters/records.ts'
import { DEFAULT_MOVEMENTS, parseMovements } from '../../../adapters/s4hana/demand/movements.ts'
import type {
  MaterialDocumentItemRow,
  MaterialDocumentRow,
} from '../../../adapters/s4hana/entities.ts'
import type { Batch } from '../../../adapters/rows/pages.ts'
import { toExact } from '../../../adapters/rows/decimals.ts'
import { toDemand } from '../../../adapters/s4hana/demand/to-demand.ts'
import { toPlanning } from '../../../adapters/s4hana/planning/to-planning.ts'
import { toSku } from '../../../adapters/s4hana/to-product.ts'
import { toInfoRecord, toTerms } from '../../../adapters/s4hana/planning/terms.ts'
import { toCustomerOrders } from '../../../adapters/s4hana/orders/to-customer-order.ts'
import { toOpenOrder } from '../../../adapters/s4hana/orders/to-open-order.ts'
import { conversionOf, NO_CONVERSION, openInBase } from '../../../adapters/s4hana/units.ts'

const MOVEMENTS = parseMovements(DEFAULT_MOVEMENTS)!
const ITEM: MaterialDocumentItemRow = {
  MaterialDocumentItem: '0001',
  Material: '000000000000000007',
  Plant: '1010',
  GoodsMovementType: '601',
  InventorySpecialStockType: '',
  QuantityInBaseUnit: '12.500',
  IsAutomaticallyCreated: '',
  ReversedMaterialDocumentYear: '0000',
  ReversedMaterialDocument: '',
  ReversedMaterialDocumentItem: '0000',
}

function taken(
  items: Partial<MaterialDocumentItemRow>[],
  document: Partial<MaterialDocumentRow> = {},
): Batch<'demand'> {
  const into: Batch<'demand'> = { records: [], quarantined: [] }
  const row: MaterialDocumentRow = {
    MaterialDocumentYear: '2026',
    MaterialDocument: '4900000001',
    PostingDate: '/Date(1767225600000)/',
    CreationDate: '/Date(1767225600000)/',
    to_MaterialDocumentItem: { results: items.map((item) => ({ ...ITEM, ...item })) },
    ...document,
  }
  toDemand(row, MOVEMENTS, into)
  return into
}

describe('a line of a material document', () => {
  it('is demand on the day of its posting', () => {
    expect(taken([{}]).records).toEqual([
      {
        sku: '000000000000000007',
        location: '1010',
        date: '2026-01-01',
        quantity: 12.5,
        price: null,
        promo: null,
        document: '2026/4900000001/0001',
      },
    ])
  })

  it('takes back another one where it says so', () => {
    const { records } = taken([
      {
        GoodsMovementType: '602',
        ReversedMaterialDocumentYear: '2025',
        ReversedMaterialDocument: '4900000077',
        ReversedMaterialDocumentItem: '0003',
      },
    ])
    expect(records).toMatchObject([{ quantity: -12.5, reversalOf: '2025/4900000077/0003' }])
  })

  it.each([
    ['653', -12.5],
    ['654', 12.5],
    ['261', 12.5],
    ['262', -12.5],
    ['641', 12.5],
  ])('of type %s counts as %d', (GoodsMovementType, quantity) => {
    expect(taken([{ GoodsMovementType }]).records).toMatchObject([{ quantity }])
  })

  it.each([
    ['a receipt', { GoodsMovementType: '101' }],
    ['scrap', { GoodsMovementType: '551' }],
    ['a count', { GoodsMovementType: '701' }],
    ['a transfer within a plant', { GoodsMovementType: '311' }],
    ['the receiving line of a transfer', { GoodsMovementType: '641', IsAutomaticallyCreated: 'X' }],
    ['that of one without a delivery', { GoodsMovementType: '351', IsAutomaticallyCreated: 'X' }],
    [
      'the line of a subcontractor’s stock',
      { GoodsMovementType: '541', InventorySpecialStockType: 'O', IsAutomaticallyCreated: 'X' },
    ],
    ['what a subcontractor uses', { GoodsMovementType: '543', InventorySpecialStockType: 'O' }],
    ["a supplier's own stock", { InventorySpecialStockType: 'K' }],
    ['nothing that has a number', { Material: '' }],
    ['a line of no quantity', { QuantityInBaseUnit: '0.000' }],
  ])('is left out where it is %s', (_name, item) => {
    expect(taken([item])).toEqual({ records: [], quarantined: [] })
  })

  it.each([
    [{ QuantityInBaseUnit: 'much' }, {}, 'QuantityInBaseUnit'],
    [{ QuantityInBaseUnit: '-1.000' }, {}, 'QuantityInBaseUnit'],
    [{ Plant: '' }, {}, 'Plant'],
    [{ Material: 'x'.repeat(101) }, {}, 'Material'],
    [{}, { PostingDate: null }, 'PostingDate'],
    [{}, { PostingDate: '/Date(-86400000)/' }, 'PostingDate'],
  ])('is quarantined where it is bad: %j %j', (item, document, target) => {
    const { records, quarantined } = taken([{}, item], document)
    const bad = Object.keys(document).length ? 2 : 1
    expect(records).toHaveLength(2 - bad)
    expect(quarantined).toHaveLength(bad)
    expect(quarantined.at(-1)).toMatchObject({
      target,
      place: 'A_MaterialDocumentItem(2026/4900000001/0001)',
    })
  })

  it('always gives a record that the schema takes, or is quarantined', () => {
    const text = fc.oneof(fc.string({ maxLength: 120 }), fc.constantFrom('', '1010', "A/1'#&ü"))
    const quantity = fc.oneof(
      fc.constantFrom('0.000', '1.000', '-1', 'x', '', '1e12', '1e13', 'Infinity', 'NaN'),
      fc.double().map(String),
    )
    const item = fc.record({
      ...{ Material: text, Plant: text, QuantityInBaseUnit: quantity },
      GoodsMovementType: fc.constantFrom('601', '602', '653', '101'),
      ReversedMaterialDocument: fc.constantFrom('', '4900000077'),
    })
    const day = fc.constantFrom('/Date(0)/', '/Date(-1)/', null, 'x', '/Date(7258118400000)/')
    fc.assert(
      fc.property(fc.array(item), day, (items, PostingDate) => {
        for (const record of taken(items, { PostingDate }).records) {
          expect(RECORDS.demand.schema.parse(record)).toEqual(record)
        }
      }),
    )
  })
})

describe('a product', () => {
  const row = {
    ...{ Product: 'A', BaseUnit: 'PC', ProductGroup: 'G001' },
    ...{ IsMarkedForDeletion: false, LastChangeDateTime: null },
  }
  const valuation = {
    ...{ Product: 'A', ValuationArea: '1010', ValuationType: '', IsMarkedForDeletion: false },
    ...{ InventoryValuationProcedure: 'S', StandardPrice: '1250.000', MovingAveragePrice: '9.000' },
    ...{ PriceUnitQty: '100', Currency: 'EUR' },
  }

  it('costs what its stock is valued at, for one base unit', () => {
    expect(toSku(row, undefined, [valuation])).toMatchObject({ unitCost: '12.5000' })
    const moving = { ...valuation, InventoryValuationProcedure: 'V' }
    expect(toSku(row, undefined, [moving])).toMatchObject({ unitCost: '0.0900' })
    const without = { ...valuation, StandardPrice: '0.000' }
    expect(toSku(row, undefined, [without])).toMatchObject({ unitCost: null, currency: null })
  })

  it('belongs to its product group, if to any', () => {
    expect(toSku(row, undefined, []).skuGroup).toBe('G001')
    expect(toSku({ ...row, ProductGroup: '' }, undefined, []).skuGroup).toBeNull()
  })

  it('is not bought any more once it is flagged', () => {
    expect(toSku({ ...row, IsMarkedForDeletion: true }, undefined, []).purchasable).toBe(false)
  })
})

describe('planning', () => {
  const supply = {
    ...{ Product: 'A', Plant: '1010', ProcurementType: 'F', PlannedDeliveryDurationInDays: '9' },
    ...{ GoodsReceiptDuration: '3', MinimumLotSizeQuantity: '20.000' },
    LotSizeRoundingQuantity: '0.000',
  }
  const info = toInfoRecord({
    ...{ PurchasingInfoRecord: '5300000000', Supplier: 'S', Material: 'A', BaseUnit: 'PC' },
    ...{ PurgDocOrderQuantityUnit: 'CAR', OrderItemQtyToBaseQtyNmrtr: '12' },
    OrderItemQtyToBaseQtyDnmntr: '1',
  })
  const terms = (more = {}) =>
    toTerms(info, {
      ...{ PurchasingInfoRecord: '5300000000', PurchasingOrganization: '1000', Plant: '' },
      ...{
        Supplier: 'S',
        MaterialPlannedDeliveryDurn: '14',
        MinimumPurchaseOrderQuantity: '2.000',
      },
      ...{ NetPriceAmount: '60.00', MaterialPriceUnitQty: '10', PurchaseOrderPriceUnit: 'CAR' },
      Currency: 'EUR',
      ...more,
    })
  const planned = (more: Partial<Parameters<typeof toPlanning>[0]> = {}) =>
    toPlanning({ supply, isFlagged: false, terms: terms(), orderUnit: NO_CONVERSION, ...more })

  it('takes lead time, minimum, lot and price from the info record, in base units', () => {
    expect(planned()).toEqual({
      ...{ sku: 'A', location: '1010', leadTimeDays: 14 + 5, reviewPeriodDays: null },
      ...{ moq: 24, lotSize: 12, supplier: 'S', unitCost: '0.5000', currency: 'EUR' },
      ...{ orderUnit: 'CAR', unitsPerOrderUnit: 12, orderPrice: '6.0000', supplierSku: null },
      ...{ purchasable: true, phaseOutOn: null, successor: null },
    } satisfies RecordOf<'planning'>)
  })

  it('takes the effective-out date for the phase-out, but none that stands for never', () => {
    const until = (EffectiveOutDate: string | null) =>
      planned({ supply: { ...supply, EffectiveOutDate } }).phaseOutOn
    expect(until('/Date(1798675200000)/')).toBe('2026-12-31')
    expect([null, '', '/Date(253402214400000)/'].map(until)).toEqual([null, null, null])
  })

  it('takes the rounding value before the order unit, and the larger minimum', () => {
    const own = { ...supply, LotSizeRoundingQuantity: '5.000', MinimumLotSizeQuantity: '30.000' }
    expect(planned({ supply: own })).toMatchObject({ lotSize: 5, moq: 30 })
  })

  it('takes the delivery time of supply planning where the info record has none', () => {
    const own = terms({ MaterialPlannedDeliveryDurn: '0' })
    expect(planned({ terms: own }).leadTimeDays).toBe(9 + 5)
    const nobody = { ...supply, PlannedDeliveryDurationInDays: '0' }
    expect(planned({ terms: own, supply: nobody }).leadTimeDays).toBeNull()
  })

  it.each([
    ['F', true, true],
    ['F', false, true],
    ['X', true, true],
    ['X', false, false],
    ['E', true, false],
  ])(
    'of procurement type %s with an info record %s is bought: %s',
    (ProcurementType, has, bought) => {
      const plant = { ...supply, ProcurementType }
      expect(planned({ supply: plant, terms: has ? terms() : null }).purchasable).toBe(bought)
    },
  )

  it('is for nothing where the product is flagged at the plant', () => {
    expect(planned({ isFlagged: true }).purchasable).toBe(false)
  })

  it('knows prices for base units and order units, and guesses no others', () => {
    expect(terms({ PurchaseOrderPriceUnit: 'PC' }).cost).not.toBeNull()
    expect(planned({ terms: terms({ PurchaseOrderPriceUnit: 'PC' }) }).unitCost).toBe('6.0000')
    expect(planned({ terms: terms({ PurchaseOrderPriceUnit: 'PAL' }) }).unitCost).toBeNull()
  })

  it('has no supplier where order units cannot be converted', () => {
    expect(() =>
      toInfoRecord({
        ...{ PurchasingInfoRecord: '1', Supplier: 'S', Material: 'A', BaseUnit: 'PC' },
        ...{ PurgDocOrderQuantityUnit: 'CAR', OrderItemQtyToBaseQtyNmrtr: '0' },
        OrderItemQtyToBaseQtyDnmntr: '1',
      }),
    ).toThrow(expect.objectContaining({ code: 'unit_conversion' }))
  })
})

describe('a schedule line', () => {
  const item = {
    ...{ PurchaseOrder: '4500000001', PurchaseOrderItem: '00010', Material: 'A', Plant: '1010' },
    ...{ PurchaseOrderQuantityUnit: 'CAR', PurchasingDocumentDeletionCode: '' },
    ...{ AccountAssignmentCategory: '', IsCompletelyDelivered: false, IsReturnsItem: false },
  }
  const open = (left: string, ordered: string, numerator: number, denominator = 1) => {
    const conversion = conversionOf(String(numerator), String(denominator))!
    const units = openInBase(toExact(left)!, toExact(ordered)!, conversion)
    const line = {
      ...{ ScheduleLine: '0001', ScheduleLineDeliveryDate: '2026-11-30' },
      ScheduleLineOrderQuantity: ordered,
    }
    return toOpenOrder(item, line, units)?.quantity ?? null
  }

  it.each([
    ['nothing has come: what was typed counts', '0.333', '0.333', 12, 1, 3.996],
    ['nothing has come, an odd factor', '0.333', '0.333', 3, 1, 0.999],
    ['4 of 60 have come', '4.667', '5.000', 12, 1, 56],
    ['20 of 60 have come', '3.333', '5.000', 12, 1, 40],
    ['11 of 12 are left', '0.917', '1.000', 12, 1, 11],
    ['1 of 1440 is left', '0.001', '1.000', 1440, 1, 1],
    ['whole bags of 33.33 are left', '3.000', '5.000', 3333, 100, 99.99],
    ['a part of a bag of 22.68 is left', '0.333', '1.000', 2268, 100, 7.552],
    ['three make one', '1.000', '1.000', 1, 3, 0.333],
    ['grams of a kilogram', '333.000', '500.000', 1, 1000, 0.333],
    ['less than can be written', '0.333', '0.500', 1, 1000, null],
    ['more has come than was ordered', '-0.333', '1.000', 12, 1, null],
  ])('in base units: %s', (_name, left, ordered, numerator, denominator, units) => {
    expect(open(left, ordered, numerator, denominator)).toBe(units)
  })

  it('is as many pieces as are left, whatever the carton holds', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 999 }),
        fc.integer({ min: 1, max: 500 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (factor, cartons, share) => {
          const pieces = Math.floor(share * factor * cartons)
          const left = (pieces / factor).toFixed(3)
          expect(open(left, `${cartons}.000`, factor) ?? 0).toBe(pieces)
        },
      ),
    )
  })
})

describe('an item of a sales order', () => {
  const item = {
    ...{ SalesOrder: '4711', SalesOrderItem: '10', Material: 'A', ProductionPlant: '1010' },
    ...{ SalesDocumentRjcnReason: '', DeliveryStatus: 'B' },
  }
  const line = (ScheduleLine: string, day: number, ordered: string, delivered: string) => ({
    ...{ SalesOrder: '4711', SalesOrderItem: '10', ScheduleLine, OrderQuantityUnit: 'CAR' },
    RequestedDeliveryDate: `/Date(${Date.UTC(2026, 10, day)})/`,
    ...{ ScheduleLineOrderQuantity: ordered, DeliveredQtyInOrderQtyUnit: delivered },
  })
  const carton = conversionOf('12', '1')

  it('is open by what was asked for, not by what was confirmed', () => {
    const asked = line('1', 5, '10.000', '0.000')
    const confirmed = line('2', 5, '0.000', '4.000')
    expect(toCustomerOrders(item, [asked, confirmed], carton)).toEqual([
      {
        ...{ document: '4711', line: '10/1', sku: 'A', location: '1010' },
        ...{ quantity: 72, due: '2026-11-05' },
      },
    ])
  })

  it('is delivered by the earliest day first', () => {
    const lines = [line('1', 20, '3.000', '0.000'), line('2', 5, '4.000', '5.000')]
    expect(toCustomerOrders(item, lines, carton)).toMatchObject([
      { line: '10/1', quantity: 24, due: '2026-11-20' },
    ])
  })

  it('counts whole base units where a part of a carton was delivered', () => {
    const lines = [line('1', 5, '1.000', '0.083')]
    expect(toCustomerOrders(item, lines, carton)).toMatchObject([{ quantity: 11 }])
  })

  it('has nothing open where more was delivered than asked for, even without a conversion', () => {
    expect(toCustomerOrders(item, [line('1', 5, '4.000', '5.000')], null)).toEqual([])
  })

  it('is refused without a conversion of its unit, or below 0', () => {
    expect(() => toCustomerOrders(item, [line('1', 5, '4.000', '0.000')], null)).toThrow(
      expect.objectContaining({ code: 'unit_conversion', target: 'OrderQuantityUnit' }),
    )
    expect(() => toCustomerOrders(item, [line('1', 5, '-4.000', '0.000')], carton)).toThrow(
      expect.objectContaining({ target: 'ScheduleLineOrderQuantity' }),
    )
  })
})
