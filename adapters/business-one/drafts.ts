// What nobody has ordered yet: purchase requests, purchase quotations, purchase orders that are kept as drafts, and blanket
// agreements.
import type { KeysetQuery } from '../odata/keyset.ts'
import type { RecordOf } from '../records.ts'
import { type List as Listed, readLists, type Stored } from '../rows/lists.ts'
import { addRecord, type Known, pagesOf, type SnapshotPage } from '../rows/pages.ts'
import { codeOf, codeOrNull, dayOf, mapAbout, numberOf, roundedOf } from '../rows/values.ts'
import { AGREEMENTS, nameOfAgreement, readContracts } from './contracts.ts'
import type { DocumentLine, DraftDocumentRow } from './entities.ts'
import { documents, type System } from './system.ts'
import { isOpen, OPEN_DOCUMENTS, referenceOf } from './values.ts'
import { stockLines } from './warehouses.ts'

const FIELDS = ['DocDate', 'DocumentLines']
const OF_SUPPLIER = [...FIELDS, 'CardCode', 'NumAtCard']

interface List {
  query: KeysetQuery
  kind: 'requisition' | 'rfq'
}

/** Object type of purchase requests: what is made of them has it as base. */
const REQUEST = 1470000113
/** … and that of purchase quotations. */
const QUOTATION = 540000006

/** In the order in which one becomes another: what is read twice meanwhile has a base that tells. */
const LISTS: List[] = [
  { query: documents('PurchaseRequests', FIELDS, OPEN_DOCUMENTS), kind: 'requisition' },
  { query: documents('PurchaseQuotations', OF_SUPPLIER, OPEN_DOCUMENTS), kind: 'rfq' },
  {
    query: documents(
      'Drafts',
      [...OF_SUPPLIER, 'DocObjectCode'],
      `DocObjectCode eq 'oPurchaseOrders' and ${OPEN_DOCUMENTS}`,
    ),
    kind: 'rfq',
  },
]

export const DRAFT_QUERIES: KeysetQuery[] = [...LISTS.map(({ query }) => query), AGREEMENTS]

const SETS: Record<number, string> = {
  [REQUEST]: 'PurchaseRequests',
  [QUOTATION]: 'PurchaseQuotations',
}

/** Numbers that people know are given again for each kind of document, and so are no name of a draft. */
const nameOf = (set: string, entry: number) => `${set}(${entry})`

/** The draft that a line of an order was made of, or else the agreement that it calls off from, as `name/line`. */
export function draftOf(line: DocumentLine): { draft?: string } {
  const { BaseType, BaseEntry, BaseLine, AgreementNo, AgreementRowNumber } = line
  const set = SETS[BaseType ?? 0]
  if (set && typeof BaseEntry === 'number')
    return { draft: `${nameOf(set, BaseEntry)}/${BaseLine ?? 0}` }
  return AgreementNo ? { draft: `${nameOfAgreement(AgreementNo)}/${AgreementRowNumber ?? 0}` } : {}
}

/** @throws Fatal where none of the lists may be read, or one that was read before is refused */
export async function* readDrafts(
  system: System,
  signal: AbortSignal,
  known: Known,
): AsyncGenerator<SnapshotPage<'drafts'>> {
  let knowsRequests = false
  const documentLists = LISTS.map(({ query, kind }): Listed<'drafts'> => ({
    isAmong: named(query.set),
    async *read() {
      const found = system.pages<DraftDocumentRow>(query, null, signal)
      const isStock = await stockLines(system, signal)
      // What was made of a purchase request is counted as that.
      const isDraft = (line: DocumentLine) =>
        isStock(line) && !(knowsRequests && line.BaseType === REQUEST)
      yield* pagesOf<'drafts', DraftDocumentRow>(found, (page, rows) =>
        addDocuments(page, query.set, kind, rows, isDraft),
      )
      knowsRequests ||= kind === 'requisition'
    },
  }))
  const contracts: Listed<'drafts'> = {
    isAmong: named(AGREEMENTS.set),
    read: () => readContracts(system, signal),
  }
  yield* readLists([...documentLists, contracts], known)
}

const named =
  (set: string) =>
  (stored: readonly Stored[]): boolean =>
    stored.some(({ document }) => String(document).startsWith(`${set}(`))

function addDocuments(
  page: SnapshotPage<'drafts'>,
  set: string,
  kind: List['kind'],
  rows: readonly DraftDocumentRow[],
  isDraft: (line: DocumentLine) => boolean,
): void {
  for (const document of rows) {
    if (set === 'Drafts' && document.DocObjectCode !== 'oPurchaseOrders') continue
    const lines = document.DocumentLines.filter((line) => isOpen(line.LineStatus) && isDraft(line))
    const name = nameOf(set, document.DocEntry)
    for (const line of lines)
      addRecord(
        page,
        line,
        () => toDraft(document, name, kind, line),
        () => `${name}/${line.LineNum}`,
      )
  }
}

const ALL = 'InventoryQuantity'
const LEFT = 'RemainingOpenInventoryQuantity'

/** Null where nothing of it is left. */
const toDraft = (
  document: DraftDocumentRow,
  name: string,
  kind: List['kind'],
  line: DocumentLine,
): RecordOf<'drafts'> | null =>
  mapAbout(line.ItemCode, line.WarehouseCode, () => {
    const all = roundedOf(line[ALL], ALL)
    const left = line[LEFT] === undefined || line[LEFT] === null ? all : roundedOf(line[LEFT], LEFT)
    if (left <= 0n) return null
    const ordered = all > left ? all - left : 0n
    const supplier = document.CardCode || line.LineVendor
    return {
      document: name,
      line: String(line.LineNum),
      kind,
      sku: codeOf(line.ItemCode, 'ItemCode'),
      location: codeOf(line.WarehouseCode, 'WarehouseCode'),
      quantity: numberOf(left + ordered, ALL),
      ordered: numberOf(ordered, LEFT),
      due: dayOf(line.RequiredDate, 'RequiredDate') ?? dayOf(line.ShipDate, 'ShipDate'),
      createdOn: dayOf(document.DocDate, 'DocDate'),
      supplier: codeOrNull(supplier, 'CardCode'),
      reference: referenceOf(document),
    }
  })
