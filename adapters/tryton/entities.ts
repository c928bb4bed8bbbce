// Rows as Tryton gives them: of a field `product.code` the row has `product.` with `code`.
import type { Value } from './values.ts'

/** On SQLite Tryton answers truth values as numbers. */
export type Flag = boolean | 0 | 1

export interface CompanyRow {
  id: number
  timezone?: string | null
  'currency.'?: { code?: string | null } | null
  'party.'?: { name?: string | null } | null
}

export interface LocationRow {
  id: number
  name: string | null
  code: string | null
  type: string
  active?: Flag
  warehouse: number | null
  'address.'?: { 'country.'?: { code?: string | null } | null } | null
}

export interface ProductRow {
  id: number
  code: string | null
  active: Flag
  template: number
  cost_price: Value
  'template.'?: { name?: string | null; active?: Flag; purchasable?: Flag } | null
  'default_uom.'?: UomRow | null
  'purchase_uom.'?: UomRow | null
}

export interface UomRow {
  symbol?: string | null
  factor?: number
  rate?: number
  /** Quantities in this unit are multiples of this. */
  rounding?: number
}

export interface QuantityRow {
  id: number
  quantity: Value
}

export interface MoveRow {
  id: number
  product: number
  internal_quantity: Value
  from_location: number
  to_location: number
  planned_date?: Value
  effective_date?: Value
  /** `model,id` */
  origin?: string | null
  /** `model,id` */
  shipment?: string | null
  /** Absent without the production module. */
  production_input?: number | null
  production_output?: number | null
}

export interface PairMoveRow {
  id: number
  product: number
  from_location: number
  to_location: number
}

export interface PurchaseLineRow {
  id: number
  /** Less the line's discount, in its unit. */
  unit_price?: Value
  'unit.'?: UomRow | null
  'product.'?: { 'default_uom.'?: UomRow | null } | null
  'purchase.'?: {
    number?: string | null
    reference?: string | null
    purchase_date?: Value
    'party.'?: { code?: string | null } | null
    'currency.'?: { code?: string | null } | null
  } | null
}

/** What is to be bought, and has no moves yet. */
export interface DraftRow {
  id: number
  product: number | null
  quantity: Value
  create_date?: Value
  'unit.'?: UomRow | null
  'product.'?: { 'default_uom.'?: UomRow | null } | null
}

export interface RequestRow extends DraftRow {
  warehouse: number | null
  supply_date?: Value
  'party.'?: { code?: string | null } | null
}

export interface DraftLineRow extends DraftRow {
  delivery_date?: Value
  'purchase.'?: {
    id: number
    number?: string | null
    reference?: string | null
    warehouse?: number | null
    'party.'?: { code?: string | null } | null
  } | null
}

export interface SaleLineRow {
  id: number
  'sale.'?: { number?: string | null } | null
}

/** A part of a kit in a line of an order. */
export interface ComponentRow<Line> {
  id: number
  line: number
  'line.'?: Omit<Line, 'id'> | null
}

/** A document that goods are moved by. */
export interface NumberedRow {
  id: number
  number: string | null
}

export interface ProductSupplierRow {
  id: number
  template: number | null
  product: number | null
  sequence: number | null
  /** The supplier's own number of the product. */
  code?: string | null
  lead_time: Value
  'party.'?: { code?: string | null; name?: string | null; supplier_lead_time?: Value } | null
  'currency.'?: { code?: string | null } | null
}

export interface PriceRow {
  id: number
  product_supplier: number
  sequence: number | null
  quantity: Value
  unit_price: Value
}

export interface OrderPointRow {
  id: number
  product: number
  warehouse_location: number | null
}
