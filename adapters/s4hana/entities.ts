// Rows of S/4HANA's OData services, with the fields that are read. Decimals are text in V2 and, as
// requested, in V4; days are `/Date(ms)/` in V2 and `YYYY-MM-DD` in V4.

type Text = string | null
type Decimal = string | null
type Day = string | null

export interface ProductRow {
  Product: string
  BaseUnit: Text
  ProductGroup: Text
  IsMarkedForDeletion: boolean | null
  LastChangeDateTime: Text
}

export interface OrderUnitRow {
  Product: string
  PurchaseOrderQuantityUnit: Text
}

export interface DescriptionRow {
  Product: string
  Language: string
  ProductDescription: Text
}

export interface ValuationRow {
  Product: string
  ValuationArea: string
  ValuationType: string
  IsMarkedForDeletion: boolean | null
  InventoryValuationProcedure: Text
  StandardPrice: Decimal
  MovingAveragePrice: Decimal
  PriceUnitQty: Decimal
  Currency: Text
}

export interface UnitRow {
  Product: string
  AlternativeUnit: string
  BaseUnit: Text
  QuantityNumerator: Decimal
  QuantityDenominator: Decimal
}

export interface ReservationRow {
  Reservation: string
  ReservationItem: string
  RecordType: string
  Product: Text
  Plant: Text
  GoodsMovementType: Text
  RequirementType: Text
  IssuingOrReceivingPlant: Text
  MatlCompRequirementDate: Text
  ResvnItmRequiredQtyInBaseUnit: Decimal
  ResvnItmWithdrawnQtyInBaseUnit: Decimal
}

export interface RequisitionRow {
  PurchaseRequisition: string
  PurchaseRequisitionItem: string
  Material: Text
  Plant: Text
  /** In the requisition's own unit, as what was ordered. */
  RequestedQuantity: Decimal
  OrderedQuantity: Decimal
  BaseUnit: Text
  AccountAssignmentCategory: Text
  PurchasingDocumentItemCategory?: Text
  IsPurReqnBlocked: Text
  DeliveryDate: Day
  CreationDate: Day
  Supplier: Text
  FixedSupplier: Text
  RequirementTracking: Text
  PurReqnExternalReference: Text
}

export interface PlannedOrderRow {
  PlannedOrder: string
  Material: Text
  MRPPlant: Text
  TotalQuantity: Decimal
  PlndOrderPlannedEndDate: Day
  FixedSupplier: Text
  AccountAssignmentCategory: Text
}

export interface ContractRow {
  PurchaseContract: string
  Supplier: Text
  ValidityStartDate: Day
  ValidityEndDate: Day
  DocumentCurrency: Text
  /** Of all its items together, where it is over a value. */
  PurchaseContractTargetAmount: Decimal
}

export interface ContractItemRow {
  PurchaseContract: string
  PurchaseContractItem: string
  Material: Text
  /** Blank for all plants. */
  Plant: Text
  OrderQuantityUnit: Text
  TargetQuantity: Decimal
  OrderPriceUnit: Text
  /** For `NetPriceQuantity` of the order price unit. */
  ContractNetPriceAmount: Decimal
  NetPriceQuantity: Decimal
  DocumentCurrency: Text
  AccountAssignmentCategory: Text
}

export interface SchedulingAgreementRow {
  SchedulingAgreement: string
  Supplier: Text
  ValidityStartDate: Day
  ValidityEndDate: Day
}

export interface ScheduledItemRow {
  SchedulingAgreement: string
  SchedulingAgreementItem: string
  Material: Text
  Plant: Text
  OrderQuantityUnit: Text
  TargetQuantity: Decimal
  OrderPriceUnit: Text
  /** For `NetPriceQuantity` of the order price unit. */
  NetPriceAmount: Decimal
  NetPriceQuantity: Decimal
  DocumentCurrency: Text
  AccountAssignmentCategory: Text
}

/** An order's item, as what it calls off from a contract. */
export interface CalledItemRow {
  PurchaseOrder: string
  Material: Text
  PurchaseContract: string
  PurchaseContractItem: string
  OrderQuantity: Decimal
  PurchaseOrderQuantityUnit: Text
  /** For `NetPriceQuantity` of the order price unit. */
  NetPriceAmount: Decimal
  NetPriceQuantity: Decimal
  OrderPriceUnit: Text
  DocumentCurrency: Text
  IsReturnsItem: boolean | null
}

