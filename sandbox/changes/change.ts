import type { Row } from '../odata/object-set.ts'

interface Pair {
  sku: string
  location: string
}

/** One change of the ERP's data, dated now. Quantities are in base units, dates `YYYY-MM-DD`. */
export type Change =
  /** A new material document with one line; default `type` 601. */
  | ({
      kind: 'issue'
      quantity: number
      type?: string
      postingDate?: string
      special?: string
    } & Pair)
  /** A customer return; default `type` 653. */
  | ({ kind: 'return'; quantity: number; type?: string; postingDate?: string } & Pair)
  /** Reverses a line of a document by a new document; default `item` 1. */
  | { kind: 'cancel'; year: number | string; document: string; item?: number }
  /** Reverses the latest goods issue of a pair that is not yet reversed. */
  | ({ kind: 'cancelLast' } & Pair)
  /** Sets the unrestricted stock of a pair. */
  | ({ kind: 'onHand'; quantity: number } & Pair)
  /** Sets one row of stock; a null quantity removes it. */
  | ({
      kind: 'stock'
      quantity: number | null
      type?: string
      storageLocation?: string
      batch?: string
    } & Pair)
  | { kind: 'rename'; sku: string; name: string }
  | { kind: 'flag'; sku: string }
  /** Removes the SKU from all master data and stock. */
  | { kind: 'vanish'; sku: string }
  /** Sets fields of A_ProductSupplyPlanning, which has no timestamp. */
  | ({ kind: 'planning'; values: Row } & Pair)
  | { kind: 'supplier'; supplier: string; blocked: boolean }
  /** A new purchase order with one line; in order units where `unit` is the SKU's order unit. */
  | ({
      kind: 'order'
      quantity: number
      unit?: 'base' | 'order'
      /** At most 12 characters. */
      reference?: string
      schedule?: { due: string; quantity: number }[]
    } & Pair)
  /** A goods receipt (101) or 102, 122, 123 for an order's line; quantity in base units. */
  | { kind: 'receive'; order: string; item: string; quantity: number; type?: string }
  /** Sets the status of an order line. */
  | {
      kind: 'orderLine'
      order: string
      item: string
      deletion?: '' | 'L' | 'S'
      completed?: boolean
    }
  /** Sets fields of any row of an entity set; null removes the row. */
  | { kind: 'row'; set: string; key: Row; values: Row | null }

export interface ChangeResult {
  kind: Change['kind']
  /** Number of the new document or order. */
  document?: string
  year?: number
}
