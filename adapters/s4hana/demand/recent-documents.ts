// The material documents of the last days. Of a later read several streams need them: they are read once and held.
import { isUnreadable } from '../../errors.ts'
import { addDays, dayText, earlier, later } from '../../rows/days.ts'
import { dayOrNull } from '../../rows/values.ts'
import { readsReceipts } from '../auth.ts'
import type { MaterialDocumentItemRow, ReceivingDocumentItemRow } from '../entities.ts'
import type { System } from '../system.ts'
import { createdIn, documentsWith, MATERIAL_DOCUMENTS } from './material-documents.ts'
import { packLines, unpackLines } from '../../rows/packed.ts'

export type RecentLine = MaterialDocumentItemRow &
  Pick<ReceivingDocumentItemRow, 'PurchaseOrder' | 'PurchaseOrderItem'>

export interface RecentDocument {
  MaterialDocumentYear: string
  MaterialDocument: string
  PostingDate: string | null
  CreationDate: string | null
  InventoryTransactionType: string | null
  to_MaterialDocumentItem: RecentLine[]
}

type WireLines = { results: RecentLine[] } | RecentLine[]
type WireDocument = Omit<RecentDocument, 'to_MaterialDocumentItem'> & {
  to_MaterialDocumentItem: WireLines
}

const LINE_FIELDS = [
  ...['IsAutomaticallyCreated', 'ReversedMaterialDocumentYear', 'ReversedMaterialDocument'],
  ...['ReversedMaterialDocumentItem', 'PurchaseOrder', 'PurchaseOrderItem'],
]
const { select, ...DOCUMENTS } = documentsWith(...LINE_FIELDS)
const ALL = { ...DOCUMENTS, select: [...select, 'InventoryTransactionType'] }

/** Most documents of a day that are held; a day of more is read by each stream on its own. */
const MOST_DOCUMENTS = 30_000
/** Most days that are held. */
const MOST_DAYS = 6

/** The documents that were created on a day; null where there are too many of them. */
export const documentsOfDay = (system: System, day: string, signal: AbortSignal) =>
  system.once.shared(`documents of ${day}`, (own) => readDay(system, day, own), signal)

async function readDay(
  system: System,
  day: string,
  signal: AbortSignal,
): Promise<RecentDocument[] | null> {
  const filter = createdIn({ from: day, to: day })
  const query = { ...ALL, filter, top: system.options.document_page_size }
  const documents: RecentDocument[] = []
  for await (const page of system.pages<RecentDocument>(query, { keep }, signal)) {
    if ((page.total ?? 0) > MOST_DOCUMENTS) return null
    documents.push(...page.rows)
  }
  return documents
}

function keep({ to_MaterialDocumentItem: found, ...document }: WireDocument): RecentDocument {
  const lines = Array.isArray(found) ? found : (found?.results ?? [])
  return {
    MaterialDocumentYear: document.MaterialDocumentYear,
    MaterialDocument: document.MaterialDocument,
    PostingDate: document.PostingDate,
    CreationDate: document.CreationDate,
    InventoryTransactionType: document.InventoryTransactionType,
    to_MaterialDocumentItem: lines.map(
      ({ __metadata, ...line }: RecentLine & { __metadata?: unknown }) => line,
    ),
  }
}

/** The documents that were created from a day on; null where that is long ago, or there are too many. */
export async function recentDocuments(
  system: System,
  from: string,
  signal: AbortSignal,
): Promise<RecentDocument[] | null> {
  const { last } = await lastDay(system, signal)
  const days: string[] = []
  for (let day = from; day <= last; day = addDays(day, 1)) days.push(day)
  if (days.length > MOST_DAYS) return null
  const found = await Promise.all(days.map((day) => documentsOfDay(system, day, signal)))
  return found.includes(null) ? null : found.flatMap((each) => each ?? [])
}

/** What a stream has taken from documents so far. */
export interface TakenDocuments {
  /** Documents created from this day on have to be looked at … */
  from: string
  /** … but for these, packed. */
  taken: string
}

const nameOf = ({ MaterialDocumentYear, MaterialDocument }: DocumentKey) =>
  `${MaterialDocumentYear}/${MaterialDocument}`

type DocumentKey = Pick<RecentDocument, 'MaterialDocumentYear' | 'MaterialDocument'>
type Dated = DocumentKey & Pick<RecentDocument, 'CreationDate'>

const KEYS = { ...MATERIAL_DOCUMENTS, select: [...MATERIAL_DOCUMENTS.key, 'CreationDate'] }

/** The ERP's day by its web server, and the last one on which documents may have been created by its other clocks. */
async function lastDay(
  system: System,
  signal: AbortSignal,
): Promise<{ today: string; last: string }> {
  const read = async (own: AbortSignal) => (await system.probe(MATERIAL_DOCUMENTS, own)).getTime()
  const today = dayText(await system.once.shared('today', read, signal))
  const ours = dayText(Date.now())
  return { today, last: addDays(ours <= addDays(today, 2) ? later(today, ours) : today, 1) }
}

/**
 * The documents that were created since, and what is taken after them.
 * @returns null where too many days have passed, or where documents cannot be read
 */
export async function newDocuments(
  system: System,
  before: TakenDocuments | null | undefined,
  signal: AbortSignal,
): Promise<{ documents: RecentDocument[]; next: TakenDocuments } | null> {
  const taken = before && unpackLines(before.taken)
  if (!taken || !readsReceipts(system.options)) return null
  try {
    const documents = await recentDocuments(system, before.from, signal)
    if (!documents) return null
    const { today } = await lastDay(system, signal)
    const known = new Set(taken)
    return {
      documents: documents.filter((document) => !known.has(nameOf(document))),
      next: takenOf(documents, today, before.from),
    }
  } catch (error) {
    if (!isUnreadable(error)) throw error
    return null
  }
}

/** What a whole read has taken: the documents of the last days, since it looks at no document. It must be called first. */
export async function allTaken(
  system: System,
  signal: AbortSignal,
): Promise<TakenDocuments | null> {
  if (!readsReceipts(system.options)) return null
  try {
    const { today } = await lastDay(system, signal)
    const filter = createdIn({ from: addDays(today, -LOOK_BACK_DAYS), to: addDays(today, 2) })
    const read = (own: AbortSignal) => system.all<Dated>({ ...KEYS, filter }, own)
    const documents = await system.once.shared('documents so far', read, signal)
    return takenOf(documents, today, addDays(today, -LOOK_BACK_DAYS))
  } catch (error) {
    if (!isUnreadable(error)) throw error
    return null
  }
}

/** Days that are certain to hold a document, but for companies that rest. */
const LOOK_BACK_DAYS = 4

/** A day earlier than the newest document: clocks differ, and what is saved late has an earlier day. */
function takenOf(documents: readonly Dated[], today: string, from: string): TakenDocuments {
  const days = documents.map(({ CreationDate }) => dayOrNull(CreationDate))
  const newest = days.reduce((latest, day) => (day && day > (latest ?? '') ? day : latest), null)
  const next = newest === null ? from : later(addDays(earlier(today, newest), -1), from)
  const known = documents.filter((_document, at) => (days[at] ?? next) >= next)
  return { from: next, taken: packLines(known.map(nameOf).sort()) }
}
