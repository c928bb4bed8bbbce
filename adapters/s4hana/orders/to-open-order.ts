import type { RecordOf } from '../../records.ts'
import { type Exact, toThreePlaces } from '../../rows/decimals.ts'
import type { OrderItemRow, ScheduleLineRow } from '../entities.ts'
import type { ShareOf } from './confirmations.ts'
import type { OrderHeader } from './lines.ts'
import {
  BadValue,
  codeOf,
  codeOrNull,
  dayOf,
  ifGood,
  mapAbout,
  numberOf,
} from '../../rows/values.ts'
import { type Conversion, priceOf } from '../units.ts'

/**
 * The open quantity of a schedule line, rounded to three places; null where nothing is open.
 * @param open open quantity in base units; null where the order unit has no conversion
 * @param header what holds for the whole order
 */
export const toOpenOrder = (
  item: OrderItemRow,
  line: ScheduleLineRow,
  open: Exact | null,
  header?: OrderHeader,
  more: OfItem = {},
): RecordOf<'openOrders'> | null =>
  mapAbout(item.Material, item.Plant, () => openOrder(item, line, open, header, more))

interface OfItem {
  /** Of the order unit. */
  conversion?: Conversion | null
  /** What the supplier has confirmed. */
  confirmed?: ShareOf | undefined
}

/** Whether a tracking number is ours. */
export const isOurs = (tracking: string | null | undefined): boolean =>
  /^(prop|ho)_\d+$/.test(tracking ?? '')

/** A tracking number of ours, as a requisition had it, says more than the reference of the whole order. */
function referenceOf({ RequirementTracking: tracking }: OrderItemRow, header?: OrderHeader) {
  if (tracking && isOurs(tracking)) return tracking
  return codeOrNull(header?.reference, 'CorrespncExternalReference')
}

function openOrder(
  item: OrderItemRow,
  line: ScheduleLineRow,
  open: Exact | null,
  header: OrderHeader | undefined,
  { conversion = null, confirmed }: OfItem,
): RecordOf<'openOrders'> | null {
  if (open === null) {
    const rule = `${item.PurchaseOrderQuantityUnit} has no conversion to the base unit`
    throw new BadValue('PurchaseOrderQuantityUnit', rule, 'unit_conversion')
  }
  if (open <= 0n) return null
  const quantity = numberOf(toThreePlaces(open), 'ScheduleLineOrderQuantity')
  if (quantity === 0) return null
  return {
    document: codeOf(item.PurchaseOrder, 'PurchaseOrder'),
    line: codeOf(`${item.PurchaseOrderItem}/${line.ScheduleLine}`, 'ScheduleLine'),
    sku: codeOf(item.Material, 'Material'),
    location: codeOf(item.Plant, 'Plant'),
    quantity,
    due: dayOf(line.ScheduleLineDeliveryDate, 'ScheduleLineDeliveryDate'),
    reference: referenceOf(item, header),
    supplier: codeOrNull(header?.supplier, 'Supplier'),
    orderedOn: header?.orderedOn ?? null,
    ...priceOf(
      item.NetPriceAmount,
      item.NetPriceQuantity,
      item.DocumentCurrency,
      // A price for another unit than the order's is left out.
      item.OrderPriceUnit === item.PurchaseOrderQuantityUnit ? conversion : null,
    ),
    ...draftOf(item),
    ...ifGood(() => confirmed?.(open) ?? {}),
  }
}

/** The requisition that it was made of. */
const draftOf = ({ PurchaseRequisition: document, PurchaseRequisitionItem: line }: OrderItemRow) =>
  document && { draft: `${document}/${line ?? ''}` }
