import { dayLiteral } from '../../odata/query.ts'
import type { MaterialDocumentRow } from '../entities.ts'
import { MATERIAL_DOCUMENT } from '../services.ts'
import type { System } from '../system.ts'
import { toDemand } from '../to-demand.ts'
import { dayOrNull } from '../../rows/days.ts'
import { dayText } from './days.ts'
import type { DocumentSource, DocumentPage, Slice } from './documents.ts'
import { parseMovements } from './movements.ts'
import type { Movements } from './movements.ts'

const ITEM = 'to_MaterialDocumentItem'
const KEY = ['MaterialDocumentYear', 'MaterialDocument']

export const MATERIAL_DOCUMENTS = {
  service: MATERIAL_DOCUMENT,
  set: 'A_MaterialDocumentHeader',
  key: KEY,
}

const SELECT = [
  ...KEY,
  'PostingDate',
  'CreationDate',
  ...[
    'MaterialDocumentItem',
    'Material',
    'Plant',
    'GoodsMovementType',
    'InventorySpecialStockType',
    'QuantityInBaseUnit',
    'IsAutomaticallyCreated',
    'ReversedMaterialDocumentYear',
    'ReversedMaterialDocument',
    'ReversedMaterialDocumentItem',
  ].map((field) => `${ITEM}/${field}`),
]

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
    ...MATERIAL_DOCUMENTS,
    select: SELECT,
    expand: ITEM,
    filter: createdIn(slice),
    top: system.options.document_page_size,
  }
  const owns = ({ CreationDate }: MaterialDocumentRow) => {
    const day = dayOrNull(CreationDate)
    return day === null || (day >= slice.from && day <= slice.to)
  }
  const from = { after, owns }
  for await (const { rows, last } of system.pages<MaterialDocumentRow>(query, from, signal)) {
    const page: DocumentPage = {
      ...{ records: [], quarantined: [], after: last, documents: rows.length },
      newest: null,
    }
    for (const row of rows) {
      const created = dayOrNull(row.CreationDate)
      if (created !== null && (page.newest === null || created > page.newest)) page.newest = created
      toDemand(row, movements, page)
    }
    yield page
  }
}

const createdIn = ({ from, to }: Slice) =>
  `CreationDate ge ${dayLiteral(from)} and CreationDate le ${dayLiteral(to)}`
