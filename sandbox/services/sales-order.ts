// API_SALES_ORDER_SRV
import { objectSet } from '../odata/object-set.ts'
import { toMs } from '../world/days.ts'
import { decimal } from '../world/decimal.ts'
import { isAlive } from '../world/revisions.ts'
import { SALES_ITEMS, SALES_LINES, type SalesItem } from '../world/sales-orders.ts'
import type { EntitySet } from '../odata/set.ts'
import type { World } from '../world/world.ts'

const itemNumber = (item: number) => String((item + 1) * 10)

export const salesOrders = (world: World): EntitySet[] => [
  headerSet(world),
  itemSet(world),
  scheduleSet(world),
]

function headerSet({ salesOrders: orders, patches }: World): EntitySet {
  return objectSet(
    {
      name: 'A_SalesOrder',
      keys: 'SalesOrder',
      fields:
        'SalesOrder SalesOrderType SalesOrganization SoldToParty OverallDeliveryStatus ' +
        'DeliveryBlockReason|DateTime: CreationDate SalesOrderDate RequestedDeliveryDate' +
        '|DateTimeOffset: LastChangeDateTime',
      size: () => orders.count(),
      key: (slot) => ({ SalesOrder: orders.at(slot).number }),
      build(slot) {
        const { number, created } = orders.at(slot)
        return {
          SalesOrder: number,
          SalesOrderType: 'OR',
          SalesOrganization: '1010',
          CreationDate: toMs(created),
          SalesOrderDate: toMs(created),
          LastChangeDateTime: toMs(created),
        }
      },
    },
    patches,
  )
}

function itemSet(world: World): EntitySet {
  const { salesOrders: orders, pairs, patches } = world
  const key = (slot: number) => ({
    SalesOrder: orders.at(Math.floor(slot / SALES_ITEMS)).number,
    SalesOrderItem: itemNumber(slot % SALES_ITEMS),
  })
  return objectSet(
    {
      name: 'A_SalesOrderItem',
      keys: 'SalesOrder SalesOrderItem',
      fields:
        'SalesOrder SalesOrderItem SalesOrderItemCategory Material ProductionPlant ' +
        'RequestedQuantityUnit OrderQuantityUnit SalesDocumentRjcnReason DeliveryStatus' +
        '|Decimal: RequestedQuantity',
      size: () => orders.count() * SALES_ITEMS,
      key,
      quick: {
        SalesDocumentRjcnReason: (slot) => itemAt(world, slot).rejection,
        DeliveryStatus: (slot) => itemAt(world, slot).status,
      },
      hasRow: (slot) => isAlive(world, pairs.skuOf(itemAt(world, slot).pair)),
      build(slot) {
        const of = itemAt(world, slot)
        const asked = of.lines.reduce((sum, { quantity }) => sum + quantity, 0)
        return {
          ...key(slot),
          SalesOrderItemCategory: 'TAN',
          Material: pairs.codes[pairs.skuOf(of.pair)]!,
          ProductionPlant: pairs.plantCodes[pairs.plantOf(of.pair)]!,
          RequestedQuantity: decimal(asked),
          RequestedQuantityUnit: of.unit,
          OrderQuantityUnit: of.unit,
          SalesDocumentRjcnReason: of.rejection,
          DeliveryStatus: of.status,
        }
      },
    },
    patches,
  )
}

function scheduleSet(world: World): EntitySet {
  const lineAt = (slot: number) => {
    const of = itemAt(world, Math.floor(slot / SALES_LINES))
    return { of, line: of.lines[slot % SALES_LINES] }
  }
  const key = (slot: number) => ({
    SalesOrder: world.salesOrders.at(Math.floor(slot / SALES_LINES / SALES_ITEMS)).number,
    SalesOrderItem: itemNumber(Math.floor(slot / SALES_LINES) % SALES_ITEMS),
    ScheduleLine: String((slot % SALES_LINES) + 1),
  })
  return objectSet(
    {
      name: 'A_SalesOrderScheduleLine',
      keys: 'SalesOrder SalesOrderItem ScheduleLine',
      fields:
        'SalesOrder SalesOrderItem ScheduleLine OrderQuantityUnit DelivBlockReasonForSchedLine' +
        '|Decimal: ScheduleLineOrderQuantity ConfdOrderQtyByMatlAvailCheck ' +
        'DeliveredQtyInOrderQtyUnit OpenConfdDelivQtyInOrdQtyUnit' +
        '|DateTime: RequestedDeliveryDate ConfirmedDeliveryDate',
      size: () => world.salesOrders.count() * SALES_ITEMS * SALES_LINES,
      key,
      hasRow: (slot) => {
        const { line, of } = lineAt(slot)
        return line !== undefined && isAlive(world, world.pairs.skuOf(of.pair))
      },
      build(slot) {
        const { of, line } = lineAt(slot)
        if (!line) return key(slot)
        return {
          ...key(slot),
          OrderQuantityUnit: of.unit,
          ScheduleLineOrderQuantity: decimal(line.quantity),
          DeliveredQtyInOrderQtyUnit: decimal(line.delivered),
          RequestedDeliveryDate: toMs(line.requested),
          ConfirmedDeliveryDate: toMs(line.confirmed),
        }
      },
    },
    world.patches,
  )
}

function itemAt({ salesOrders: orders }: World, slot: number): SalesItem {
  return orders.itemOf(orders.at(Math.floor(slot / SALES_ITEMS)), slot % SALES_ITEMS)
}
