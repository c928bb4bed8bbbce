// Goods receipts of purchase orders, on their posting day, with what the order had promised.
import { memoize } from '../../rows/memoize.ts'
import { addRecords } from '../../rows/pages.ts'
import type { DocumentPage, DocumentSource, Slice } from '../demand/documents.ts'
import {
  createdIn,
  documentsWith,
  goodsMovements,
  isCreatedIn,
  MATERIAL_DOCUMENTS,
  newestOf,
} from '../demand/goods-movements.ts'
import type { ReceivingDocumentRow } from '../entities.ts'
import type { System } from '../system.ts'
import { purchaseOrderVersion, type Version } from './open-orders.ts'
import { promisesByName, promisesInStretches, type ReadPromises } from './promises.ts'
import { receiptsOf, toReceipt } from './to-receipt.ts'

const DOCUMENTS = documentsWith('PurchaseOrder', 'PurchaseOrderItem')

/** Documents of goods receipts for purchase orders. */
const RECEIVING = "InventoryTransactionType eq 'WE'"

export function goodsReceipts(system: System): DocumentSource<'receipts'> {
  // All slices of days share what has been read of the orders.
  const inStretches = memoize((version: Version) => promisesInStretches(system, version))
  const byName = (version: Version) => promisesByName(system, version)
  return {
    reader: (isWhole) => (slice, after, signal) =>
      readDocuments(system, isWhole ? inStretches : byName, slice, after, signal),
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
    const page: DocumentPage<'receipts'> = {
      ...{ records: [], quarantined: [], after: last, documents: rows.length },
      newest: newestOf(rows),
    }
    const receipts = rows.flatMap(({ lines }) => lines)
    const orders = new Set(receipts.map(({ item }) => item.PurchaseOrder))
    const { headers, dueDays } = await readPromises(orders, signal)
    addRecords(
      page,
      receipts,
      (receipt) => toReceipt(receipt, headers.get(receipt.item.PurchaseOrder), dueDays),
      ({ id }) => `A_MaterialDocumentItem(${id})`,
    )
    yield page
  }
}
