import type { Cursor } from '../../adapter.ts'
import { DISTANCE } from '../../odata/keys.ts'
import type { Query } from '../../odata/query.ts'
import { dayOrNull, instantOf } from '../../rows/values.ts'
import type { OrderHeaderRow, OrderItemRow, ScheduleLineRow } from '../entities.ts'
import { PURCHASE_ORDER_V2, PURCHASE_ORDER_V4, type Service } from '../services.ts'
import type { System } from '../system.ts'

const query = (service: Service, set: string, deletion: DeletionField) => ({
  service,
  set,
  key: ['PurchaseOrder'],
  select: [
    'PurchaseOrder',
    deletion,
    'CorrespncExternalReference',
    'Supplier',
    'PurchaseOrderDate',
  ],
})

type DeletionField = 'PurchasingDocumentDeletionCode' | 'PurchaseOrderDeletionCode'

/** The key of headers is the order. */
export const HEADERS = {
  v2: query(PURCHASE_ORDER_V2, 'A_PurchaseOrder', 'PurchasingDocumentDeletionCode'),
  v4: query(PURCHASE_ORDER_V4, 'PurchaseOrder', 'PurchaseOrderDeletionCode'),
}

/** Which orders have changed, and when. */
export const CHANGED_HEADERS = {
  v2: { ...HEADERS.v2, select: ['PurchaseOrder', 'LastChangeDateTime'] },
  v4: { ...HEADERS.v4, select: ['PurchaseOrder', 'LastChangeDateTime'] },
}

export interface OrderHeader {
  /** The whole order is deleted or blocked. */
  isDeleted: boolean
  /** "Your reference"; null where it is empty. */
  reference: string | null
  supplier: string | null
  orderedOn: string | null
}

/** The headers of the orders. @param distance see {@link DISTANCE} */
export async function readHeaders(
  system: System,
  version: 'v2' | 'v4',
  orders: Iterable<string>,
  signal: AbortSignal,
  distance?: number,
): Promise<Map<string, OrderHeader>> {
  const query = HEADERS[version]
  const rows = await system.allOf<OrderHeaderRow>(query, 'PurchaseOrder', orders, signal, distance)
  return new Map(rows.map((row) => [row.PurchaseOrder, toHeader(row)]))
}

export const toHeader = (row: OrderHeaderRow): OrderHeader => ({
  isDeleted: Boolean(row.PurchasingDocumentDeletionCode || row.PurchaseOrderDeletionCode),
  reference: row.CorrespncExternalReference?.trim() || null,
  supplier: row.Supplier || null,
  orderedOn: dayOrNull(row.PurchaseOrderDate),
})

const KEY = ['PurchaseOrder', 'PurchaseOrderItem']
const SELECT = [
  ...KEY,
  'Material',
  'Plant',
  'PurchaseOrderQuantityUnit',
  'PurchasingDocumentDeletionCode',
  ...['AccountAssignmentCategory', 'PurchaseOrderItemCategory'],
  'IsCompletelyDelivered',
  ...['IsReturnsItem', 'SupplierIsSubcontractor'],
  'PurchaseRequisition',
  'PurchaseRequisitionItem',
  ...['NetPriceAmount', 'NetPriceQuantity', 'OrderPriceUnit', 'DocumentCurrency'],
]
const FILTER = "IsCompletelyDelivered eq false and PurchasingDocumentDeletionCode eq ''"

export const ITEMS = {
  v2: {
    service: PURCHASE_ORDER_V2,
    set: 'A_PurchaseOrderItem',
    key: KEY,
    select: SELECT,
    filter: FILTER,
  },
  v4: {
    service: PURCHASE_ORDER_V4,
    set: 'PurchaseOrderItem',
    key: KEY,
    select: [
      ...SELECT,
      ...['OrderItemQtyToBaseQtyNmrtr', 'OrderItemQtyToBaseQtyDnmntr', 'RequirementTracking'],
    ],
    filter: FILTER,
  },
} as const

/** Goods that stay the supplier's until they are used: their stock is special stock, and not read. */
export const isConsignment = (category: string | null | undefined): boolean =>
  category === '2' || category === 'K'

/**
 * Will be received into own stock: not deleted (L), blocked (S), completed, a return, account-assigned, consigned, or components
 * that go from their supplier to a subcontractor.
 */
export const isOpen = (row: OrderItemRow): boolean =>
  !row.IsCompletelyDelivered &&
  !row.PurchasingDocumentDeletionCode &&
  !row.IsReturnsItem &&
  !row.AccountAssignmentCategory &&
  !isConsignment(row.PurchaseOrderItemCategory) &&
  !row.SupplierIsSubcontractor &&
  Boolean(row.Material && row.Plant)

/** Most of the orders near each other are open or none is: a whole read asks for ranges, with the few rows between. */
export const distanceOf = (since: Cursor | null): number =>
  since === null ? DISTANCE.dense : DISTANCE.consecutive

/** The key of an order item in maps. */
export const itemKey = (order: string, item: string): string => `${order}/${item}`

/** Receipts, and what is confirmed, belong to the line that is due first. */
export function byDue<Row extends ScheduleLineRow>(lines: readonly Row[]): Row[] {
  const due = (line: Row) => instantOf(line.ScheduleLineDeliveryDate) ?? Infinity
  return lines.toSorted((a, b) => (due(a) === due(b) ? 0 : due(a) - due(b)))
}

/** The schedule lines of the orders, by `order/item`, sorted by line number. @param distance see {@link DISTANCE} */
export async function readScheduleLines<Row extends { ScheduleLine: string }>(
  system: System,
  query: Omit<Query, 'top'>,
  numbers: Iterable<string>,
  signal: AbortSignal,
  distance?: number,
): Promise<Map<string, Row[]>> {
  const [orderField, itemField] = query.key as [keyof Row, keyof Row]
  const orders = new Set(numbers)
  const lines = new Map<string, Row[]>()
  const field = orderField as string
  for (const row of await system.allOf<Row>(query, field, orders, signal, distance)) {
    const order = String(row[orderField])
    if (!orders.has(order)) continue
    const key = itemKey(order, String(row[itemField]))
    const known = lines.get(key)
    if (known) known.push(row)
    else lines.set(key, [row])
  }
  return lines
}
