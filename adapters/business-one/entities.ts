// Rows as the Service Layer writes them.
import type { Field } from '../rows/values.ts'

export interface WarehouseRow {
  WarehouseCode: string
  WarehouseName: Field
  Inactive: Field
  DropShip?: Field
  Country?: Field
}

export interface PartnerRow {
  CardCode: string
  CardName: Field
}

export interface ItemWarehouse {
  WarehouseCode: string
  InStock: Field
  MinimalOrder?: Field
}

export interface ItemRow {
  ItemCode: string
  ItemName: Field
  ItemsGroupCode: Field
  InventoryItem: Field
  PurchaseItem: Field
  Valid: Field
  Frozen: Field
  InventoryUOM: Field
  Mainsupplier: Field
  AvgStdPrice: Field
  ItemPrices?: { PriceList: number; Price: Field; Currency: Field }[]
}

export interface StockRow {
  ItemCode: string
  QuantityOnStock: Field
  ItemWarehouseInfoCollection?: ItemWarehouse[]
}

/** Of the query of batches. */
export interface BatchRow {
  ItemCode: Field
  WhsCode: Field
  DistNumber: Field
  Quantity: Field
  ExpDate: Field
}

export interface PlanningRow {
  ItemCode: string
  PurchaseItem: Field
  Valid: Field
  Frozen: Field
  Mainsupplier: Field
  LeadTime: Field
  MinOrderQuantity: Field
  OrderMultiple: Field
  ProcurementMethod: Field
  PurchaseUnit?: Field
  PurchaseItemsPerUnit?: Field
  SupplierCatalogNo?: Field
  ItemWarehouseInfoCollection?: ItemWarehouse[]
}

export interface DocumentLine {
  LineNum: number
  ItemCode: string | null
  WarehouseCode: string
  InventoryQuantity: Field
  RemainingOpenInventoryQuantity?: Field
  ShipDate: Field
  /** In the unit of the price. */
  Quantity?: Field
  /** Less the discount of the line, without tax. */
  Price?: Field
  Currency?: Field
  /** Of what is no order yet. */
  RequiredDate?: Field
  LineVendor?: Field
  LineStatus: Field
  BaseType?: number | null
  BaseEntry?: number | null
  BaseLine?: number | null
  /** Of a credit memo: the goods stay with the customer. */
  WithoutInventoryMovement?: Field
  AgreementNo?: number | null
  AgreementRowNumber?: number | null
}

export interface AgreementRow {
  AgreementNo: number
  BPCode: string | null
  StartDate: Field
  EndDate: Field
  TerminateDate: Field
  Status: Field
  AgreementMethod: Field
  IgnorePricesInAgreement: Field
  BlanketAgreements_ItemsLines?: AgreementLine[]
}

export interface AgreementLine {
  AgreementRowNumber: number
  ItemNo: string | null
  PlannedQuantity: Field
  CumulativeQuantity: Field
  UnitPrice?: Field
  PriceCurrency?: Field
  LineDiscount?: Field
  /** Of an agreement over money: what is agreed and what has come, in the local currency and in a foreign one. */
  PlannedAmountLC?: Field
  PlannedAmountFC?: Field
  CumulativeAmountLC?: Field
  CumulativeAmountFC?: Field
  /** Inventory units in one unit of the row. */
  UnitsOfMeasurement?: Field
}

/** A purchase request has no supplier of its own. */
export interface DraftDocumentRow {
  DocEntry: number
  DocDate: Field
  CardCode?: Field
  NumAtCard?: Field
  DocObjectCode?: Field
  DocumentLines: DocumentLine[]
}

export interface DocumentRow {
  DocEntry: number
  DocNum: number
  DocDate: Field
  CardCode: string
  /** The partner's own number of the document. */
  NumAtCard?: Field
  CancelStatus?: Field
  /** An invoice that comes before the goods. */
  ReserveInvoice?: Field
  DocumentLines: DocumentLine[]
}
