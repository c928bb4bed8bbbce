// Goods receipts of purchase orders, on their posting day, with what the order had promised.
import { addRecords } from '../../rows/pages.ts'
import { dayOrNull } from '../../rows/values.ts'
import type { DocumentPage, DocumentSource, Slice } from '../demand/documents.ts'
import {
  createdIn,
  documentsWith,
  goodsMovements,
  isCreatedIn,
  MATERIAL_DOCUMENTS,
  newestOf,
} from '../demand/goods-movements.ts'
import type { ReceivingDocumentRow, ScheduleLineRow } from '../entities.ts'
import type { System } from '../system.ts'
import { itemKey, readHeaders, readScheduleLines } from './lines.ts'
import { purchaseOrderVersion } from './open-orders.ts'
import { type DueDays, receiptsOf, toReceipt } from './to-receipt.ts'
import { SCHEDULE_LINES_V2 } from './v2.ts'
import { SCHEDULE_LINES_V4 } from './v4.ts'

const DOCUMENTS = documentsWith('PurchaseOrder', 'PurchaseOrderItem')

/** Documents of goods receipts for purchase orders. */
const RECEIVING = "InventoryTransactionType eq 'WE'"

export function goodsReceipts(system: System): DocumentSource<'receipts'> {
  return {
    reader: () => (slice, after, signal) => readDocuments(system, slice, after, signal),
    today: (signal) => goodsMovements(system).today(signal),
    count: (slice, signal) =>
      system.count({ ...MATERIAL_DOCUMENTS, filter: filterOf(slice) }, signal),
  }
}

const filterOf = (slice: Slice) => `${RECEIVING} and ${createdIn(slice)}`

type Receiving = ReturnType<typeof receivingOf>

function receivingOf(document: ReceivingDocumentRow) {
  const { MaterialDocumentYear, MaterialDocument, CreationDate } = document
  return { MaterialDocumentYear, MaterialDocument, CreationDate, lines: receiptsOf(document) }
}

async function* readDocuments(
  system: System,
  slice: Slice,
  after: readonly string[] | null,
  signal: AbortSignal,
): AsyncGenerator<DocumentPage<'receipts'>> {
  const version = await purchaseOrderVersion(system, signal)
  const query = {
    ...DOCUMENTS,
    filter: filterOf(slice),
    top: system.options.document_page_size,
  }
  const from = { after, owns: isCreatedIn(slice), keep: receivingOf }
  for await (const { rows, last } of system.pages<Receiving>(query, from, signal)) {
    const page: DocumentPage<'receipts'> = {
      ...{ records: [], quarantined: [], after: last, documents: rows.length },
      newest: newestOf(rows),
    }
    const receipts = rows.flatMap(({ lines }) => lines)
    const orders = new Set(receipts.map(({ item }) => item.PurchaseOrder))
    const [headers, dueDays] = await Promise.all([
      readHeaders(system, version, orders, signal),
      readDueDays(system, version, orders, signal),
    ])
    addRecords(
      page,
      receipts,
      (receipt) => toReceipt(receipt, headers.get(receipt.item.PurchaseOrder), dueDays),
      ({ id }) => `A_MaterialDocumentItem(${id})`,
    )
    yield page
  }
}

async function readDueDays(
  system: System,
  version: 'v2' | 'v4',
  orders: Iterable<string>,
  signal: AbortSignal,
): Promise<DueDays> {
  const query = version === 'v2' ? SCHEDULE_LINES_V2 : SCHEDULE_LINES_V4
  const lines = await readScheduleLines<ScheduleLineRow>(system, query, orders, signal)
  return (order, item) => dueDayOf(lines.get(itemKey(order, item)) ?? [])
}

/** The day on which half of the item's quantity is due. */
function dueDayOf(lines: readonly ScheduleLineRow[]): string | null {
  const due = lines
    .map((line) => ({
      day: dayOrNull(line.ScheduleLineDeliveryDate),
      quantity: Number(line.ScheduleLineOrderQuantity) || 0,
    }))
    .filter((line): line is { day: string; quantity: number } => line.day !== null)
    .sort((a, b) => (a.day < b.day ? -1 : 1))
  const half = due.reduce((sum, { quantity }) => sum + quantity, 0) / 2
  let sum = 0
  return due.find(({ quantity }) => (sum += quantity) >= half)?.day ?? null
}
