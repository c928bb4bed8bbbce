import { type Erp, type ErpOptions, startErp } from '../../../sandbox/index.ts'
import { differences, differencesButVanished } from '../../support/erp-truth.ts'
import { sync } from '../../support/server.ts'
import { connect, leave } from './source.ts'

let erp: Erp
afterEach(() => leave(erp))

async function connected(options: ErpOptions = {}) {
  erp = await startErp({ size: 60, days: 120, ...options })
  return (await connect(erp)).source
}

describe('a sync makes the store equal to the ERP', () => {
  it('in full, and day by day', async () => {
    const source = await connected()
    expect(await sync(source, 'full')).toMatchObject({ status: 'succeeded', issues: [] })
    expect(await differences(source, erp)).toEqual([])
    for (const days of [1, 3]) {
      erp.control.advance(days)
      expect(await sync(source)).toMatchObject({ status: 'succeeded' })
      expect(await differencesButVanished(source, erp)).toEqual([])
    }
    await sync(source, 'full')
    expect(await differences(source, erp)).toEqual([])
  })

  it('with sales orders that are delivered, rejected or new, and stock below zero', async () => {
    const source = await connected()
    await sync(source, 'full')
    const ordered = [...erp.truth({ demand: false })].filter(
      ({ customerOrders }) => customerOrders.length > 0,
    )
    const [delivered, rejected, bare] = ordered
    const [first, second] = [delivered!, rejected!].map(({ customerOrders }) => ({
      SalesOrder: customerOrders[0]!.order,
      SalesOrderItem: customerOrders[0]!.item,
    }))
    const added = { SalesOrder: '2000000000', SalesOrderItem: '10' }
    const { sku, location, unit } = bare!
    const itemSet = { kind: 'row', set: 'A_SalesOrderItem' } as const
    const lineSet = { kind: 'row', set: 'A_SalesOrderScheduleLine' } as const
    erp.control.change([
      { ...itemSet, key: first!, values: { DeliveryStatus: 'C' } },
      { ...itemSet, key: second!, values: { SalesDocumentRjcnReason: '10' } },
      {
        ...{ ...itemSet, key: added },
        values: {
          ...{ Material: sku, ProductionPlant: location, DeliveryStatus: 'B' },
          ...{ SalesDocumentRjcnReason: '', OrderQuantityUnit: unit },
        },
      },
      {
        ...{ ...lineSet, key: { ...added, ScheduleLine: '1' } },
        values: {
          ...{ OrderQuantityUnit: unit, ScheduleLineOrderQuantity: '500.000' },
          ...{ DeliveredQtyInOrderQtyUnit: '20.000', RequestedDeliveryDate: Date.UTC(2026, 0, 5) },
        },
      },
      { kind: 'onHand', sku, location, quantity: -7 },
    ])
    expect(await sync(source)).toMatchObject({ status: 'succeeded', issues: [] })
    expect(await differencesButVanished(source, erp)).toEqual([])
    const now = [...erp.truth({ demand: false, sku })].find((pair) => pair.location === location)!
    expect(now).toMatchObject({ onHand: 0, backorders: 7 })
    expect(now.customerOrders).toContainEqual(
      expect.objectContaining({ order: '2000000000', quantity: 480, due: '2026-01-05' }),
    )
  })

  it('with a cancellation in another window, a return, and a SKU that vanished', async () => {
    const source = await connected()
    await sync(source, 'full')
    const [first, second, third] = [...erp.truth()].filter(({ demand }) => demand.length > 3)
    const pairOf = ({ sku, location }: { sku: string; location: string }) => ({ sku, location })
    erp.control.change([
      { kind: 'cancelLast', ...pairOf(first!) },
      { kind: 'return', quantity: 1, ...pairOf(second!) },
      { kind: 'vanish', sku: third!.sku },
    ])
    await sync(source)
    await sync(source, 'full')
    expect(await differences(source, erp)).toEqual([])
  })
})
