// What customers have ordered and not received: sales orders.
import { Fatal } from '../../errors.ts'
import { problemOf } from '../../rows/bad-value.ts'
import { toQuarantinedRow } from '../../rows/quarantine.ts'
import type { SnapshotPage } from '../../rows/snapshot.ts'
import type { SalesItemRow, SalesScheduleLineRow } from '../entities.ts'
import { itemKey } from '../open-orders/items.ts'
import { readScheduleLines } from '../open-orders/schedule.ts'
import { SALES_ORDER } from '../services.ts'
import type { System } from '../system.ts'
import { toCustomerOrders } from '../to-customer-order.ts'
import { readConversions } from '../units.ts'

export const SALES_ITEMS = {
  service: SALES_ORDER,
  set: 'A_SalesOrderItem',
  key: ['SalesOrder', 'SalesOrderItem'],
  select: [
    'SalesOrder',
    'SalesOrderItem',
    'Material',
    'ProductionPlant',
    'SalesDocumentRjcnReason',
    'DeliveryStatus',
  ],
  // C: delivered; blank: nothing is to be delivered.
  filter: "SalesDocumentRjcnReason eq '' and DeliveryStatus ne 'C' and DeliveryStatus ne ''",
}

const SCHEDULE_LINES = {
  service: SALES_ORDER,
  set: 'A_SalesOrderScheduleLine',
  key: ['SalesOrder', 'SalesOrderItem', 'ScheduleLine'],
  select: [
    'SalesOrder',
    'SalesOrderItem',
    'ScheduleLine',
    'RequestedDeliveryDate',
    'OrderQuantityUnit',
    'ScheduleLineOrderQuantity',
    'DeliveredQtyInOrderQtyUnit',
  ],
}

type Batch = SnapshotPage<'customerOrders'>

/** @throws Fatal that says what is not known without sales orders */
export async function* readCustomerOrders(
  system: System,
  signal: AbortSignal,
): AsyncGenerator<Batch> {
  let [done, total]: [number, number | null] = [0, null]
  try {
    for await (const page of system.pages<SalesItemRow>(SALES_ITEMS, {}, signal)) {
      done += page.rows.length
      total ??= page.total
      const batch: Batch = { records: [], quarantined: [], done, total }
      await addItems(system, page.rows.filter(isOpen), batch, signal)
      yield batch
    }
  } catch (error) {
    throw withMeaning(error)
  }
}

const isOpen = (row: SalesItemRow): boolean =>
  !row.SalesDocumentRjcnReason &&
  Boolean(row.DeliveryStatus && row.DeliveryStatus !== 'C') &&
  Boolean(row.Material && row.ProductionPlant)

async function addItems(system: System, items: SalesItemRow[], batch: Batch, signal: AbortSignal) {
  const orders = items.map(({ SalesOrder }) => SalesOrder)
  const lines = await readScheduleLines<SalesScheduleLineRow>(
    system,
    SCHEDULE_LINES,
    orders,
    signal,
  )
  const linesOf = ({ SalesOrder, SalesOrderItem }: SalesItemRow) =>
    lines.get(itemKey(SalesOrder, SalesOrderItem)) ?? []
  /** The lines of an item have one unit. */
  const unitOf = (item: SalesItemRow) => ({
    sku: item.Material ?? '',
    unit: linesOf(item)[0]?.OrderQuantityUnit ?? '',
  })
  const conversions = await readConversions(system, items.map(unitOf), signal)
  for (const item of items) {
    try {
      batch.records.push(...toCustomerOrders(item, linesOf(item), conversions(unitOf(item))))
    } catch (error) {
      const place = `${SALES_ITEMS.set}(${itemKey(item.SalesOrder, item.SalesOrderItem)})`
      const row = { ...item, lines: linesOf(item) }
      batch.quarantined.push(toQuarantinedRow(place, row, problemOf(error)))
    }
  }
}

function withMeaning(error: unknown): unknown {
  if (!(error instanceof Fatal) || !['forbidden', 'not_found'].includes(error.code)) return error
  const meaning =
    'Proposals do not know what customers have ordered: backorders and large orders are missing ' +
    'in them. Grant the service, or set the option sales_orders=false.'
  return new Fatal(error.code, `${error.message} ${meaning}`, error.target)
}
