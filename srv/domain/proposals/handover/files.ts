// Tables as files. The same tables give the same bytes, so that their digest says what was taken.
import { stringify } from 'csv-stringify/sync'
import type {
  DayFormat,
  FileFormat,
  FormTable,
  OrderForm,
} from '../../../../adapters/order-form.ts'
import { workbookOf, zipOf } from '../../../../tables/write-workbook.ts'

export const CONTENT_TYPES: Record<FileFormat, string> = {
  csv: 'text/csv; charset=utf-8; header=present',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  zip: 'application/zip',
  rapidstart: 'application/octet-stream',
}

export interface FileWish {
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
export function dayText(day: string, format: DayFormat): string {
  const [year, month, date] = day.split('-') as [string, string, string]
  return format.replace('YYYY', year).replace('MM', month).replace('DD', date)
}
