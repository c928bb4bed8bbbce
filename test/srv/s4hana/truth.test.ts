// What is stored of the sandbox ERP: what it says is true.
import cds from '@sap/cds'
import { PairForecasts } from '../../../srv/base/database/entities.ts'
import { type Erp, type PairTruth, startErp, type TruthOptions } from '../../../sandbox/index.ts'
import { differences, differencesButVanished } from '../../support/erp-truth.ts'
import { sync } from '../../support/server.ts'
import { connect, leave } from './source.ts'

const { SELECT } = cds.ql

let erp: Erp
let source: number

/** A source that has been read in full. */
async function readAll(options: object = {}, truth: TruthOptions = {}) {
  erp = await startErp({ size: 24, days: 60 })
  ;({ source } = await connect(erp, 'basic', options))
  expect(await sync(source, 'full')).toMatchObject({ status: 'succeeded', issues: [] })
  expect(await differences(source, erp, truth)).toEqual([])
}

describe('a sync makes the store equal to the ERP', () => {
  beforeAll(() => readAll())
  afterAll(() => leave(erp))

  it('day by day', async () => {
    for (const days of [1, 3]) {
      erp.control.advance(days)
      expect(await sync(source)).toMatchObject({ status: 'succeeded' })
      expect(await differencesButVanished(source, erp)).toEqual([])
    }
    await sync(source, 'full')
    expect(await differences(source, erp)).toEqual([])
  })

  it('with sales orders that are delivered, rejected or new, and stock below zero', async () => {
    const ordered = [...erp.truth({ demand: false })].filter(
      ({ customerOrders }) => customerOrders.length > 0,
    )
    const [delivered, rejected, bare] = ordered.slice(-3)
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

describe('demand from outbound deliveries', () => {
  const SALES: TruthOptions = { basis: 'deliveries', classes: ['sale'] }
  beforeAll(() => readAll({ demand: 'deliveries' }, SALES))
  afterAll(() => leave(erp))

  const daysOf = () =>
    new Map(
      [...erp.truth(SALES)].map(({ sku, location, demand }: PairTruth) => [
        `${sku} ${location}`,
        new Set(demand.map(({ date }) => date)),
      ]),
    )

  const forecasts = async (): Promise<Map<string, string>> => {
    const rows = await SELECT.from(PairForecasts).where({ source_ID: source })
    return new Map(rows.map((row) => [`${row.sku} ${row.location}`, row.generatedAt!]))
  }

  it('follows goods issues that are taken back days and weeks later', async () => {
    let deleted = 0
    for (const days of [1, 9, 36]) {
      const before = { days: daysOf(), forecasts: await forecasts() }
      erp.control.advance(days)
      const result = await sync(source)
      expect(result).toMatchObject({ status: 'succeeded', issues: [] })
      deleted += result.deleted!
      expect(await differencesButVanished(source, erp, SALES)).toEqual([])
      const now = { days: daysOf(), forecasts: await forecasts() }
      for (const [pair, dates] of before.days) {
        const left = now.days.get(pair)
        if (!left || [...dates].every((date) => left.has(date))) continue
        expect(now.forecasts.get(pair)).not.toBe(before.forecasts.get(pair))
      }
    }
    expect(deleted).toBeGreaterThan(0)
    await sync(source, 'full')
    expect(await differences(source, erp, SALES)).toEqual([])
  })

  it('deletes nothing that is delivered still', async () => {
    const result = await sync(source)
    expect(result).toMatchObject({ status: 'succeeded', upserted: 0, deleted: 0 })
    expect(await differences(source, erp, SALES)).toEqual([])
  })
})
