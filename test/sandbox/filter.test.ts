import { startErp } from '../../sandbox/index.ts'
import { all, ms, query, rowsOf } from './client.ts'
import type { Erp } from '../../sandbox/index.ts'
import type { Row } from './client.ts'

let erp: Erp
beforeAll(async () => {
  erp = await startErp({ size: 300, days: 400, now: '2026-11-20T08:30:00Z' })
})
afterAll(() => erp.close())

const HEADERS = 'API_MATERIAL_DOCUMENT_SRV/A_MaterialDocumentHeader'
const ITEMS = 'API_MATERIAL_DOCUMENT_SRV/A_MaterialDocumentItem'
const day = (text: string) => Date.parse(`${text}T00:00:00Z`)

/** The filter's rows must be those that the test picks out of all. */
async function agree(path: string, $filter: string, test: (row: Row) => boolean) {
  const found = await all(erp, `${path}?${query({ $filter })}`)
  const expected = (await all(erp, path)).filter(test)
  expect(expected.length).toBeGreaterThan(0)
  expect(found).toEqual(expected)
}

it('finds documents by the day of their creation', async () => {
  await agree(
    HEADERS,
    "CreationDate ge datetime'2026-11-01T00:00:00' and CreationDate lt datetime'2026-11-09T00:00:00'",
    (row) => ms(row.CreationDate) >= day('2026-11-01') && ms(row.CreationDate) < day('2026-11-09'),
  )
})

it('finds documents by the day they are posted for', async () => {
  await agree(
    HEADERS,
    "PostingDate eq datetime'2026-11-03T00:00:00'",
    (row) => ms(row.PostingDate) === day('2026-11-03'),
  )
})

it('takes alternatives, parentheses and inequality', async () => {
  const types = ['601', '602', '653']
  await agree(
    ITEMS,
    "(GoodsMovementType eq '601' or GoodsMovementType eq '602' or GoodsMovementType eq '653') and Plant ne '1010' and MaterialDocumentYear eq '2025'",
    (row) =>
      types.includes(String(row.GoodsMovementType)) &&
      row.Plant !== '1010' &&
      row.MaterialDocumentYear === '2025',
  )
})

it('compares decimals as numbers', async () => {
  await agree(
    'API_MATERIAL_STOCK_SRV/A_MatlStkInAcctMod',
    "MatlWrhsStkQtyInMatlBaseUnit gt 9M and InventorySpecialStockType eq ''",
    (row) => Number(row.MatlWrhsStkQtyInMatlBaseUnit) > 9 && row.InventorySpecialStockType === '',
  )
})

it('compares instants with their zone, and booleans', async () => {
  erp.control.change([{ kind: 'flag', sku: 'RS-000200' }])
  const since = '2026-11-20T10:00:00+02:00'
  const $filter = `LastChangeDateTime ge datetimeoffset'${since}' and IsMarkedForDeletion eq true`
  const rows = await rowsOf(erp, `API_PRODUCT_SRV/A_Product?${query({ $filter })}`)
  expect(rows.map(({ Product }) => Product)).toEqual(['RS-000200'])
})

it('sorts by what is no key', async () => {
  const $orderby = 'LastChangeDateTime desc,Product'
  const rows = await all(erp, `API_PRODUCT_SRV/A_Product?${query({ $orderby })}`)
  const expected = [...(await all(erp, 'API_PRODUCT_SRV/A_Product'))].sort(
    (a, b) => ms(b.LastChangeDateTime) - ms(a.LastChangeDateTime),
  )
  expect(rows.map(({ Product }) => Product)).toEqual(expected.map(({ Product }) => Product))
})

describe('of many keys', () => {
  const ORDERS = 'API_PURCHASEORDER_PROCESS_SRV/'
  const scattered = async () => {
    const orders = await all(erp, `${ORDERS}A_PurchaseOrder?$select=PurchaseOrder`)
    const numbers = orders.map((row) => String(row.PurchaseOrder))
    return [numbers[3]!, numbers[150]!, numbers[151]!, numbers.at(-40)!, '4599999999', 'x']
  }
  const anyOf = (field: string, keys: string[]) =>
    keys.map((key) => `${field} eq '${key}'`).join(' or ')

  it.each([
    [`${ORDERS}A_PurchaseOrder`, 'PurchaseOrder'],
    [`${ORDERS}A_PurchaseOrderItem`, 'PurchaseOrder'],
    [`${ORDERS}A_PurchaseOrderScheduleLine`, 'PurchasingDocument'],
    [ITEMS, 'PurchaseOrder'],
  ])('finds the rows of %s', async (path, field) => {
    const keys = await scattered()
    await agree(path, anyOf(field, keys), (row) => keys.includes(String(row[field])))
  })

  it('finds them beside other conditions, ranges and after a key', async () => {
    const [first, second, third, last] = (await scattered()) as [string, string, string, string]
    const inRange = ({ PurchaseOrder: key }: Row) =>
      key === first || (String(key) >= second && String(key) <= last)
    await agree(
      `${ORDERS}A_PurchaseOrderItem`,
      `(IsCompletelyDelivered eq true and PurchasingDocumentDeletionCode eq '') and ` +
        `((PurchaseOrder ge '${second}' and PurchaseOrder le '${last}') or PurchaseOrder eq '${first}') and ` +
        `(PurchaseOrder gt '${third}' or (PurchaseOrder eq '${third}' and (PurchaseOrderItem gt '00020')))`,
      (row) =>
        row.IsCompletelyDelivered === true &&
        inRange(row) &&
        `${row.PurchaseOrder}/${row.PurchaseOrderItem}` > `${third}/00020`,
    )
  })
})
