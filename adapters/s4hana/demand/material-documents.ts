// Material documents: their list, and the days on which they were created.
import { dayLiteral } from '../../odata/query.ts'
import { dayOrNull } from '../../rows/values.ts'
import type { MaterialDocumentRow } from '../entities.ts'
import { MATERIAL_DOCUMENT } from '../services.ts'
import type { Slice } from './documents.ts'

export const ITEM = 'to_MaterialDocumentItem'
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
