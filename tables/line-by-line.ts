// Parses blocks that csv-parse cannot read in one go (stray quotes, invalid UTF-8, cells of several lines),
// so that only invalid rows are lost.
import { isUtf8 } from 'node:buffer'
import type { CsvError } from 'csv-parse/sync'
import { Block, MAX_RECORD_BYTES } from './blocks.ts'
import type { BrokenRows } from './broken-rows.ts'
import { badLine, cellsOf, hasWidth, rowOf } from './parse.ts'
import type { Dialect, ParsedRow } from './parse.ts'
import { atQuote, HAS_NUL, MISPLACED_QUOTE, NOT_UTF8, UNCLOSED_QUOTE } from './row-problems.ts'
import type { RowProblem } from './row-problems.ts'
import { splitPlain } from './split.ts'

const NUL = 0
const QUOTE = 34

/** The rows, and the lines from an unclosed quote on: the next block may close it. */
export interface ParsedBlock {
  rows: ParsedRow[]
  open: Block | null
}

/**
 * Reads a block line by line. After an invalid record reading continues with the second line of it, so
 * that an unclosed quote does not lose the lines that follow.
 * @throws TableRefused too_many_bad_rows where nearly none can be read
 */
export function parseLineByLine(
  block: Block,
  dialect: Dialect,
  isAtEnd: boolean,
  broken: BrokenRows,
): ParsedBlock {
  const rows: ParsedRow[] = []
  const closingLines = closingLinesOf(block)
  const add = (row: ParsedRow) => {
    broken.add(row)
    rows.push(row)
  }
  let at = 0
  while (at < block.lineCount) {
    let span = 1
    let row = readRecord(block, at, span, dialect)
    if (row === UNCLOSED_QUOTE) {
      const closing = closingLines[at]!
      const mayClose = block.lines(at, block.lineCount).length <= MAX_RECORD_BYTES
      if (closing === null && mayClose && !isAtEnd) return { rows, open: block.after(at) }
      if (closing !== null) row = readRecord(block, at, (span = closing + 1 - at), dialect)
    }
    if (row && 'code' in row) {
      add(
        badLine(
          block,
          at,
          isOfQuote(row) ? atQuote(row, block.text(block.firstLine + at, 1)) : row,
        ),
      )
      at++
      continue
    }
    if (row) add(row)
    at += span
  }
  return { rows, open: null }
}

/** For each line the one that closes a quote opened in it; null where there is none within MAX_RECORD_BYTES. */
function closingLinesOf(block: Block): (number | null)[] {
  const count = block.lineCount
  const bytes = Array<number>(count + 1).fill(0)
  const isOdd = Array<boolean>(count + 1).fill(false)
  for (let line = 0; line < count; line++) {
    const text = block.lines(line, line + 1)
    bytes[line + 1] = bytes[line]! + text.length
    isOdd[line + 1] = isOdd[line] !== (countQuotes(text) % 2 === 1)
  }
  // From the end: after which line the quotes from the start of the block are odd, or even, next.
  const next: { odd: number | null; even: number | null } = { odd: null, even: null }
  const closing = Array<number | null>(count).fill(null)
  for (let line = count - 1; line >= 0; line--) {
    next[isOdd[line + 1] ? 'odd' : 'even'] = line
    const end = next[isOdd[line] ? 'odd' : 'even']
    if (end !== null && bytes[end]! - bytes[line]! <= MAX_RECORD_BYTES) closing[line] = end
  }
  return closing
}

function countQuotes(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(QUOTE); at >= 0; at = bytes.indexOf(QUOTE, at + 1)) count++
  return count
}

function readRecord(
  block: Block,
  at: number,
  span: number,
  dialect: Dialect,
): ParsedRow | RowProblem | null {
  const bytes = block.lines(at, at + span)
  if (!isUtf8(bytes)) return NOT_UTF8
  if (bytes.includes(NUL)) return HAS_NUL
  let records: string[][]
  try {
    records = (span === 1 && splitPlain(new Block(bytes, at), dialect)) || cellsOf(bytes, dialect)
  } catch (error) {
    return (error as CsvError).code === 'CSV_QUOTE_NOT_CLOSED' ? UNCLOSED_QUOTE : MISPLACED_QUOTE
  }
  const [cells] = records
  if (!cells || records.length > 1) return MISPLACED_QUOTE
  if (span > 1 && !maySpanLines(cells, dialect)) return UNCLOSED_QUOTE
  return rowOf(block, at, span, cells, dialect)
}

/** A wrong number of columns, or a line end in a code, shows that a stray quote joined separate rows. */
function maySpanLines(cells: string[], dialect: Dialect): boolean {
  return hasWidth(cells, dialect) && !dialect.oneLine.some((index) => cells[index]!.includes('\n'))
}

const isOfQuote = (problem: RowProblem) => problem === MISPLACED_QUOTE || problem === UNCLOSED_QUOTE
