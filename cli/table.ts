import Table from 'cli-table3'
import { toCell } from './text.ts'

export interface Column<Row> {
  head: string
  value(row: Row): string | number | null | undefined
  /** For numbers. */
  isRightAligned?: boolean
}

const GAP = 2
const NO_LINES = Object.fromEntries(
  ['top', 'bottom', 'left', 'right', 'mid'].flatMap((side) =>
    ['', '-mid', '-left', '-right'].map((part) => [side + part, '']),
  ),
)

/** A table without borders, one line per row; control characters in values are escaped. */
export function tableOf<Row>(columns: Column<Row>[], rows: Row[]): string {
  return linesOf(columns, rows).join('\n')
}

/** The lines of a table: the head, then one per row. */
export function linesOf<Row>(columns: Column<Row>[], rows: Row[]): string[] {
  const table = new Table({
    head: columns.map((column) => column.head),
    colAligns: columns.map((column) => (column.isRightAligned ? 'right' : 'left')),
    chars: { ...NO_LINES, middle: ' '.repeat(GAP) },
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
  })
  table.push(...rows.map((row) => columns.map((column) => toCell(column.value(row)))))
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
}
