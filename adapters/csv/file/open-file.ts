import type { OpenTable, TableSource } from '../../../tables/open-table.ts'
import { formatsOfTable, openTable } from '../../../tables/open-table.ts'
import type { Formats } from '../../../tables/formats.ts'
import { kindsOf } from '../kinds.ts'
import type { Format } from '../options.ts'
import type { Table } from '../tables.ts'
import { Content } from './content.ts'
import type { SourceFile } from './folder.ts'

/** One reading of a file, with how its cells are written. */
export interface OpenFile extends OpenTable {
  formats: Formats
  content: Content
}

/** @throws TableRefused where the file cannot be read as a whole | Fatal | Retriable */
export async function openFile(
  file: SourceFile,
  table: Table,
  declared: Format,
  signal: AbortSignal,
): Promise<OpenFile> {
  const sourceOf = (content: Content): TableSource => ({
    chunks: () => content.chunks(),
    wanted: { required: table.requiredColumns, optional: table.optionalColumns },
    trim: true,
  })
  const formats = await formatsOfTable(
    sourceOf(await Content.of(file, signal)),
    ({ columns }) =>
      (rows) =>
        kindsOf(table, columns, rows),
    declared,
  )
  const content = await Content.of(file, signal)
  return { ...(await openTable(sourceOf(content))), formats, content }
}
