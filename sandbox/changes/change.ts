import type { Row } from '../odata/object-set.ts'

interface Pair {
  sku: string
  location: string
}

/** One change of the ERP's data, dated now. Quantities are in base units, dates `YYYY-MM-DD`. */
export type Change =
  /** A new material document with one line; `type` 601 where it is missing. */
  | ({
      kind: 'issue'
      quantity: number
      type?: string
      postingDate?: string
      special?: string
    } & Pair)
  /** 653 where `type` is missing. */
  | ({ kind: 'return'; quantity: number; type?: string; postingDate?: string } & Pair)
  /** Takes back a line (`item`, 1 if missing) of a document by a new one. */
  | { kind: 'cancel'; year: number | string; document: string; item?: number }
  /** Takes back the last goods issue of a pair that stands. */
  | ({ kind: 'cancelLast' } & Pair)
  /** All unrestricted stock of a pair. */
  | ({ kind: 'onHand'; quantity: number } & Pair)
  /** One row of stock; a null quantity removes it. */
  | ({
      kind: 'stock'
      quantity: number | null
      type?: string
      storageLocation?: string
      batch?: string
    } & Pair)
  | { kind: 'rename'; sku: string; name: string }
  | { kind: 'flag'; sku: string }
  /** The SKU is gone from all master data and stock. */
  | { kind: 'vanish'; sku: string }
  /** Fields of A_ProductSupplyPlanning; leaves no timestamp. */
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
  /** State of an order's line. */
  | {
      kind: 'orderLine'
      order: string
      item: string
      deletion?: '' | 'L' | 'S'
      completed?: boolean
    }
  /** Any row of an entity set: these fields change, or null removes it. */
  | { kind: 'row'; set: string; key: Row; values: Row | null }

export interface ChangeResult {
  kind: Change['kind']
  /** Number of the document or order that was made. */
  document?: string
  year?: number
}