export interface ProductPlantRow {
  Product: string
  Plant: string
}

export interface SupplyPlanningRow {
  Product: string
  Plant: string
  ProcurementType: Text
  PlannedDeliveryDurationInDays: Decimal
  GoodsReceiptDuration: Decimal
  MinimumLotSizeQuantity: Decimal
  LotSizeRoundingQuantity: Decimal
  EffectiveOutDate?: Day
  FollowUpProduct?: string
}

export interface PlantRow {
  Plant: string
  PlantName: Text
  CompanyCode?: Text
}

export interface CompanyRow {
  CompanyCode: string
  Country: Text
}

interface RequirementKey {
  Product: string
  Plant: string
  MRPArea: string
  PlndIndepRqmtType: string
  PlndIndepRqmtVersion: string
  RequirementPlan: string
  RequirementSegment: string
}

export interface RequirementRow extends RequirementKey {
  PlndIndepRqmtIsActive: Text | boolean
}

export interface RequirementItemRow extends RequirementKey {
  /** D, W or M. */
  PeriodType: string
  WorkingDayDate: Text
  PlannedQuantity: Decimal
}

export interface SupplierRow {
  Supplier: string
  SupplierName: Text
  PurchasingIsBlocked: boolean | null
  DeletionIndicator: boolean | null
}

export interface SupplierOrganisationRow {
  Supplier: string
  PurchasingOrganization: string
  PurchasingIsBlockedForSupplier: boolean | null
}

export interface StockRow {
  Material: string
  Plant: string
  InventoryStockType: string
  MatlWrhsStkQtyInMatlBaseUnit: Decimal
}

export interface BatchStockRow extends StockRow {
  Batch: string
}

export interface BatchRow {
  Material: string
  /** Blank where batches are the same in all plants. */
  BatchIdentifyingPlant: Text
  Batch: string
  ShelfLifeExpirationDate: Day
}

export interface InfoRecordRow {
  SupplierMaterialNumber?: Text
  PurchasingInfoRecord: string
  Supplier: Text
  Material: Text
  BaseUnit: Text
  PurgDocOrderQuantityUnit: Text
  OrderItemQtyToBaseQtyNmrtr: Decimal
  OrderItemQtyToBaseQtyDnmntr: Decimal
  /** Read where it is asked what has changed. */
  LastChangeDateTime?: Text
}

export interface InfoRecordPlantRow {
  PurchasingInfoRecord: string
  PurchasingOrganization: string
  /** Blank for all plants. */
  Plant: string
  Supplier: Text
  Material?: Text
  MaterialPlannedDeliveryDurn: Decimal
  /** In order units. */
  MinimumPurchaseOrderQuantity: Decimal
  NetPriceAmount: Decimal
  /** The price is for this number of price units. */
  MaterialPriceUnitQty: Decimal
  PurchaseOrderPriceUnit: Text
  Currency: Text
}

export interface OrderHeaderRow {
  PurchaseOrder: string
  /** V2 only. */
  PurchasingDocumentDeletionCode?: Text
  /** V4 only. */
  PurchaseOrderDeletionCode?: Text
  CorrespncExternalReference: Text
  Supplier: Text
  PurchaseOrderDate: Day
}

export interface OrderItemRow {
  PurchaseOrder: string
  PurchaseOrderItem: string
  Material: Text
  Plant: Text
  PurchaseOrderQuantityUnit: Text
  PurchasingDocumentDeletionCode: Text
  AccountAssignmentCategory: Text
  /** 2: consignment. */
  PurchaseOrderItemCategory?: Text
  /** Delivered to a subcontractor. */
  SupplierIsSubcontractor?: boolean | null
  IsCompletelyDelivered: boolean | null
  IsReturnsItem: boolean | null
  /** The conversion to base units, V4 only. */
  OrderItemQtyToBaseQtyNmrtr?: Decimal
  OrderItemQtyToBaseQtyDnmntr?: Decimal
  /** Copied from the requisition, V4 only. */
  RequirementTracking?: Text
  /** What it was made of; blank for none. */
  PurchaseRequisition?: Text
  PurchaseRequisitionItem?: Text
  /** Less discounts, for so many order price units. */
  NetPriceAmount?: Decimal
  NetPriceQuantity?: Decimal
  OrderPriceUnit?: Text
  DocumentCurrency?: Text
}

