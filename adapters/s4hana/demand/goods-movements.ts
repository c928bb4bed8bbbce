import type { MaterialDocumentRow } from '../entities.ts'
import type { System } from '../system.ts'
import { toDemand } from './to-demand.ts'
import type { Batch } from '../../rows/pages.ts'
import { addDays, dayText } from '../../rows/days.ts'
import type { DocumentSource, DocumentPage, Slice } from './documents.ts'
import { type Movements, parseMovements } from './movements.ts'
import {
  createdIn,
  documentsWith,
  isCreatedIn,
  type ITEM,
  MATERIAL_DOCUMENTS,
  newestOf,
} from './material-documents.ts'
import { documentsOfDay } from './recent-documents.ts'

const MOVEMENTS = documentsWith(
  ...['IsAutomaticallyCreated', 'ReversedMaterialDocumentYear'],
  ...['ReversedMaterialDocument', 'ReversedMaterialDocumentItem'],
)

/** Demand from material documents, on their posting day. */
export function goodsMovements(system: System): DocumentSource {
  const movements = parseMovements(system.options.movements)!
  return {
    reader: (isWhole) => (slice, after, signal) =>
      isWhole
        ? readDocuments(system, movements, slice, after, signal)
        : readRecent(system, movements, slice, signal),
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

/** New documents, which other streams want too. */
async function* readRecent(
  system: System,
  movements: Movements,
  { from, to }: Slice,
  signal: AbortSignal,
): AsyncGenerator<DocumentPage> {
  for (let day = from; day <= to; day = addDays(day, 1)) {
    const documents = await documentsOfDay(system, day, signal)
    if (documents) {
      const page: Batch<'demand'> = { records: [], quarantined: [] }
      for (const document of documents) toDemand(document, movements, page)
      yield { ...page, after: null, documents: documents.length, newest: newestOf(documents) }
    } else yield* readDocuments(system, movements, { from: day, to: day }, null, signal)
  }
}

type DocumentDemand = Omit<MaterialDocumentRow, 'PostingDate' | typeof ITEM> & Batch<'demand'>

function demandOf(document: MaterialDocumentRow, movements: Movements): DocumentDemand {
  const { MaterialDocumentYear, MaterialDocument, CreationDate } = document
  const batch: Batch<'demand'> = { records: [], quarantined: [] }
  toDemand(document, movements, batch)
  return { MaterialDocumentYear, MaterialDocument, CreationDate, ...batch }
}
