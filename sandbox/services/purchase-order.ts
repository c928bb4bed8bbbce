// The same purchase orders in API_PURCHASEORDER_PROCESS_SRV (V2) and API_PURCHASEORDER_2 (V4).
import { DAY_MS } from '../clock.ts'
import { objectSet } from '../odata/object-set.ts'
import { toMs } from '../world/days.ts'
import { decimal } from '../world/decimal.ts'
import { INFO_ROWS, INFO_SLOTS, priceOn } from '../world/info-records.ts'
import { openBySchedule } from '../world/order.ts'
import { ORDER_LINES, SCHEDULE_LINES } from '../world/orders.ts'
import type { EntitySet } from '../odata/set.ts'
import type { OrderLine } from '../world/order.ts'
import type { World } from '../world/world.ts'

const ITEM_SLOTS = ORDER_LINES
const LINE_SLOTS = ORDER_LINES * SCHEDULE_LINES
const item = (line: number) => String((line + 1) * 10).padStart(5, '0')
const lineNumber = (index: number) => String(index + 1).padStart(4, '0')
const midnight = (ms: number) => Math.floor(ms / DAY_MS) * DAY_MS

interface Names {
  header: string
  item: string
  schedule: string
  type: (name: string) => string
  date: 'DateTime' | 'Date'
  deletion: string
  scheduleKeys: [string, string]
}

const V2: Names = {
  header: 'A_PurchaseOrder',
  item: 'A_PurchaseOrderItem',
  schedule: 'A_PurchaseOrderScheduleLine',
  type: (name) => `${name}Type`,
  date: 'DateTime',
  deletion: 'PurchasingDocumentDeletionCode',
  scheduleKeys: ['PurchasingDocument', 'PurchasingDocumentItem'],
}
const V4: Names = {
  header: 'PurchaseOrder',
  item: 'PurchaseOrderItem',
  schedule: 'PurchaseOrderScheduleLine',
  type: (name) => `${name}_Type`,
  date: 'Date',
  deletion: 'PurchaseOrderDeletionCode',
  scheduleKeys: ['PurchaseOrder', 'PurchaseOrderItem'],
}

export const purchaseOrders = (world: World) => sets(world, V2)
export const purchaseOrdersV4 = (world: World) => sets(world, V4)

function sets(world: World, names: Names): EntitySet[] {
  return [headerSet(world, names), itemSet(world, names), scheduleSet(world, names)]
}

function headerSet(world: World, names: Names): EntitySet {
  return objectSet(
    {
      name: names.header,
      type: names.type(names.header),
      keys: 'PurchaseOrder',
      fields:
        `PurchaseOrder CompanyCode PurchaseOrderType ${names.deletion} PurchasingProcessingStatus ` +
        'CreatedByUser Supplier PurchasingOrganization PurchasingGroup DocumentCurrency SupplyingPlant ' +
        `SupplyingSupplier CorrespncExternalReference|${names.date}: CreationDate PurchaseOrderDate` +
        '|DateTimeOffset: LastChangeDateTime|Boolean: ReleaseIsNotCompleted',
      size: () => world.orders.count(),
      key: (slot) => ({ PurchaseOrder: world.orders.numberAt(slot) }),
      build(slot) {
        const order = world.orders.at(slot)
        return {
          PurchaseOrder: order.number,
          CompanyCode: '1010',
          PurchaseOrderType: 'NB',
          [names.deletion]: order.deletion,
          PurchasingProcessingStatus: '05',
          CreatedByUser: 'BUYER01',
          Supplier: order.supplier,
          PurchasingOrganization: '1000',
          PurchasingGroup: '001',
          DocumentCurrency: 'EUR',
          CorrespncExternalReference: order.reference ?? '',
          CreationDate: midnight(order.created),
          PurchaseOrderDate: midnight(order.created),
          LastChangeDateTime: order.changed,
        }
      },
    },
    world.patches,
  )
}

