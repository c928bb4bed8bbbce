import { openTable, type OpenTable } from '../../../tables/open-table.ts'
import { kindsOf } from '../kinds.ts'
import type { Format } from '../options.ts'
import type { Table } from '../tables.ts'
import { Content } from './content.ts'
import type { SourceFile } from './source-files.ts'

/** One reading of a file, with its bytes. */
export interface OpenFile extends OpenTable {
  content: Content
}

/** @throws TableRefused where the file cannot be read as a whole | Fatal | Retriable */
export async function openFile(
  file: SourceFile,
  table: Table,
  declared: Format,
  signal: AbortSignal,
): Promise<OpenFile> {
  // A file may be read twice: what was read last stays open.
  let content = await Content.of(file, signal)
  const opened = await openTable({
    async *chunks() {
      content = await Content.of(file, signal)
      yield* content.chunks()
    },
    wanted: {
      required: table.requiredColumns,
      or: table.orColumns,
      optional: table.optionalColumns,
    },
    trim: true,
    kindsOf: ({ columns }, rows) => kindsOf(table, columns, rows),
    declared,
  })
  return { ...opened, content }
}
