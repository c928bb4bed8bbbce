// Tables as files. The same tables give the same bytes, so that their digest says what was taken.
import { stringify } from 'csv-stringify/sync'
import { unzipSync } from 'fflate'
import type {
  DayFormat,
  FileFormat,
  FormTable,
  OrderForm,
} from '../../../../adapters/order-form.ts'
import { workbookOf, zipOf } from '../../../../tables/write-workbook.ts'
import { Refusal } from '../../../base/errors.ts'

export const CONTENT_TYPES: Record<FileFormat, string> = {
  csv: 'text/csv; charset=utf-8; header=present',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  zip: 'application/zip',
  rapidstart: 'application/octet-stream',
}

interface FileWish {
  format: FileFormat
  dayFormat: DayFormat
}

export function fileOf(tables: FormTable[], form: OrderForm, { format, dayFormat }: FileWish) {
  if (format === 'xlsx') return workbookOf(tables)
  if (format === 'rapidstart') return form.pack!(tables)
  if (format === 'csv') return csvOf(tables[0]!, dayFormat)
  return zipOf(
    tables.map((table) => ({ name: `${table.name}.csv`, bytes: csvOf(table, dayFormat) })),
  )
}

/** A cell that a spreadsheet would run as a formula gets an apostrophe in front. */
function csvOf({ header, kinds, rows }: FormTable, dayFormat: DayFormat): Buffer {
  const written = rows.map((row) =>
    row.map((cell, at) => (kinds[at] === 'day' && cell ? dayText(cell, dayFormat) : cell)),
  )
  return Buffer.from(stringify([...header, ...written], { escape_formulas: true }))
}

/** @param day `YYYY-MM-DD` */
function dayText(day: string, format: DayFormat): string {
  const [year, month, date] = day.split('-') as [string, string, string]
  return format.replace('YYYY', year).replace('MM', month).replace('DD', date)
}

// Quantities that somebody has changed in the exported list, read back from its workbook.

/** A row of the file. */
interface EditedRow {
  ID: number
  /** As which the row was exported; null where the file does not say. */
  version: number | null
  /** As it stands in the cell. */
  quantity: string
}

/** Columns by what stands above them, in any of our languages, in small letters. */
interface EditedColumns {
  quantity: readonly string[]
  version: readonly string[]
}

const MOST_UNPACKED_BYTES = 64 * 1024 * 1024
const MOST_EDITED_ROWS = 1_000
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
