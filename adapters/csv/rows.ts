// Blocks of lines → rows of cells. csv-parse does the parsing; this decides what it gets to see, so
// that a stray quote, a broken character or a giant cell costs its own row and no other.
import { isUtf8 } from 'node:buffer'
import { parse } from 'csv-parse/sync'
import type { CsvError } from 'csv-parse/sync'
import { Block, MAX_RECORD_BYTES } from './blocks.ts'
import type { Problem } from './row.ts'

const NUL = 0
const QUOTE = 34

/** One record of the file: its cells, or why it has none. */
export interface ParsedRow {
  /** Its first line in the file, counted from 1. */
  line: number
  cells: string[]
  problem: Problem | null
  /** The row as it was read, for a person. */
  text: () => string
}

export interface Dialect {
  delimiter: string
  columnCount: number
}

/** The rows of the blocks, in their order, an array for each block; blank lines are left out. */
export async function* rows(
  blocks: AsyncIterable<Block>,
  dialect: Dialect,
): AsyncGenerator<ParsedRow[]> {
  // The lines from an opening quote on, while its closing quote has not been seen.
  let open: Block | null = null
  for await (const block of blocks) {
    if (block.tooLong) {
      if (open) yield carefully(open, dialect, true).rows
      open = null
      yield [problemRow(block, block.firstLine, 1, TOO_LONG)]
      continue
    }
    const joined: Block = open
      ? new Block(Buffer.concat([open.bytes, block.bytes]), open.firstLine)
      : block
    const quick = open ? null : quickly(joined, dialect)
    open = null
    if (quick) {
      yield quick
      continue
    }
    const careful = carefully(joined, dialect, false)
    yield careful.rows
    open = careful.open
  }
  if (open) yield carefully(open, dialect, true).rows
}

/** The cells of one line or block; a byte order mark before them is no part of them. @throws CsvError where quotes are misplaced */
export function cellsOf(bytes: Buffer, delimiter: string): string[][] {
  return parse(bytes, {
    bom: true,
    delimiter,
    record_delimiter: ['\r\n', '\n'],
    relax_column_count: true,
    trim: true,
  }) as unknown as string[][]
}

/** The common case: every line is a row and nothing is odd about it. Otherwise null. */
function quickly(block: Block, dialect: Dialect): ParsedRow[] | null {
  if (!isUtf8(block.bytes) || block.bytes.includes(NUL)) return null
  let records: string[][]
  try {
    records = cellsOf(block.bytes, dialect.delimiter)
  } catch {
    return null
  }
  // As many records as lines: none spans two, so the line numbers are known.
  if (records.length !== block.lineCount) return null
  const found: ParsedRow[] = []
  records.forEach((cells, i) => {
    const row = rowOf(block, i, 1, cells, dialect)
    if (row) found.push(row)
  })
  return found
}

/** Line by line: a record that cannot be costs its first line, and reading goes on with the next. */
function carefully(block: Block, dialect: Dialect, atEnd: boolean) {
  const found: ParsedRow[] = []
  let at = 0
  while (at < block.lineCount) {
    let span = 1
    let row = parseRecord(block, at, span, dialect)
    if (row === UNCLOSED) {
      const closing = spanOfRecord(block, at)
      const mayClose = block.lines(at, block.lineCount).length <= MAX_RECORD_BYTES
      if (closing === null && mayClose && !atEnd) return { rows: found, open: block.after(at) }
      if (closing !== null) row = parseRecord(block, at, (span = closing), dialect)
    }
    if (row && 'code' in row) {
      found.push(problemRow(block, block.firstLine + at, 1, row))
      at++
      continue
    }
    if (row) found.push(row)
    at += span
  }
  return { rows: found, open: null }
}

/** How many lines the record at a line takes, by its quotes; null where they do not close. */
function spanOfRecord(block: Block, at: number): number | null {
  let quotes = 0
  let bytes = 0
  for (let end = at; end < block.lineCount && bytes <= MAX_RECORD_BYTES; end++) {
    const line = block.lines(end, end + 1)
    bytes += line.length
    quotes += countQuotes(line)
    if (quotes % 2 === 0) return end + 1 - at
  }
  return null
}

function countQuotes(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(QUOTE); at >= 0; at = bytes.indexOf(QUOTE, at + 1)) count++
  return count
}

function parseRecord(
  block: Block,
  at: number,
  span: number,
  dialect: Dialect,
): ParsedRow | Problem | null {
  const bytes = block.lines(at, at + span)
  if (!isUtf8(bytes)) return NOT_UTF8
  if (bytes.includes(NUL)) return HAS_NUL
  let records: string[][]
  try {
    records = cellsOf(bytes, dialect.delimiter)
  } catch (error) {
    return (error as CsvError).code === 'CSV_QUOTE_NOT_CLOSED' ? UNCLOSED : MISPLACED_QUOTE
  }
  const [cells] = records
  if (!cells || records.length > 1) return MISPLACED_QUOTE
  // Lines swallowed by a stray quote would vanish with a row of the wrong width.
  if (span > 1 && cells.length !== dialect.columnCount) return UNCLOSED
  return rowOf(block, at, span, cells, dialect)
}

function rowOf(
  block: Block,
  at: number,
  span: number,
  cells: string[],
  dialect: Dialect,
): ParsedRow | null {
  if (cells.length === 1 && !cells[0]) return null
  const line = block.firstLine + at
  if (cells.length !== dialect.columnCount) {
    return problemRow(block, line, span, wrongColumnCount(cells.length, dialect.columnCount))
  }
  return { line, cells, problem: null, text: () => block.text(line, span) }
}

function problemRow(block: Block, line: number, span: number, problem: Problem): ParsedRow {
  return { line, cells: [], problem, text: () => block.text(line, span) }
}

const wrongColumnCount = (found: number, expected: number): Problem => ({
  code: 'wrong_column_count',
  target: null,
  message: `The row has ${found} columns, the header ${expected}.`,
})

const TOO_LONG: Problem = {
  code: 'row_too_long',
  target: null,
  message: `A row may have at most ${MAX_RECORD_BYTES} bytes.`,
}

const UNCLOSED: Problem = {
  code: 'unclosed_quote',
  target: null,
  message: 'A quote is opened and not closed; write a quote within a cell twice.',
}

const MISPLACED_QUOTE: Problem = {
  code: 'misplaced_quote',
  target: null,
  message: 'Quotes enclose a whole cell; write a quote within a cell twice.',
}

const NOT_UTF8: Problem = {
  code: 'invalid_encoding',
  target: null,
  message: 'The row is not UTF-8 text.',
}

const HAS_NUL: Problem = {
  code: 'invalid_encoding',
  target: null,
  message: 'The row contains a NUL character.',
}