function itemSet(world: World, names: Names): EntitySet {
  const key = (slot: number) => ({
    PurchaseOrder: world.orders.numberAt(Math.floor(slot / ITEM_SLOTS)),
    PurchaseOrderItem: item(slot % ITEM_SLOTS),
  })
  const factors = names === V4 ? ' OrderItemQtyToBaseQtyNmrtr OrderItemQtyToBaseQtyDnmntr' : ''
  return objectSet(
    {
      name: names.item,
      type: names.type(names.item),
      keys: 'PurchaseOrder PurchaseOrderItem',
      fields:
        'PurchaseOrder PurchaseOrderItem PurchasingDocumentDeletionCode Material Plant ' +
        'StorageLocation PurchaseOrderItemText PurchaseOrderQuantityUnit OrderPriceUnit ' +
        'DocumentCurrency PurchasingInfoRecord AccountAssignmentCategory PurchaseOrderItemCategory ' +
        `MaterialGroup PurchaseRequisition PurchaseRequisitionItem PurchaseContract PurchaseContractItem${names === V4 ? ' BaseUnit RequirementTracking' : ''}` +
        `|Decimal: OrderQuantity NetPriceAmount NetPriceQuantity${factors}` +
        '|Boolean: IsCompletelyDelivered IsReturnsItem GoodsReceiptIsExpected IsFinallyInvoiced ' +
        'SupplierIsSubcontractor',
      size: () => world.orders.count() * ITEM_SLOTS,
      key,
      hasRow: (slot) => lineAt(world, slot) !== undefined,
      quick: {
        IsCompletelyDelivered: (slot) => lineAt(world, slot)?.isCompleted ?? false,
        PurchasingDocumentDeletionCode: (slot) => lineAt(world, slot)?.deletion ?? '',
      },
      build(slot) {
        const line = lineAt(world, slot)
        if (!line) return key(slot)
        const { created } = world.orders.at(Math.floor(slot / ITEM_SLOTS))
        return { ...key(slot), ...itemRow(line), NetPriceAmount: priceOf(world, line, created) }
      },
    },
    world.patches,
  )
}

function itemRow(line: OrderLine) {
  return {
    PurchasingDocumentDeletionCode: line.deletion,
    Material: line.sku,
    Plant: line.plant,
    StorageLocation: '101A',
    PurchaseOrderQuantityUnit: line.unit,
    OrderPriceUnit: line.unit,
    DocumentCurrency: 'EUR',
    AccountAssignmentCategory: line.account,
    PurchaseOrderItemCategory: '0',
    BaseUnit: line.baseUnit,
    OrderQuantity: decimal(line.quantity),
    NetPriceQuantity: '1',
    OrderItemQtyToBaseQtyNmrtr: String(line.factor),
    OrderItemQtyToBaseQtyDnmntr: '1',
    IsCompletelyDelivered: line.isCompleted,
    IsReturnsItem: line.isReturn,
    SupplierIsSubcontractor: false,
    GoodsReceiptIsExpected: true,
  }
}

/** The price of the main supplier's info record when the order was made. */
function priceOf(world: World, { sku }: OrderLine, created: number): string {
  const at = world.pairs.findSku(sku)
  if (at === undefined) return '0.000'
  return decimal(priceOn(world, at * INFO_SLOTS * INFO_ROWS, Math.floor(created / DAY_MS)))
}

function scheduleSet(world: World, names: Names): EntitySet {
  const [documentKey, itemKey] = names.scheduleKeys
  const lineOf = (slot: number) => Math.floor((slot % LINE_SLOTS) / SCHEDULE_LINES)
  const key = (slot: number) => ({
    [documentKey]: world.orders.numberAt(Math.floor(slot / LINE_SLOTS)),
    [itemKey]: item(lineOf(slot)),
    ScheduleLine: lineNumber(slot % SCHEDULE_LINES),
  })
  const open = names === V4 ? ' OpenPurchaseOrderQuantity' : ' ScheduleLineCommittedQuantity'
  return objectSet(
    {
      name: names.schedule,
      type: names.type(names.schedule),
      keys: `${documentKey} ${itemKey} ScheduleLine`,
      fields:
        `${documentKey} ${itemKey} ScheduleLine DelivDateCategory PurchaseOrderQuantityUnit` +
        `|Decimal: ScheduleLineOrderQuantity${open}` +
        `|${names.date}: ScheduleLineDeliveryDate SchedLineStscDeliveryDate`,
      notFilterable: ['OpenPurchaseOrderQuantity'],
      size: () => world.orders.count() * LINE_SLOTS,
      key,
      hasRow: (slot) => scheduleAt(world, slot) !== undefined,
      build(slot) {
        const schedule = scheduleAt(world, slot)
        if (!schedule) return key(slot)
        const line = world.orders.at(Math.floor(slot / LINE_SLOTS)).lines[lineOf(slot)]!
        return {
          ...key(slot),
          DelivDateCategory: '1',
          PurchaseOrderQuantityUnit: line.unit,
          ScheduleLineOrderQuantity: decimal(schedule.quantity),
          ScheduleLineCommittedQuantity: decimal(schedule.quantity),
          OpenPurchaseOrderQuantity: decimal(openBySchedule(line)[slot % SCHEDULE_LINES]!),
          ScheduleLineDeliveryDate: toMs(schedule.due),
          SchedLineStscDeliveryDate: toMs(schedule.due),
        }
      },
    },
    world.patches,
  )
}

function lineAt(world: World, slot: number): OrderLine | undefined {
  return world.orders.at(Math.floor(slot / ITEM_SLOTS)).lines[slot % ITEM_SLOTS]
}

function scheduleAt(world: World, slot: number) {
  const order = world.orders.at(Math.floor(slot / LINE_SLOTS))
  const line = order.lines[Math.floor((slot % LINE_SLOTS) / SCHEDULE_LINES)]
  return line?.schedule[slot % SCHEDULE_LINES]
}
