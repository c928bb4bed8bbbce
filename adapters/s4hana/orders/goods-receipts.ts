// Goods receipts of purchase orders, on their posting day, with what the order had promised.
import { memoize } from '../../rows/memoize.ts'
import { addDays } from '../../rows/days.ts'
import { addRecords, type Batch } from '../../rows/pages.ts'
import type { DocumentPage, DocumentSource, Slice } from '../demand/documents.ts'
import { goodsMovements } from '../demand/goods-movements.ts'
import {
  createdIn,
  documentsWith,
  isCreatedIn,
  MATERIAL_DOCUMENTS,
  newestOf,
} from '../demand/material-documents.ts'
import { documentsOfDay } from '../demand/recent-documents.ts'
import type { ReceivingDocumentRow } from '../entities.ts'
import type { System } from '../system.ts'
import { purchaseOrderVersion, type Version } from './open-orders.ts'
import { promisesByName, promisesInStretches, type ReadPromises } from './promises.ts'
import { type DocumentLine, receiptsOf, toReceipt } from './to-receipt.ts'

const DOCUMENTS = documentsWith('PurchaseOrder', 'PurchaseOrderItem')

/** Documents of goods receipts for purchase orders. */
const RECEIVING_TYPE = 'WE'
const RECEIVING = `InventoryTransactionType eq '${RECEIVING_TYPE}'`

export function goodsReceipts(system: System): DocumentSource<'receipts'> {
  // All slices of days share what has been read of the orders.
  const inStretches = memoize((version: Version) => promisesInStretches(system, version))
  return {
    reader: (isWhole) => (slice, after, signal) =>
      isWhole
        ? readDocuments(system, inStretches, slice, after, signal)
        : readRecent(system, slice, signal),
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
  promisesOf: (version: Version) => ReadPromises,
  slice: Slice,
  after: readonly string[] | null,
  signal: AbortSignal,
): AsyncGenerator<DocumentPage<'receipts'>> {
  const readPromises = promisesOf(await purchaseOrderVersion(system, signal))
  const query = {
    ...DOCUMENTS,
    filter: filterOf(slice),
    top: system.options.document_page_size,
  }
  const from = { after, owns: isCreatedIn(slice), keep: receivingOf }
  for await (const { rows, last } of system.pages<Receiving>(query, from, signal)) {
    const receipts = rows.flatMap(({ lines }) => lines)
    const batch = await compose(receipts, readPromises, signal)
    yield { ...batch, after: last, documents: rows.length, newest: newestOf(rows) }
  }
}

/** Of new documents, which other streams want too. */
async function* readRecent(
  system: System,
  { from, to }: Slice,
  signal: AbortSignal,
): AsyncGenerator<DocumentPage<'receipts'>> {
  const byName = (version: Version) => promisesByName(system, version)
  for (let day = from; day <= to; day = addDays(day, 1)) {
    const documents = await documentsOfDay(system, day, signal)
    if (documents) {
      const receiving = documents.filter(
        ({ InventoryTransactionType: type }) => type === RECEIVING_TYPE,
      )
      const readPromises = byName(await purchaseOrderVersion(system, signal))
      const batch = await compose(receiving.flatMap(receiptsOf), readPromises, signal)
      yield { ...batch, after: null, documents: receiving.length, newest: newestOf(documents) }
    } else yield* readDocuments(system, byName, { from: day, to: day }, null, signal)
  }
}

async function compose(
  receipts: DocumentLine[],
  readPromises: ReadPromises,
  signal: AbortSignal,
): Promise<Batch<'receipts'>> {
  const batch: Batch<'receipts'> = { records: [], quarantined: [] }
  const orders = new Set(receipts.map(({ item }) => item.PurchaseOrder))
  const { headers, dueDays } = await readPromises(orders, signal)
  addRecords(
    batch,
    receipts,
    (receipt) => toReceipt(receipt, headers.get(receipt.item.PurchaseOrder), dueDays),
    ({ id }) => `A_MaterialDocumentItem(${id})`,
  )
  return batch
}
