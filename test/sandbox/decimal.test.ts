import { startErp } from '../../sandbox/index.ts'
import { decimal } from '../../sandbox/world/decimal.ts'
import { V4, get, query } from './client.ts'

it.each([
  [0, '0.000'],
  [1, '0.001'],
  [-1, '-0.001'],
  [-1500, '-1.500'],
  [13_000, '13.000'],
  [916_666.6666666666, '916.667'],
  [2_999.9999999999995, '3.000'],
  [-0.4, '0.000'],
])('%d thousandths are %s', (milli, text) => expect(decimal(milli)).toBe(text))

it('what is open of a carton has three places, whatever came of it', async () => {
  const erp = await startErp({ size: 100, days: 30, now: '2026-11-20T08:30:00Z' })
  const cartons = [...erp.truth({ demand: false })].filter(({ lotSize }) => lotSize === 12)
  const { sku, location } = cartons[0]!
  const [made] = erp.control.change([{ kind: 'order', sku, location, quantity: 5, unit: 'order' }])
  const order = made!.document!
  erp.control.change([{ kind: 'receive', order, item: '00010', quantity: 20 }])
  const $filter = `PurchaseOrder eq '${order}'`
  const response = await get(erp, `${V4}PurchaseOrderScheduleLine?${query({ $filter })}`)
  const { value } = (await response.json()) as { value: Record<string, unknown>[] }
  expect(value.map((line) => Number(line.OpenPurchaseOrderQuantity))).toEqual([3.333])
  const pairs = [...erp.truth({ demand: false, sku })]
  const pair = pairs.find((each) => each.location === location)
  const [open] = pair!.openOrders.filter((line) => line.order === order)
  expect(open!.quantity).toBe(40)
  await erp.close()
})
