// An open order without a conversion of its unit: its product is gone, or lacks the unit.
import type { Erp } from '../../../sandbox/index.ts'
import { connectionTo, pagesOf, startSmallErp, streamOf } from './support.ts'

let erp: Erp
beforeAll(async () => {
  erp = await startSmallErp({ size: 60, days: 30 })
})
afterAll(() => erp.close())

const rejected = async () => {
  erp.control.clearLog()
  const stream = streamOf(connectionTo(erp, { purchase_orders: 'v2' }), 'openOrders')
  return (await pagesOf(stream)).flatMap(({ quarantined }) => quarantined)
}
const askedForNames = () => erp.log.filter(({ query }) => query.includes('$select=Product&')).length

it('says which of the two, and asks only where one is missing', async () => {
  expect(await rejected()).toEqual([])
  expect(askedForNames()).toBe(0)
  const open = [...erp.truth({ demand: false })].filter(({ openOrders }) => openOrders.length)
  const gone = open[0]!.sku
  const other = open.find(({ sku }) => sku !== gone)!.sku
  const units = ['PC', 'KG', 'CS', 'CAR', 'KAR', 'BOX', 'PAL']
  erp.control.change([
    { kind: 'vanish', sku: gone },
    ...units.map((unit) => ({
      ...{ kind: 'row' as const, set: 'A_ProductUnitsOfMeasure', values: null },
      key: { Product: other, AlternativeUnit: unit },
    })),
  ])
  const codes = new Map((await rejected()).map(({ sku, code, target }) => [sku, [code, target]]))
  expect(codes).toEqual(
    new Map([
      [gone, ['product_gone', 'Material']],
      [other, ['unit_conversion', 'PurchaseOrderQuantityUnit']],
    ]),
  )
  expect(askedForNames()).toBe(1)
})

it('is known of V4 orders by asking for their products in later reads', async () => {
  const v4 = await startSmallErp({ size: 60, days: 30, v4: true })
  try {
    const stream = streamOf(connectionTo(v4, { purchase_orders: 'v4' }), 'openOrders')
    const open = [...v4.truth({ demand: false })].filter(({ openOrders }) => openOrders.length)
    const gone = open[0]!.sku
    v4.control.clearLog()
    const whole = await pagesOf(stream)
    expect(v4.log.filter(({ query }) => query.includes('$select=Product&'))).toEqual([])
    v4.control.change([{ kind: 'vanish', sku: gone }])
    let cursor = whole.at(-1)!.cursor
    for (let read = 0; read < 2; read++) {
      const pages = await pagesOf(stream, cursor)
      cursor = pages.at(-1)!.cursor
      const rows = pages.flatMap(({ quarantined }) => quarantined)
      expect(new Set(rows.map(({ sku, code }) => `${sku} ${code}`))).toEqual(
        new Set([`${gone} product_gone`]),
      )
      const records = pages.flatMap(({ records }) => records)
      expect(records.length + rows.length).toBe(whole.flatMap(({ records }) => records).length)
      expect(records.map(({ sku }) => sku)).not.toContain(gone)
    }
  } finally {
    await v4.close()
  }
})
