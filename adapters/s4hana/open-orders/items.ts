import type { OrderItemRow } from '../entities.ts'
import { PURCHASE_ORDER_V2, PURCHASE_ORDER_V4 } from '../services.ts'

const KEY = ['PurchaseOrder', 'PurchaseOrderItem']
const SELECT = [
  ...KEY,
  'Material',
  'Plant',
  'PurchaseOrderQuantityUnit',
  'PurchasingDocumentDeletionCode',
  'AccountAssignmentCategory',
  'IsCompletelyDelivered',
  'IsReturnsItem',
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
    select: [...SELECT, 'OrderItemQtyToBaseQtyNmrtr', 'OrderItemQtyToBaseQtyDnmntr'],
    filter: FILTER,
  },
} as const

/** Will be received into stock: not deleted (L), blocked (S), completed, a return or account-assigned. */
export const isOpen = (row: OrderItemRow): boolean =>
  !row.IsCompletelyDelivered &&
  !row.PurchasingDocumentDeletionCode &&
  !row.IsReturnsItem &&
  !row.AccountAssignmentCategory &&
  Boolean(row.Material && row.Plant)

/** The key of an order item in maps. */
export const itemKey = (order: string, item: string): string => `${order}/${item}`