/** What a supplier confirms of a purchase order; each of its items has lines with a day and a quantity. */
export interface ConfirmationItemRow {
  SupplierConfirmation: string
  SupplierConfirmationItem: string
  SuplrConfRefPurchaseOrder: string
  SuplrConfRefPurchaseOrderItem: string
  ItemIsRejectedBySupplier: boolean | null
}

export interface ConfirmationLineRow {
  SupplierConfirmation: string
  SupplierConfirmationItem: string
  DeliveryDate: Day
  /** In the order unit. */
  ConfirmedQuantity: Decimal
  PurchaseOrderQuantityUnit: Text
}

export interface ScheduleLineRow {
  ScheduleLine: string
  ScheduleLineDeliveryDate: Day
  ScheduleLineOrderQuantity: Decimal
}

export interface SchedulingLineRow extends ScheduleLineRow {
  SchedulingAgreement: string
  SchedulingAgreementItem: string
  /** What has come of it, in the order unit. */
  RoughGoodsReceiptQty: Decimal
  PurchaseRequisition?: Text
  PurchaseRequisitionItem?: Text
}

export interface ScheduleLineV2Row extends ScheduleLineRow {
  PurchasingDocument: string
  PurchasingDocumentItem: string
}

export interface ScheduleLineV4Row extends ScheduleLineRow {
  PurchaseOrder: string
  PurchaseOrderItem: string
  OpenPurchaseOrderQuantity: Decimal
}

export interface ReceiptRow {
  MaterialDocumentYear: string
  MaterialDocument: string
  MaterialDocumentItem: string
  PurchaseOrder: string
  PurchaseOrderItem: string
  GoodsMovementType: string
  QuantityInBaseUnit: Decimal
}

export interface SalesItemRow {
  SalesOrder: string
  SalesOrderItem: string
  Material: Text
  /** The plant that delivers. */
  ProductionPlant: Text
  SalesDocumentRjcnReason: Text
  DeliveryStatus: Text
}

export interface SalesScheduleLineRow {
  SalesOrder: string
  SalesOrderItem: string
  ScheduleLine: string
  RequestedDeliveryDate: Day
  OrderQuantityUnit: Text
  ScheduleLineOrderQuantity: Decimal
  DeliveredQtyInOrderQtyUnit: Decimal
}

export interface MaterialDocumentRow {
  MaterialDocumentYear: string
  MaterialDocument: string
  PostingDate: Day
  CreationDate: Day
  to_MaterialDocumentItem: { results: MaterialDocumentItemRow[] } | MaterialDocumentItemRow[]
}

export interface MaterialDocumentItemRow {
  MaterialDocumentItem: string
  Material: string
  Plant: string
  GoodsMovementType: string
  InventorySpecialStockType: string
  QuantityInBaseUnit: string
  IsAutomaticallyCreated: string
  ReversedMaterialDocumentYear: string
  ReversedMaterialDocument: string
  ReversedMaterialDocumentItem: string
}

export interface DeliveryRow {
  DeliveryDocument: string
  ActualGoodsMovementDate: Day
  CreationDate: Day
  LastChangeDate: Day
}

export interface DeliveryItemRow {
  DeliveryDocument: string
  DeliveryDocumentItem: string
  Material: string
  Plant: string
  GoodsMovementType: string
  GoodsMovementStatus: string
  InventorySpecialStockType: string
  ActualDeliveredQtyInBaseUnit: Decimal
}

export interface ReceivingDocumentRow extends Omit<MaterialDocumentRow, 'to_MaterialDocumentItem'> {
  to_MaterialDocumentItem: { results: ReceivingDocumentItemRow[] } | ReceivingDocumentItemRow[]
}

export interface ReceivingDocumentItemRow {
  MaterialDocumentItem: string
  Material: Text
  Plant: Text
  GoodsMovementType: string
  InventorySpecialStockType: Text
  QuantityInBaseUnit: Decimal
  PurchaseOrder: string
  PurchaseOrderItem: string
}
