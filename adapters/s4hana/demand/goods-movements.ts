import { dayLiteral } from '../../odata/query.ts'
import type { MaterialDocumentRow } from '../entities.ts'
import { MATERIAL_DOCUMENT } from '../services.ts'
import type { System } from '../system.ts'
import { toDemand } from './to-demand.ts'
import { dayOrNull } from '../../rows/values.ts'
import type { Batch } from '../../rows/pages.ts'
import { dayText } from '../../rows/days.ts'
import type { DocumentSource, DocumentPage, Slice } from './documents.ts'
import { type Movements, parseMovements } from './movements.ts'

const ITEM = 'to_MaterialDocumentItem'
const KEY = ['MaterialDocumentYear', 'MaterialDocument']

export const MATERIAL_DOCUMENTS = {
  service: MATERIAL_DOCUMENT,
  set: 'A_MaterialDocumentHeader',
  key: KEY,
}

const ITEM_FIELDS = [
  ...['MaterialDocumentItem', 'Material', 'Plant', 'GoodsMovementType'],
  ...['InventorySpecialStockType', 'QuantityInBaseUnit'],
]

/** Documents with their lines. @param fields of the lines, beside what every line says */
export const documentsWith = (...fields: string[]) => ({
  ...MATERIAL_DOCUMENTS,
  expand: ITEM,
  select: [
    ...[...KEY, 'PostingDate', 'CreationDate'],
    ...[...ITEM_FIELDS, ...fields].map((field) => `${ITEM}/${field}`),
  ],
})

const MOVEMENTS = documentsWith(
  ...['IsAutomaticallyCreated', 'ReversedMaterialDocumentYear'],
  ...['ReversedMaterialDocument', 'ReversedMaterialDocumentItem'],
)

/** Demand from material documents, on their posting day. */
export function goodsMovements(system: System): DocumentSource {
  const movements = parseMovements(system.options.movements)!
  return {
    reader: () => (slice, after, signal) => readDocuments(system, movements, slice, after, signal),
    today: async (signal) => dayText((await system.probe(MATERIAL_DOCUMENTS, signal)).getTime()),
    count: (slice, signal) => {
      const query = { ...MATERIAL_DOCUMENTS, filter: createdIn(slice) }
      return system.count(query, signal)
    },
  }
}

async function* readDocuments(
  system: System,
  movements: Movements,
  slice: Slice,
  after: readonly string[] | null,
  signal: AbortSignal,
): AsyncGenerator<DocumentPage> {
  const query = {
    ...MOVEMENTS,
    filter: createdIn(slice),
    top: system.options.document_page_size,
  }
  const keep = (document: MaterialDocumentRow) => demandOf(document, movements)
  const from = { after, owns: isCreatedIn(slice), keep }
  for await (const { rows, last } of system.pages<DocumentDemand>(query, from, signal)) {
    yield {
      records: rows.flatMap(({ records }) => records),
      quarantined: rows.flatMap(({ quarantined }) => quarantined),
      after: last,
      documents: rows.length,
      newest: newestOf(rows),
    }
  }
}

type DocumentDemand = Omit<MaterialDocumentRow, 'PostingDate' | typeof ITEM> & Batch<'demand'>

function demandOf(document: MaterialDocumentRow, movements: Movements): DocumentDemand {
  const { MaterialDocumentYear, MaterialDocument, CreationDate } = document
  const batch: Batch<'demand'> = { records: [], quarantined: [] }
  toDemand(document, movements, batch)
  return { MaterialDocumentYear, MaterialDocument, CreationDate, ...batch }
}

type Created = Pick<MaterialDocumentRow, 'CreationDate'>

/** Whether a document was created in the slice; one without a day is believed to be. */
export const isCreatedIn =
  ({ from, to }: Slice) =>
  ({ CreationDate }: Created) => {
    const day = dayOrNull(CreationDate)
    return day === null || (day >= from && day <= to)
  }

/** The newest day on which one of the documents was created. */
export const newestOf = (rows: readonly Created[]): string | null =>
  rows.reduce<string | null>((newest, { CreationDate }) => {
    const created = dayOrNull(CreationDate)
    return created !== null && (newest === null || created > newest) ? created : newest
  }, null)

export const createdIn = ({ from, to }: Slice) =>
  `CreationDate ge ${dayLiteral(from)} and CreationDate le ${dayLiteral(to)}`
