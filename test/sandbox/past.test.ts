// The past of the ERP, in the proportions of a company: what is closed by far outnumbers what is open.
import { startErp } from '../../sandbox/index.ts'
import { all, ms } from './client.ts'
import type { Erp } from '../../sandbox/index.ts'
import type { Row } from './client.ts'

const NOW = '2026-11-20T08:30:00Z'
const SKUS = 1_000
/** Rows for each SKU after two years. */
const EACH = { orders: 1.76, items: 11.6, scheduleLines: 12.9, receipts: 15.1 }
const ORDERS = 'API_PURCHASEORDER_PROCESS_SRV/A_PurchaseOrder'

let erp: Erp
let orders: Row[]
let items: Row[]
let scheduleLines: Row[]
let receipts: Row[]
beforeAll(async () => {
  erp = await startErp({ size: SKUS, days: 730, now: NOW, defaultPage: 5000 })
  orders = await all(erp, ORDERS)
  items = await all(erp, `${ORDERS}Item`)
  scheduleLines = await all(erp, `${ORDERS}ScheduleLine?$select=PurchasingDocument`)
  const DOCUMENTS = 'API_MATERIAL_DOCUMENT_SRV/A_MaterialDocumentItem'
  const filter = encodeURIComponent("PurchaseOrder ge '4500000000'")
  const select = 'PurchaseOrder,PurchaseOrderItem,GoodsMovementType'
  receipts = await all(erp, `${DOCUMENTS}?$filter=${filter}&$select=${select}`)
})
afterAll(() => erp.close())

const isOpen = (item: Row) =>
  item.IsCompletelyDelivered === false && item.PurchasingDocumentDeletionCode === ''

const ageInDays = () => {
  const made = new Map(orders.map((row) => [row.PurchaseOrder, ms(row.CreationDate)]))
  return ({ PurchaseOrder: order }: Row) => (Date.parse(NOW) - made.get(order)!) / 86_400_000
}

it('has as much for each SKU as a company of 50,000 SKUs with 580,000 order items', () => {
  const found = [orders, items, scheduleLines, receipts].map(({ length }) => length / SKUS)
  for (const [i, expected] of Object.values(EACH).entries()) {
    expect(found[i]! / expected).toBeGreaterThan(0.9)
    expect(found[i]! / expected).toBeLessThan(1.1)
  }
})

it('leaves 2 to 5 % of the items open, most of them in orders of the last weeks', () => {
  const open = items.filter(isOpen)
  expect(open.length / items.length).toBeGreaterThan(0.02)
  expect(open.length / items.length).toBeLessThan(0.05)
  const age = ageInDays()
  const share = (least: number) => open.filter((item) => age(item) > least).length / open.length
  expect(share(60)).toBeLessThan(0.4)
  expect(share(60)).toBeGreaterThan(0.05)
  expect(share(365)).toBeGreaterThan(0.02)
})

it('forgets single lines of old orders, some of them received in part', () => {
  const age = ageInDays()
  const old = items.filter((item) => isOpen(item) && age(item) > 90 && !item.IsReturnsItem)
  const byOrder = Map.groupBy(items, (item) => item.PurchaseOrder)
  const alone = old.filter(
    ({ PurchaseOrder: order }) => byOrder.get(order)!.filter(isOpen).length === 1,
  )
  expect(alone.length).toBeGreaterThan(0)
  const received = new Set(receipts.map((row) => `${row.PurchaseOrder}/${row.PurchaseOrderItem}`))
  const came = old.map((item) => received.has(`${item.PurchaseOrder}/${item.PurchaseOrderItem}`))
  expect(new Set(came)).toEqual(new Set([true, false]))
})

it.each<[string, (item: Row) => boolean, number]>([
  ['deleted', (item) => item.PurchasingDocumentDeletionCode === 'L', 0.04],
  ['blocked', (item) => item.PurchasingDocumentDeletionCode === 'S', 0.02],
  ['returns', (item) => item.IsReturnsItem === true, 0.02],
  ['for an account', (item) => item.AccountAssignmentCategory === 'K', 0.02],
])('has items that are %s', (_name, test, share) => {
  const found = items.filter(test).length / items.length
  expect(found).toBeGreaterThan(share / 2)
  expect(found).toBeLessThan(share * 2)
})

it('has whole orders that are deleted, and items that were closed with less than was ordered', () => {
  expect(orders.some((row) => row.PurchasingDocumentDeletionCode === 'L')).toBe(true)
  const received = new Set(receipts.map((row) => `${row.PurchaseOrder}/${row.PurchaseOrderItem}`))
  const closed = items.filter((row) => row.IsCompletelyDelivered && !row.IsReturnsItem)
  expect(closed.some((row) => !received.has(`${row.PurchaseOrder}/${row.PurchaseOrderItem}`))).toBe(
    true,
  )
})

it('has sales orders of all its days, of which few old ones are open', async () => {
  const path = 'API_SALES_ORDER_SRV/A_SalesOrder'
  const made = new Map((await all(erp, path)).map((row) => [row.SalesOrder, ms(row.CreationDate)]))
  const year = Date.parse(NOW) - 365 * 86_400_000
  const old = (await all(erp, `${path}Item`)).filter(({ SalesOrder: of }) => made.get(of)! < year)
  const open = old.filter(
    (row) => /[AB]/.test(String(row.DeliveryStatus)) && !row.SalesDocumentRjcnReason,
  )
  expect(open.length / old.length).toBeGreaterThan(0)
  expect(open.length / old.length).toBeLessThan(0.02)
})

it('has prices that have risen, and products that were revised through the years', async () => {
  const byProduct = Map.groupBy(items, (item) => item.Material)
  const prices = [...byProduct.values()].map((of) => of.map((item) => Number(item.NetPriceAmount)))
  expect(prices.filter((of) => of.at(-1)! > of[0]!).length).toBeGreaterThan(SKUS / 4)
  const products = await all(erp, 'API_PRODUCT_SRV/A_Product?$select=Product,LastChangeDateTime')
  const years = products.map((row) => new Date(ms(row.LastChangeDateTime)).getUTCFullYear())
  expect(new Set(years)).toEqual(new Set([2024, 2025, 2026]))
})
