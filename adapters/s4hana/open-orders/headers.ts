import type { System } from '../system.ts'
import { PURCHASE_ORDER_V2, PURCHASE_ORDER_V4 } from '../services.ts'

const KEY = ['PurchaseOrder']

const DELETED = {
  v2: {
    service: PURCHASE_ORDER_V2,
    set: 'A_PurchaseOrder',
    key: KEY,
    select: KEY,
    filter: "PurchasingDocumentDeletionCode ne ''",
  },
  v4: {
    service: PURCHASE_ORDER_V4,
    set: 'PurchaseOrder',
    key: KEY,
    select: KEY,
    filter: "PurchaseOrderDeletionCode ne ''",
  },
} as const

/** Which of some orders are deleted or blocked as a whole. */
export async function deletedOrders(
  system: System,
  version: 'v2' | 'v4',
  orders: Iterable<string>,
  signal: AbortSignal,
): Promise<Set<string>> {
  const query = DELETED[version]
  const rows = await system.allOf<{ PurchaseOrder: string }>(query, 'PurchaseOrder', orders, signal)
  return new Set(rows.map((row) => row.PurchaseOrder))
}
