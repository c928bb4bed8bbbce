import type { Row } from '../odata/object-set.ts'

interface Pair {
  sku: string
  location: string
}

interface Line {
  order: string
  item: string
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
  /** Creates a SKU again that was removed so, as it was. */
  | { kind: 'recreate'; sku: string }
  /** Sets fields of A_ProductSupplyPlanning, which has no timestamp; `stamped` changes the product's. */
  | ({ kind: 'planning'; values: Row; stamped?: boolean } & Pair)
  /**
   * Sets the price of the SKU's info record, by default its main supplier's, in the record's own price unit and for all
   * plants. Prices have no timestamp; `stamped` changes the record's.
   */
  | { kind: 'price'; sku: string; price: number; supplier?: string; stamped?: boolean }
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
  /** A goods receipt (101) or 102, 109, 110, 122, 123 for an order's line; quantity in base units. */
  | ({ kind: 'receive'; quantity: number; type?: string; postingDate?: string } & Line)
  /** Cancels the latest receipt of an order's line that is not yet cancelled. */
  | ({ kind: 'cancelReceipt' } & Line)
  /** Sets the status of an order line. Not `stamped`, it leaves the order's timestamp; default true. */
  | ({
      kind: 'orderLine'
      deletion?: '' | 'L' | 'S'
      completed?: boolean
      stamped?: boolean
    } & Line)
  /** Sets the deletion code of a whole order, whose lines keep their own. */
  | { kind: 'orderHeader'; order: string; deletion: '' | 'L'; stamped?: boolean }
  /** Sets the day of an order's schedule line (default `0001`). */
  | ({ kind: 'scheduleLine'; scheduleLine?: string; due: string; stamped?: boolean } & Line)
  /** Moves a quantity, in order units, from a schedule line (default `0001`) to a new one. */
  | ({
      kind: 'splitSchedule'
      scheduleLine?: string
      quantity: number
      due: string
      stamped?: boolean
    } & Line)
  /** Reserves units for production, due in two weeks by default; `withdrawn` are taken out already. */
  | ({
      kind: 'reserve'
      /** The number of the reservation, of which this is the only item; an existing one is changed. */
      reservation: string
      quantity: number
      due?: string
      withdrawn?: number
      /** Movement type; default 261. */
      type?: string
    } & Pair)
  /**
   * Plans independent requirements of a period, by the month unless `period` says otherwise; `from` is its first working day.
   * A null quantity removes them; an inactive version is simulated only.
   */
  | ({
      kind: 'planRequirement'
      from: string
      quantity: number | null
      period?: 'D' | 'W' | 'M'
      /** Default 00. */
      version?: string
      isActive?: boolean
      requirementPlan?: string
    } & Pair)
  /** Sets fields of any row of an entity set; null removes the row. */
  | { kind: 'row'; set: string; key: Row; values: Row | null }

export interface ChangeResult {
  kind: Change['kind']
  /** Number of the new document or order. */
  document?: string
  year?: number
}
