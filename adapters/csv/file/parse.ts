import { parse } from 'csv-parse/sync'
import type { Block } from './blocks.ts'
import { wrongColumnCount } from './row-problems.ts'
import type { Problem } from '../../rows/bad-value.ts'

/** How the rows of a file are parsed, by its header. */
export interface Dialect {
  delimiter: string
  columnCount: number
  /** Indices of the columns whose cells must not contain a line end. */
  oneLine: number[]
}

/** One row of a file: its cells, or the problem with it. */
export interface ParsedRow {
  /** Its first line in the file, counted from 1. */
  line: number
  cells: string[]
  problem: Problem | null
  /** The row's text, for display. */
  text: () => string
}

/**
 * The cells of some lines; a byte order mark before them is removed.
 * @throws CsvError where quotes are misplaced or not closed
 */
export function cellsOf(lines: Buffer, delimiter: string): string[][] {
  return parse(lines, {
    bom: true,
    delimiter,
    record_delimiter: ['\r\n', '\n'],
    relax_column_count: true,
    trim: true,
  })
}

/** The record of `span` lines that starts at line `at` of a block; null where they are blank. */
export function rowOf(
  block: Block,
  at: number,
  span: number,
  cells: string[],
  { columnCount }: Dialect,
): ParsedRow | null {
  if (cells.length === 1 && !cells[0]) return null
  const problem = cells.length === columnCount ? null : wrongColumnCount(cells.length, columnCount)
  const line = block.firstLine + at
  return { line, cells, problem, text: () => block.text(line, span) }
}

/** The row of a line that cannot be parsed. */
export function badLine(block: Block, at: number, problem: Problem): ParsedRow {
  const line = block.firstLine + at
  return { line, cells: [], problem, text: () => block.text(line, 1) }
}
