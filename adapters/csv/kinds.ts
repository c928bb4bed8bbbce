import { Formats } from '../../tables/formats.ts'
import type { Kinds } from '../../tables/find-formats.ts'
import type { ParsedRow } from '../../tables/parse.ts'
import { problemOf } from '../rows/values.ts'
import { Row } from './row.ts'
import type { Table } from './tables.ts'

/** Rows from which the kinds of columns are found. */
const ROWS = 200

/** Reads any text as a date or a number, and keeps which of them a mapper asked for. */
class AskedFormats extends Formats {
  readonly kinds = new Map<string, 'date' | 'number'>()

  override day(column: string): string {
    this.kinds.set(column, 'date')
    return '2000-01-01'
  }

  override number(column: string): string {
    this.kinds.set(column, 'number')
    return '1'
  }
}

/** Which columns hold dates and numbers, by what the mapper of the table asks for. */
export function kindsOf(
  table: Table,
  columns: ReadonlyMap<string, number>,
  rows: readonly ParsedRow[],
): Kinds {
  const asked = new AskedFormats()
  const row = new Row(columns, asked)
  const map = table.mapper()
  for (const { cells } of rows.slice(0, ROWS)) {
    row.moveTo(cells)
    try {
      map(row)
    } catch (error) {
      problemOf(error)
    }
  }
  return asked.kinds
}
