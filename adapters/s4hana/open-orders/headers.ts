import type { OrderHeaderRow } from '../entities.ts'
import type { Service } from '../services.ts'
import { PURCHASE_ORDER_V2, PURCHASE_ORDER_V4 } from '../services.ts'
import type { System } from '../system.ts'
import { dayOrNull } from '../../rows/days.ts'

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

const HEADERS = {
  v2: query(PURCHASE_ORDER_V2, 'A_PurchaseOrder', 'PurchasingDocumentDeletionCode'),
  v4: query(PURCHASE_ORDER_V4, 'PurchaseOrder', 'PurchaseOrderDeletionCode'),
}

export interface OrderHeader {
  /** The whole order is deleted or blocked. */
  isDeleted: boolean
  /** "Your reference"; null where it is empty. */
  reference: string | null
  supplier: string | null
  orderedOn: string | null
}

/** The headers of the orders. */
export async function readHeaders(
  system: System,
  version: 'v2' | 'v4',
  orders: Iterable<string>,
  signal: AbortSignal,
): Promise<Map<string, OrderHeader>> {
  const rows = await system.allOf<OrderHeaderRow>(HEADERS[version], 'PurchaseOrder', orders, signal)
  return new Map(rows.map((row) => [row.PurchaseOrder, toHeader(row)]))
}

const toHeader = (row: OrderHeaderRow): OrderHeader => ({
  isDeleted: Boolean(row.PurchasingDocumentDeletionCode || row.PurchaseOrderDeletionCode),
  reference: row.CorrespncExternalReference?.trim() || null,
  supplier: row.Supplier || null,
  orderedOn: dayOrNull(row.PurchaseOrderDate),
})
