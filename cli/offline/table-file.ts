import { basename } from 'node:path'
import type { WantedColumns } from '../../tables/columns.ts'
import { describeTable, ENCODING_WARNING } from '../../tables/describe.ts'
import type { Kinds } from '../../tables/find-formats.ts'
import type { DeclaredFormats, Formats } from '../../tables/formats.ts'
import { openTable } from '../../tables/open-table.ts'
import { TableRefused } from '../../tables/refusal.ts'
import { bytesOf } from './bytes.ts'
import { HistoryError } from './history-error.ts'

/** An invalid row; the reader adds its line. */
export class BadRow extends Error {
  override name = 'BadRow'
}

/** The columns to read of a file, and how they are written where a person says so. */
export interface Wanted {
  columns: WantedColumns
  kinds: Kinds
  declared: DeclaredFormats
}

/** Takes the cells of a row. @throws BadRow */
type Take = (cells: string[]) => void

/**
 * Reads a table from a file: CSV, packed or not, or a workbook.
 * @param begin gets the index of each column, and gives what takes the rows
 * @returns how the file was understood, where that is worth a look: sentences
 * @throws HistoryError `line N: …` at the first invalid row, or where the file cannot be read
 */
export async function readTable(
  path: string,
  { columns, kinds, declared }: Wanted,
  begin: (columns: ReadonlyMap<string, number>, formats: Formats) => Take,
): Promise<string[]> {
  const wanted = { wanted: columns, trim: false, kindsOf: () => kinds, declared }
  let line = 0
  try {
    const table = await openTable({ chunks: () => bytesOf(path), ...wanted })
    try {
      const take = begin(table.header.columns, table.formats)
      for await (const rows of table.rows()) {
        for (const { line: at, cells, problem } of rows) {
          line = at
          if (problem) throw new BadRow(problem.message)
          take(cells)
        }
      }
    } finally {
      await table.close()
    }
    const understood = describeTable(table.header, table.formats, table.encoding())
    const name = basename(path)
    return [
      ...(understood ? [`${name} was read so: ${understood}.`] : []),
      ...(table.encoding() === 'Windows-1252' ? [`${name}: ${ENCODING_WARNING}.`] : []),
    ]
  } catch (error) {
    throw toHistoryError(error, line)
  }
}

const FLAGS = { date_format: '--date-format', decimal: '--decimal' }

function toHistoryError(error: unknown, line: number): unknown {
  if (error instanceof BadRow) return new HistoryError(`line ${line}: ${error.message}`)
  if (!(error instanceof TableRefused)) return error
  const { remedy, message } = error
  const values = remedy?.values.map((value) => `${FLAGS[remedy.setting]} ${value}`)
  const how = values ? `; add ${values.join(' or ')}` : ''
  return new HistoryError(`line ${error.line ?? (line || 1)}: ${message}${how}`)
}
