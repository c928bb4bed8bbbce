// Quantities that somebody has changed in the exported list, read back from its workbook.
import { unzipSync } from 'fflate'
import { Refusal } from '../../../base/errors.ts'

/** A row of the file. */
export interface EditedRow {
  ID: number
  /** As which the row was exported; null where the file does not say. */
  version: number | null
  /** As it stands in the cell. */
  quantity: string
}

/** Columns by what stands above them, in any of our languages, in small letters. */
export interface EditedColumns {
  quantity: readonly string[]
  version: readonly string[]
}

const MOST_UNPACKED_BYTES = 64 * 1024 * 1024
export const MOST_EDITED_ROWS = 1_000
const NUMBER = /^prop_([1-9]\d{0,8})$/

/** @throws Refusal invalid_parameter for what is no workbook of proposals */
export async function readEditedFile(bytes: Buffer, columns: EditedColumns): Promise<EditedRow[]> {
  const [cells = []] = await readSheets(bytes)
  const texts = cells.map((row) => row.map((cell) => textOf(cell)))
  const numberAt = texts.flatMap((row) => row.findIndex((text) => NUMBER.test(text)))
  const number = numberAt.find((at) => at >= 0)
  if (number === undefined) throw refused('no_proposals')
  const head = texts.find((row) =>
    row.some((text) => columns.quantity.includes(text.toLowerCase())),
  )
  const at = (names: readonly string[]) =>
    head?.findIndex((text) => names.includes(text.toLowerCase())) ?? -1
  const [quantity, version] = [at(columns.quantity), at(columns.version)]
  if (quantity < 0) throw refused('no_quantity')
  const rows = texts.flatMap((row) => {
    const [, ID] = NUMBER.exec(row[number] ?? '') ?? []
    if (!ID) return []
    const seen = Number(row[version] ?? '')
    return {
      ...{ ID: Number(ID), quantity: row[quantity] ?? '' },
      version: Number.isSafeInteger(seen) && seen > 0 ? seen : null,
    }
  })
  if (rows.length > MOST_EDITED_ROWS) throw refused('too_many')
  return rows
}

async function readSheets(bytes: Buffer): Promise<unknown[][][]> {
  let unpacked = 0
  try {
    // Nothing is unpacked: only sizes are added up.
    unzipSync(bytes, { filter: ({ originalSize }) => ((unpacked += originalSize), false) })
    if (unpacked > MOST_UNPACKED_BYTES) throw refused('too_many')
    const { default: read } = await import('read-excel-file/node')
    return (await read(bytes)).map(({ data }) => data as unknown[][])
  } catch (error) {
    throw error instanceof Refusal ? error : refused('no_workbook')
  }
}

/** Whole numbers without the rest that a spreadsheet may add. */
const textOf = (cell: unknown): string =>
  typeof cell === 'number'
    ? String(Number(cell.toFixed(6)))
    : typeof cell === 'string'
      ? cell.trim()
      : ''

const TEXTS = {
  no_workbook: 'must be a workbook (.xlsx)',
  no_proposals: 'has no column with numbers of proposals such as prop_12: export the list again',
  no_quantity: 'has no column with quantities: export the list again',
  too_many: `has more than ${MOST_EDITED_ROWS} proposals`,
}

const refused = (fault: keyof typeof TEXTS) =>
  new Refusal('invalid_parameter', `file: ${TEXTS[fault]}`, {
    target: 'file',
    sentence: { key: `edits_${fault}`, args: { most: MOST_EDITED_ROWS } },
  })
