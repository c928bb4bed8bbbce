// Rows as Business Central writes them.
import type { Field } from '../rows/values.ts'

export interface ItemRow {
  /** Stays the same when the item is renamed. */
  id: Field
  number: string
  displayName: Field
  type: Field
  blocked: Field
  itemCategoryCode: Field
  baseUnitOfMeasureCode: Field
  unitCost: Field
  lastModifiedDateTime: Field
}

export interface VendorRow {
  number: string
  displayName: Field
}

export interface LocationRow {
  code: Field
  displayName: Field
  country?: Field
}

export interface LedgerRow {
  entryNo: number | string
  entryType: Field
  documentType?: Field
  postingDate: Field
  itemNo: string
  locationCode: string
  quantity: Field
}

export interface OpenEntryRow {
  entryNo: number | string
  itemNo: string
  locationCode: string
  remainingQuantity: Field
}

export interface LotEntryRow extends OpenEntryRow {
  lotNo: Field
  expirationDate: Field
}

/** Of a quote or a blanket order. */
export interface DocumentLineRow {
  documentNo: string
  purchaseLineDocumentType: Field
  lineNo: number | string
  type: Field
  itemNo: string
  locationCode: string
  quantityBase: Field
  outstandingQtyBase: Field
  expectedReceiptDate: Field
  documentDate: Field
  buyFromVendorNo: Field
}

export interface OrderLineRow {
  documentNo: string
  purchaseLineDocumentType: Field
  lineNo: number | string
  itemNo: string
  locationCode: string
  /** The quote that the order was made of. */
  quoteNo: Field
  expectedReceiptDate: Field
  outstandingQtyBase: Field
}

/** A line of an order that calls off from a blanket order, of the page of order lines. */
export interface CalledLineRow {
  Document_No: string
  Line_No: number | string
  Blanket_Order_No: string
  Blanket_Order_Line_No: number | string
}

export interface RequisitionLineRow {
  worksheetTemplateName: string
  journalBatchName: string
  planningLineOrigin: Field
  replenishmentSystem: Field
  itemNo: string
  locationCode: string
  quantityBase: Field
  dueDate: Field
}

export interface PurchaseLineRow {
  documentNo: string
  documentType: Field
  itemNo: string
  locationCode: string
  expectedReceiptDate: Field
  buyFromVendorNo: Field
  outstandingQtyBase: Field
}

/** Of the published page of purchase lines. */
export interface PromisedLineRow {
  documentNumber: string
  documentType: Field
  type: Field
  number: string
  locationCode: string
  buyFromVendorNumber: Field
  outstandingQtyBase: Field
  /** Of what is outstanding, less discounts, in the company's currency. */
  outstandingAmtExVatLcy: Field
  requestedReceiptDate: Field
  promisedReceiptDate: Field
  /** Business Central moves it along with the promised day, by the days of putting goods away. */
  expectedReceiptDate: Field
}

export interface SalesLineRow {
  documentNo: string
  documentType: Field
  itemNo: string
  locationCode: string
  shipmentDate: Field
  outstandingQtyBase: Field
}

export interface TransferRow {
  documentNo: string
  itemNo: string
  inTransitLocationCode: string
  transferToLocationCode: string
  qtyInTransitBase: Field
  receiptDate: Field
}

export interface PlanningFields {
  Vendor_No?: Field
  Lead_Time_Calculation?: Field
  Minimum_Order_Quantity?: Field
  Order_Multiple?: Field
  Replenishment_System?: Field
}

export interface ItemCardRow extends PlanningFields {
  No: string
  Blocked?: Field
  Purchasing_Blocked?: Field
}

export interface StockkeepingUnitRow extends PlanningFields {
  Item_No: string
  Location_Code: string
  Variant_Code?: Field
}
