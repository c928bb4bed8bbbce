// API_PURCHASEREQ_PROCESS_SRV, API_PLANNED_ORDERS, API_PURCHASECONTRACT_PROCESS_SRV, API_SCHED_AGRMT_PROCESS_SRV,
// API_BATCH_SRV, and API_SUPPLIERCONFIRMATION: the rows that changes have made.
import { objectSet } from '../odata/object-set.ts'
import type { Row } from '../odata/object-set.ts'
import type { EntitySet } from '../odata/set.ts'
import type { World } from '../world/world.ts'

const NO_ROWS = { size: () => 0, build: (): Row => ({}) }

export const requisitions = ({ patches }: World): EntitySet[] => [
  objectSet(
    {
      name: 'A_PurchaseRequisitionItem',
      keys: 'PurchaseRequisition PurchaseRequisitionItem',
      fields:
        'PurchaseRequisition PurchaseRequisitionItem PurchaseRequisitionType Material Plant BaseUnit ' +
        'PurchasingDocument PurchasingDocumentItem AccountAssignmentCategory ProcessingStatus IsDeleted ' +
        'PurchasingDocumentItemCategory ' +
        'IsPurReqnBlocked Supplier FixedSupplier RequirementTracking PurReqnExternalReference' +
        '|Decimal: RequestedQuantity OrderedQuantity|Boolean: IsClosed' +
        '|DateTime: DeliveryDate CreationDate PurReqCreationDate|DateTimeOffset: LastChangeDateTime',
      ...NO_ROWS,
    },
    patches,
  ),
]

export const plannedOrders = ({ patches }: World): EntitySet[] => [
  objectSet(
    {
      name: 'A_PlannedOrder',
      keys: 'PlannedOrder',
      fields:
        'PlannedOrder PlannedOrderType Material MRPPlant ProductionPlant MRPArea BaseUnit FixedSupplier ' +
        'MaterialProcurementCategory AccountAssignmentCategory SalesOrder WBSElement' +
        '|Decimal: TotalQuantity|Boolean: PlannedOrderIsFirm' +
        '|DateTime: PlndOrderPlannedStartDate PlndOrderPlannedEndDate PlannedOrderOpeningDate' +
        '|DateTimeOffset: LastChangeDateTime',
      ...NO_ROWS,
    },
    patches,
  ),
]

export const contracts = ({ patches }: World): EntitySet[] => [
  objectSet(
    {
      name: 'A_PurchaseContract',
      keys: 'PurchaseContract',
      fields:
        'PurchaseContract PurchaseContractType CompanyCode PurchasingDocumentDeletionCode Supplier DocumentCurrency' +
        '|Decimal: PurchaseContractTargetAmount|DateTime: CreationDate ValidityStartDate ValidityEndDate' +
        '|DateTimeOffset: LastChangeDateTime',
      ...NO_ROWS,
    },
    patches,
  ),
  objectSet(
    {
      name: 'A_PurchaseContractItem',
      keys: 'PurchaseContract PurchaseContractItem',
      fields:
        'PurchaseContract PurchaseContractItem PurchasingContractDeletionCode Material Plant OrderQuantityUnit ' +
        'OrderPriceUnit DocumentCurrency PurchasingDocumentItemCategory AccountAssignmentCategory' +
        '|Decimal: TargetQuantity ContractNetPriceAmount NetPriceQuantity',
      ...NO_ROWS,
    },
    patches,
  ),
]

export const schedulingAgreements = ({ patches }: World): EntitySet[] => [
  objectSet(
    {
      name: 'A_SchAgrmtHeader',
      keys: 'SchedulingAgreement',
      fields:
        'SchedulingAgreement CompanyCode PurchasingDocumentType PurchasingDocumentDeletionCode Supplier ' +
        'DocumentCurrency|DateTime: CreationDate ValidityStartDate ValidityEndDate',
      ...NO_ROWS,
    },
    patches,
  ),
  objectSet(
    {
      name: 'A_SchAgrmtItem',
      keys: 'SchedulingAgreement SchedulingAgreementItem',
      fields:
        'SchedulingAgreement SchedulingAgreementItem Material Plant OrderQuantityUnit OrderPriceUnit ' +
        'DocumentCurrency PurchasingDocumentDeletionCode AccountAssignmentCategory' +
        '|Decimal: TargetQuantity NetPriceAmount NetPriceQuantity',
      ...NO_ROWS,
    },
    patches,
  ),
  objectSet(
    {
      name: 'A_SchAgrmtSchLine',
      keys: 'SchedulingAgreement SchedulingAgreementItem ScheduleLine',
      fields:
        'SchedulingAgreement SchedulingAgreementItem ScheduleLine OrderQuantityUnit PurchaseRequisition ' +
        'PurchaseRequisitionItem' +
        '|Decimal: ScheduleLineOrderQuantity RoughGoodsReceiptQty|DateTime: ScheduleLineDeliveryDate',
      ...NO_ROWS,
    },
    patches,
  ),
]

export const confirmations = ({ patches }: World): EntitySet[] => [
  objectSet(
    {
      name: 'Confirmation',
      type: 'A_SupplierConfirmation_Type',
      keys: 'SupplierConfirmation',
      fields:
        'SupplierConfirmation SuplrConfRefPurchaseOrder SuplrConfProcessingStatus SuplrConfExternalReference' +
        '|DateTimeOffset: LastChangeDateTime|Date: CreationDate',
      ...NO_ROWS,
    },
    patches,
  ),
  objectSet(
    {
      name: 'ConfirmationItem',
      type: 'A_SupplierConfirmationItem_Type',
      keys: 'SupplierConfirmation SupplierConfirmationItem',
      fields:
        'SupplierConfirmation SupplierConfirmationItem SuplrConfRefPurchaseOrder ' +
        'SuplrConfRefPurchaseOrderItem DocumentCurrency SuplrConfOrderPriceUnit' +
        '|Decimal: SupplierConfirmedNetPrice SuplrConfNetPriceQuantity|Boolean: ItemIsRejectedBySupplier',
      ...NO_ROWS,
    },
    patches,
  ),
  objectSet(
    {
      name: 'ConfirmationLine',
      type: 'A_SupplierConfirmationLine_Type',
      keys: 'SupplierConfirmation SupplierConfirmationItem SupplierConfirmationLine',
      fields:
        'SupplierConfirmation SupplierConfirmationItem SupplierConfirmationLine DelivDateCategory ' +
        'PurchaseOrderQuantityUnit SupplierConfirmationExtNumber' +
        '|Decimal: ConfirmedQuantity|Date: DeliveryDate',
      ...NO_ROWS,
    },
    patches,
  ),
]

export const batches = ({ patches }: World): EntitySet[] => [
  objectSet(
    {
      name: 'Batch',
      keys: 'Material BatchIdentifyingPlant Batch',
      fields:
        'Material BatchIdentifyingPlant Batch Supplier BatchBySupplier CountryOfOrigin' +
        '|Boolean: BatchIsMarkedForDeletion MatlBatchIsInRstrcdUseStock' +
        '|DateTime: ShelfLifeExpirationDate ManufactureDate MatlBatchAvailabilityDate' +
        '|DateTimeOffset: CreationDateTime LastChangeDateTime',
      ...NO_ROWS,
    },
    patches,
  ),
]
