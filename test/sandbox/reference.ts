// A second, naive reading of the ERP through its wire formats, to hold the truth against.
import { all, get, ms, V4 } from './client.ts'
import type { Erp } from '../../sandbox/index.ts'
import type { Row } from './client.ts'

const SIGN: Record<string, number> = {
  ...{ 601: 1, 602: -1, 251: 1, 252: -1, 201: 1, 202: -1, 221: 1, 222: -1, 261: 1, 262: -1 },
  ...{ 641: 1, 642: -1, 651: -1, 652: 1, 653: -1, 654: 1 },
}
const RECEIPTS: Record<string, number> = { 101: 1, 102: -1, 122: -1, 123: 1 }
const DOCUMENTS = 'API_MATERIAL_DOCUMENT_SRV/'
const dayOf = (value: unknown) => new Date(ms(value)).toISOString().slice(0, 10)
const round = (value: number) => Math.round(value * 1000) / 1000

/** Net demand by `sku location`, then by day. */
export async function demandByPair(erp: Erp): Promise<Map<string, Map<string, number>>> {
  const posted = new Map<string, string>()
  for (const row of await all(erp, `${DOCUMENTS}A_MaterialDocumentHeader`)) {
    posted.set(`${row.MaterialDocumentYear}/${row.MaterialDocument}`, dayOf(row.PostingDate))
  }
  const result = new Map<string, Map<string, number>>()
  for (const row of await all(erp, `${DOCUMENTS}A_MaterialDocumentItem`)) {
    const sign = SIGN[String(row.GoodsMovementType)]
    if (!sign || row.IsAutomaticallyCreated === 'X' || row.InventorySpecialStockType) continue
    const original = row.ReversedMaterialDocument
      ? `${row.ReversedMaterialDocumentYear}/${row.ReversedMaterialDocument}`
      : `${row.MaterialDocumentYear}/${row.MaterialDocument}`
    const day = posted.get(original)!
    const pair = `${row.Material} ${row.Plant}`
    const days = result.get(pair) ?? new Map<string, number>()
    result.set(pair, days)
    days.set(day, round((days.get(day) ?? 0) + sign * Number(row.QuantityInBaseUnit)))
  }
  for (const days of result.values()) {
    for (const [day, quantity] of days) if (quantity === 0) days.delete(day)
  }
  return result
}

/** Open quantity in base units by pair, from orders, receipts and units in V2. */
export async function onOrderV2(erp: Erp): Promise<Map<string, number>> {
  const factors = await unitFactors(erp)
  const received = new Map<string, number>()
  for (const row of await all(erp, `${DOCUMENTS}A_MaterialDocumentItem`)) {
    const sign = RECEIPTS[String(row.GoodsMovementType)]
    if (!sign || !row.PurchaseOrder) continue
    const line = `${row.PurchaseOrder}/${row.PurchaseOrderItem}`
    received.set(line, (received.get(line) ?? 0) + sign * Number(row.QuantityInBaseUnit))
  }
  const result = new Map<string, number>()
  for (const row of await all(erp, 'API_PURCHASEORDER_PROCESS_SRV/A_PurchaseOrderItem')) {
    if (!counts(row)) continue
    const factor = factors.get(`${row.Material} ${row.PurchaseOrderQuantityUnit}`)!
    const got = received.get(`${row.PurchaseOrder}/${row.PurchaseOrderItem}`) ?? 0
    add(result, row, Math.max(0, Number(row.OrderQuantity) * factor - got))
  }
  return result
}

/** The same from the open quantity in V4. */
export async function onOrderV4(erp: Erp): Promise<Map<string, number>> {
  const open = new Map<string, number>()
  for (const row of await allV4(erp, 'PurchaseOrderScheduleLine')) {
    const line = `${row.PurchaseOrder}/${row.PurchaseOrderItem}`
    open.set(line, (open.get(line) ?? 0) + Number(row.OpenPurchaseOrderQuantity))
  }
  const result = new Map<string, number>()
  for (const row of await allV4(erp, 'PurchaseOrderItem')) {
    if (!counts(row)) continue
    const factor = Number(row.OrderItemQtyToBaseQtyNmrtr) / Number(row.OrderItemQtyToBaseQtyDnmntr)
    add(result, row, open.get(`${row.PurchaseOrder}/${row.PurchaseOrderItem}`)! * factor)
  }
  return result
}

const counts = (row: Row) =>
  !row.IsCompletelyDelivered &&
  !row.PurchasingDocumentDeletionCode &&
  !row.IsReturnsItem &&
  !row.AccountAssignmentCategory

function add(result: Map<string, number>, row: Row, quantity: number): void {
  const pair = `${row.Material} ${row.Plant}`
  if (quantity > 0) result.set(pair, round((result.get(pair) ?? 0) + quantity))
}

async function unitFactors(erp: Erp): Promise<Map<string, number>> {
  const rows = await all(erp, 'API_PRODUCT_SRV/A_ProductUnitsOfMeasure')
  return new Map(
    rows.map((row) => [
      `${row.Product} ${row.AlternativeUnit}`,
      Number(row.QuantityNumerator) / Number(row.QuantityDenominator),
    ]),
  )
}

async function allV4(erp: Erp, set: string): Promise<Row[]> {
  const rows: Row[] = []
  for (let path: string | undefined = set; path !== undefined;) {
    const page = (await (await get(erp, V4 + path)).json()) as {
      value: Row[]
      '@odata.nextLink'?: string
    }
    rows.push(...page.value)
    path = page['@odata.nextLink']
  }
  return rows
}

/** Posted deliveries by pair and day. */
export async function deliveredByPair(erp: Erp): Promise<Map<string, Map<string, number>>> {
  const service = 'API_OUTBOUND_DELIVERY_SRV;v=0002/'
  const posted = new Map<unknown, string>()
  for (const row of await all(erp, `${service}A_OutbDeliveryHeader`)) {
    if (row.OverallGoodsMovementStatus !== 'C') continue
    posted.set(row.DeliveryDocument, dayOf(row.ActualGoodsMovementDate))
  }
  const result = new Map<string, Map<string, number>>()
  for (const row of await all(erp, `${service}A_OutbDeliveryItem`)) {
    const day = posted.get(row.DeliveryDocument)
    if (row.GoodsMovementStatus !== 'C' || day === undefined) continue
    const pair = `${row.Material} ${row.Plant}`
    const days = result.get(pair) ?? new Map<string, number>()
    result.set(pair, days)
    days.set(day, round((days.get(day) ?? 0) + Number(row.ActualDeliveredQtyInBaseUnit)))
  }
  return result
}
