// Goods receipts of purchase orders, because the V2 service has no open quantity.
import { names } from '../../rows/names.ts'
import type { QuarantinedRow } from '../../errors.ts'
import type { Exact } from '../../rows/decimals.ts'
import { anyOf } from '../../odata/query.ts'
import type { ReceiptRow } from '../entities.ts'
import { MATERIAL_DOCUMENT } from '../services.ts'
import type { System } from '../system.ts'
import { toQuarantinedRow } from '../../rows/pages.ts'
import { problemOf, unitsOf } from '../../rows/values.ts'
import { itemKey } from './lines.ts'

/**
 * Goods receipt, release from blocked stock, return to the supplier, each with its cancellation. What was accepted at the
 * supplier's (107) has come once it is released (109).
 */
export const SIGNS: Record<string, 1n | -1n> = {
  '101': 1n,
  '102': -1n,
  '105': 1n,
  '106': -1n,
  '109': 1n,
  '110': -1n,
  '122': -1n,
  '123': 1n,
}

export const RECEIPTS = {
  service: MATERIAL_DOCUMENT,
  set: 'A_MaterialDocumentItem',
  key: ['MaterialDocumentYear', 'MaterialDocument', 'MaterialDocumentItem'],
  select: names(
    `MaterialDocumentYear MaterialDocument MaterialDocumentItem PurchaseOrder PurchaseOrderItem
     GoodsMovementType QuantityInBaseUnit`,
  ),
  filter: anyOf('GoodsMovementType', Object.keys(SIGNS)),
}

export interface Receipts {
  /** The received quantity of each item, in base units, by `order/item`. */
  received: Map<string, Exact>
  /** Orders with a receipt that could not be used. */
  unclear: Set<string>
  quarantined: QuarantinedRow[]
}

/** @param distance see `DISTANCE` of `odata/keys.ts` */
export async function readReceipts(
  system: System,
  orders: ReadonlySet<string>,
  distance: number,
  signal: AbortSignal,
): Promise<Receipts> {
  const received = new Map<string, Exact>()
  const unclear = new Set<string>()
  const quarantined: QuarantinedRow[] = []
  const rows = system.allOf<ReceiptRow>(RECEIPTS, 'PurchaseOrder', orders, signal, distance)
  for (const row of await rows) {
    const sign = SIGNS[row.GoodsMovementType]
    if (!sign || !orders.has(row.PurchaseOrder)) continue
    try {
      const quantity = unitsOf(row.QuantityInBaseUnit, 'QuantityInBaseUnit')
      const key = itemKey(row.PurchaseOrder, row.PurchaseOrderItem)
      received.set(key, (received.get(key) ?? 0n) + sign * quantity)
    } catch (error) {
      quarantined.push(toQuarantinedRow(placeOf(row), row, problemOf(error)))
      unclear.add(row.PurchaseOrder)
    }
  }
  return { received, unclear, quarantined }
}

const placeOf = (row: ReceiptRow) =>
  `${RECEIPTS.set}(${row.MaterialDocumentYear}/${row.MaterialDocument}/${row.MaterialDocumentItem})`
