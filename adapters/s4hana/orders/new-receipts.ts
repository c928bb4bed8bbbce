// The purchase orders that goods have come of lately. Items of documents have no day, so the documents of the days are
// asked for their numbers first; ranges of those are then asked for receipts.
import { DISTANCE } from '../../odata/keys.ts'
import { dayLiteral, textLiteral } from '../../odata/query.ts'
import { withFilter } from '../../odata/reader.ts'
import { LOOK_BACK_DAYS } from '../changes.ts'
import { addDays, dayText } from '../../rows/days.ts'
import { MATERIAL_DOCUMENTS, newestOf } from '../demand/material-documents.ts'
import { type RecentDocument, recentDocuments } from '../demand/recent-documents.ts'
import type { MaterialDocumentRow, ReceiptRow } from '../entities.ts'
import type { System } from '../system.ts'
import { RECEIPTS, SIGNS } from './receipts.ts'

const DOCUMENTS = { ...MATERIAL_DOCUMENTS, select: [...MATERIAL_DOCUMENTS.key, 'CreationDate'] }

type Document = Pick<
  MaterialDocumentRow,
  'MaterialDocumentYear' | 'MaterialDocument' | 'CreationDate'
>

const readDocuments = (system: System, day: string, signal: AbortSignal) =>
  system.all<Document>(withFilter(DOCUMENTS, `CreationDate ge ${dayLiteral(day)}`), signal)

/** The orders, and the newest day on which a document was created; null without documents. */
export async function readReceivingOrders(
  system: System,
  day: string,
  signal: AbortSignal,
): Promise<{ orders: Set<string>; newest: string | null }> {
  const recent = await recentDocuments(system, day, signal)
  if (recent) return { orders: receivedOrders(recent), newest: newestOf(recent) }
  const documents = await readDocuments(system, day, signal)
  const years = Map.groupBy(documents, ({ MaterialDocumentYear }) => MaterialDocumentYear)
  const rows = await Promise.all(
    [...years].map(([year, those]) => {
      const query = withFilter(RECEIPTS, `MaterialDocumentYear eq ${textLiteral(year)}`)
      const numbers = those.map(({ MaterialDocument }) => MaterialDocument)
      const { gaps } = DISTANCE
      return system.allOf<ReceiptRow>(query, 'MaterialDocument', numbers, signal, gaps)
    }),
  )
  const orders = new Set(rows.flat().map(({ PurchaseOrder }) => PurchaseOrder))
  return { orders, newest: newestOf(documents) }
}

const receivedOrders = (documents: readonly RecentDocument[]) =>
  new Set(
    documents
      .flatMap((document) => document.to_MaterialDocumentItem)
      .filter(({ GoodsMovementType }) => GoodsMovementType in SIGNS)
      .map(({ PurchaseOrder }) => PurchaseOrder),
  )

/** The newest day on which a document was created; null if that is long ago. */
export async function newestDocument(
  system: System,
  began: number,
  signal: AbortSignal,
): Promise<string | null> {
  for (const days of [1, LOOK_BACK_DAYS]) {
    const newest = newestOf(await readDocuments(system, addDays(dayText(began), -days), signal))
    if (newest !== null) return newest
  }
  return null
}
