import type { RecordOf } from '../../records.ts'
import { toThreePlaces } from '../../rows/decimals.ts'
import { BadValue, codeOf, dayOf, mapAbout, numberOf, unitsOf } from '../../rows/values.ts'
import type { SalesItemRow, SalesScheduleLineRow } from '../entities.ts'
import { type Conversion, openInBase } from '../units.ts'

const ORDERED = 'ScheduleLineOrderQuantity'
const DELIVERED = 'DeliveredQtyInOrderQtyUnit'

/**
 * What is not delivered of an item, by the day on which the customer wants it. The ERP books deliveries on the lines
 * that it has confirmed, which may be others than those that were asked for: all deliveries of the item serve the
 * earliest line first.
 * @param conversion of the item's unit to the base unit; null where the ERP has none
 */
export const toCustomerOrders = (
  item: SalesItemRow,
  lines: readonly SalesScheduleLineRow[],
  conversion: Conversion | null,
): RecordOf<'customerOrders'>[] =>
  mapAbout(item.Material, item.ProductionPlant, () => customerOrders(item, lines, conversion))

function customerOrders(
  item: SalesItemRow,
  lines: readonly SalesScheduleLineRow[],
  conversion: Conversion | null,
): RecordOf<'customerOrders'>[] {
  let delivered = lines.reduce((sum, line) => sum + unitsOf(line[DELIVERED], DELIVERED), 0n)
  return lines
    .map((line) => ({
      line,
      ordered: unitsOf(line[ORDERED], ORDERED),
      due: dayOf(line.RequestedDeliveryDate, 'RequestedDeliveryDate'),
    }))
    .sort((a, b) => ((a.due ?? '') < (b.due ?? '') ? -1 : a.due === b.due ? 0 : 1))
    .flatMap(({ line, ordered, due }) => {
      const served = delivered < ordered ? delivered : ordered
      delivered -= served
      if (served === ordered) return []
      if (!conversion) {
        const rule = `${line.OrderQuantityUnit} has no conversion to the base unit`
        throw new BadValue('OrderQuantityUnit', rule, 'unit_conversion')
      }
      const open = toThreePlaces(openInBase(ordered - served, ordered, conversion))
      if (open === 0n) return []
      return [
        {
          document: codeOf(item.SalesOrder, 'SalesOrder'),
          line: codeOf(`${item.SalesOrderItem}/${line.ScheduleLine}`, 'ScheduleLine'),
          sku: codeOf(item.Material, 'Material'),
          location: codeOf(item.ProductionPlant, 'ProductionPlant'),
          quantity: numberOf(open, ORDERED),
          due,
        },
      ]
    })
}
