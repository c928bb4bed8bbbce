import { parse } from 'csv-parse/sync'
import type { Block } from './blocks.ts'
import { wrongColumnCount } from './row-problems.ts'
import type { Problem } from '../../rows/bad-value.ts'

/** What a file's header says about its rows. */
export interface Dialect {
  delimiter: string
  columnCount: number
  /** The columns whose cells never hold a line end, by their index. */
  oneLine: number[]
}

/** One row of a file: its cells, or why it has none. */
export interface ParsedRow {
  /** Its first line in the file, counted from 1. */
  line: number
  cells: string[]
  problem: Problem | null
  /** The row as it was read, for a person. */
  text: () => string
}

/**
 * The cells of some lines; a byte order mark before them is no part of them.
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

/** The record that takes `span` lines of a block from line `at` on; null where they are blank. */
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

/** A line of a block that gives no cells. */
export function badLine(block: Block, at: number, problem: Problem): ParsedRow {
  const line = block.firstLine + at
  return { line, cells: [], problem, text: () => block.text(line, 1) }
}
