// Rows as Odoo gives them: an empty field is `false`, a linked record its number and its name.
export type Link = [id: number, name: string] | false
export type Text = string | false
export type Quantity = number | false

export interface CompanyRow {
  id: number
  name: string
  currency_id: Link
  /** Of the module of subcontracting. */
  subcontracting_location_id?: Link
}

export interface WarehouseRow {
  id: number
  code: Text
  name: Text
  view_location_id: Link
}

export interface LocationRow {
  id: number
  /** `1/7/8/`: the numbers of the locations that it lies in, its own last. */
  parent_path: Text
  /** Of some versions. */
  is_subcontracting_location?: boolean
}

export interface UomRow {
  id: number
  name: Text
  /** From Odoo 19 on the units of reference in one of it; before, how many of it are one of reference. */
  factor: number
}

export interface ProductRow {
  id: number
  default_code: Text
  barcode: Text
  name: Text
  active: boolean
  purchase_ok?: boolean
  uom_id: Link
  /** Until Odoo 18. */
  uom_po_id?: Link
  product_tmpl_id: Link
  standard_price: Quantity
  categ_id: Link
}

export interface QuantRow {
  id: number
  product_id: Link
  location_id: Link
  quantity: Quantity
}

export interface LotQuantRow extends QuantRow {
  lot_id: Link
}

export interface LotRow {
  id: number
  name: Text
  expiration_date: Text
}

export interface MoveRow {
  id: number
  product_id: Link
  location_id: Link
  location_dest_id: Link
  date: Text
  product_uom: Link
  product_uom_qty?: Quantity
  /** From Odoo 17 on; `quantity_done` before. */
  quantity?: Quantity
  quantity_done?: Quantity
  origin_returned_move_id?: Link
  purchase_line_id?: Link
  /** Absent where nothing is sold by Odoo. */
  sale_line_id?: Link
  origin?: Text
  state?: Text
  /** The number of its transfer. */
  reference?: Text
  /** What lies ready for it; from Odoo 17 on that is `quantity`. */
  reserved_availability?: Quantity
}

export interface PurchaseLineRow {
  id: number
  order_id: Link
  date_planned: Text
  product_qty?: Quantity
  /** Of which it is, depends on the version. */
  product_uom?: Link
  product_uom_id?: Link
  /** Of the whole line, less its discount, without taxes. */
  price_subtotal?: Quantity
  currency_id?: Link
}

export interface PurchaseOrderRow {
  id: number
  name: Text
  origin: Text
  partner_id: Link
  /** Until when it was to be ordered. */
  date_order: Text
  /** When it was. */
  date_approve?: Text
  /** Whether the vendor has confirmed the planned day; absent before Odoo 14. */
  mail_reminder_confirmed?: boolean
}

export interface RequestLineRow {
  id: number
  order_id: Link
  product_id: Link
  product_qty: Quantity
  /** Until Odoo 18; `product_uom_id` since. */
  product_uom?: Link
  product_uom_id?: Link
  date_planned: Text
}

export interface RequestRow {
  id: number
  name: Text
  origin: Text
  partner_id: Link
  create_date: Text
  picking_type_id: Link
}

export interface AgreementLineRow {
  id: number
  requisition_id: Link
  product_id: Link
  product_uom_id: Link
  product_qty: Quantity
  qty_ordered: Quantity
  price_unit: Quantity
}

export interface AgreementRow {
  id: number
  name: Text
  vendor_id: Link
  date_start: Text
  date_end: Text
  currency_id: Link
}

export interface PickingTypeRow {
  id: number
  warehouse_id: Link
}

export interface SaleLineRow {
  id: number
  order_id: Link
  customer_lead: Quantity
}

export interface SaleOrderRow {
  id: number
  name: Text
  date_order: Text
  commitment_date: Text
}

export interface SupplierInfoRow {
  id: number
  /** From Odoo 16 on; `name` before. */
  partner_id?: Link
  name?: Link
  product_tmpl_id: Link
  product_id: Link
  sequence: Quantity
  min_qty: Quantity
  price: Quantity
  discount?: Quantity
  delay: Quantity
  currency_id: Link
  date_start: Text
  date_end: Text
  product_uom?: Link
  product_uom_id?: Link
  /** The vendor's own number of the product. */
  product_code?: Text
}

export interface PartnerRow {
  id: number
  ref: Text
  name: Text
}

export interface OrderPointRow {
  id: number
  product_id: Link
  warehouse_id: Link
  /** Until Odoo 18. */
  qty_multiple?: Quantity
}
