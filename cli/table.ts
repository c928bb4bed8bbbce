import Table from 'cli-table3'
import { toSafeText } from './output.ts'

type Cell = string | number | null | undefined

/** Its head, and what it shows of a row; numbers stand on the right. */
export type Column<Row> = [head: string, value: (row: Row) => Cell, align?: 'right']

const MAX_CELL_LENGTH = 160
const GAP = 2
const NO_LINES = Object.fromEntries(
  ['top', 'bottom', 'left', 'right', 'mid'].flatMap((side) =>
    ['', '-mid', '-left', '-right'].map((part) => [side + part, '']),
  ),
)

/** The lines of a table without borders: the head, then one per row. */
export function linesOf<Row>(columns: Column<Row>[], rows: Row[]): string[] {
  const table = new Table({
    head: columns.map(([head]) => head),
    colAligns: columns.map(([, , align]) => align ?? 'left'),
    chars: { ...NO_LINES, middle: ' '.repeat(GAP) },
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
  })
  table.push(...rows.map((row) => columns.map(([, value]) => textOf(value(row)))))
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
}

/** A dash for an empty cell; a very long one is cut. */
function textOf(value: Cell): string {
  const text = toSafeText(String(value ?? ''))
  if (value === null || value === undefined || value === '') return '–'
  return text.length > MAX_CELL_LENGTH ? `${text.slice(0, MAX_CELL_LENGTH - 1)}…` : text
}
