import { parse } from 'csv-parse/sync'
import type { Block } from './blocks.ts'
import { TOTAL_ROW, wrongColumnCount } from './row-problems.ts'
import type { RowProblem } from './row-problems.ts'

/** How the rows of a file are parsed, by its header. */
export interface Dialect {
  delimiter: string
  /** Whether blanks around a cell, and around its quotes, are left out. */
  trim: boolean
  columnCount: number
  /** How many cells a row may have: blank ones may follow where the header has them too. */
  maxCells: number
  /** Indices of the columns whose cells must not contain a line end. */
  oneLine: number[]
  /** Indices of the columns that no row lacks. */
  required: readonly number[]
}

/** One row of a file: its cells, or the problem with it. */
export interface ParsedRow {
  /** Its first line in the file, counted from 1. */
  line: number
  cells: string[]
  problem: RowProblem | null
  /** The row's text, for display. */
  text: () => string
}

/**
 * The cells of some lines; a byte order mark before them is removed.
 * @throws CsvError where quotes are misplaced or not closed
 */
export function cellsOf(
  lines: Buffer,
  { delimiter, trim }: Pick<Dialect, 'delimiter' | 'trim'>,
): string[][] {
  return parse(lines, {
    bom: true,
    delimiter,
    record_delimiter: ['\r\n', '\n'],
    relax_column_count: true,
    trim,
  })
}

/** The record of `span` lines that starts at line `at` of a block; null where its cells are blank. */
export function rowOf(
  block: Block,
  at: number,
  span: number,
  cells: string[],
  dialect: Dialect,
): ParsedRow | null {
  const line = block.firstLine + at
  return toRow(line, cells, dialect, () => block.text(line, span))
}

/** What ends a text of DOS, as older programs still write it. */
const END_OF_DOS = '\x1a'

/** A row of the header's columns: a spreadsheet adds blank cells and rows, which are left out. */
export function toRow(
  line: number,
  cells: string[],
  dialect: Dialect,
  text: () => string,
): ParsedRow | null {
  if (isBlank(cells[0]) && cells.every(isBlank)) return null
  if (cells.length === 1 && cells[0] === END_OF_DOS) return null
  const problem = isTotal(cells, dialect)
    ? TOTAL_ROW
    : hasWidth(cells, dialect)
      ? null
      : wrongColumnCount(cells.length, dialect)
  return { line, cells, problem, text }
}

const TOTAL =
  /^(grand |sub)?-?(totals?|sum|summe|summen|gesamt|gesamtsumme|gesamtergebnis|zwischensumme|ergebnis)\b.{0,40}$/i

/** Whether a row sums up others: it lacks what every row has, and says so or has nothing but one number. */
function isTotal(cells: string[], { required }: Dialect): boolean {
  if (!required.some((index) => isBlank(cells[index]))) return false
  const said = cells.filter((cell) => !isBlank(cell))
  const [only = ''] = said
  return (
    said.some((cell) => TOTAL.test(cell.trim())) || (said.length === 1 && NUMBER.test(only.trim()))
  )
}

const NUMBER = /^[+-]?[\d.,' ]+$/

/** Whether a row has so many cells, but for blank ones at its end. */
export const hasWidth = (
  cells: string[],
  { columnCount, maxCells }: Pick<Dialect, 'columnCount' | 'maxCells'>,
) =>
  cells.length === columnCount ||
  (cells.length > columnCount &&
    cells.length <= maxCells &&
    cells.slice(columnCount).every(isBlank))

const isBlank = (cell: string | undefined) => !cell?.trim()

/** The row of a line that cannot be parsed. */
export function badLine(block: Block, at: number, problem: RowProblem): ParsedRow {
  const line = block.firstLine + at
  return { line, cells: [], problem, text: () => block.text(line, 1) }
}
