// Problems of a whole row; docs/guides/csv.md lists the codes.
import { MAX_RECORD_BYTES } from './blocks.ts'

/** Why a row cannot be read: a stable code and a sentence. */
export interface RowProblem {
  code: string
  target: null
  message: string
}

const ofRow = (code: string, message: string): RowProblem => ({ code, target: null, message })

export const TOO_LONG = ofRow('row_too_long', `A row may have at most ${MAX_RECORD_BYTES} bytes.`)

export const UNCLOSED_QUOTE = ofRow(
  'unclosed_quote',
  'A quote is opened and not closed; write a quote within a cell twice.',
)

export const MISPLACED_QUOTE = ofRow(
  'misplaced_quote',
  'Quotes enclose a whole cell; write a quote within a cell twice.',
)

export const NOT_UTF8 = ofRow('invalid_encoding', 'The row is not UTF-8 text.')

export const HAS_NUL = ofRow('invalid_encoding', 'The row contains a NUL character.')

export const TOTAL_ROW = ofRow(
  'missing_value',
  'The row seems to be a total of the others: leave it out.',
)

/** A quote is told with what stands around it. */
export const atQuote = (problem: RowProblem, line: string): RowProblem => {
  const at = STRAY_QUOTE.exec(line)?.index ?? line.indexOf('"')
  const from = Math.max(0, at - 20)
  const excerpt = line.slice(from, from + 40).trim()
  return { ...problem, message: `${problem.message.slice(0, -1)}: ${excerpt}` }
}

/** One that closes a cell before its end. */
const STRAY_QUOTE = /(?<=[^\s,;|"])"(?!["\s,;|]|$)|(?<=[^\s,;|"])" (?=[^\s,;|])/

/** With a comma as separator a number with a decimal comma is two cells. */
export function wrongColumnCount(
  found: number,
  { columnCount, delimiter }: { columnCount: number; delimiter: string },
): RowProblem {
  const isSplit = delimiter === ',' && found > columnCount
  const hint = isSplit ? '; 1,5 is two cells: quote it or separate by ";"' : ''
  const name = JSON.stringify(delimiter)
  const one = found === 1 ? `; separate them by ${name} as there, or leave the row out` : ''
  return ofRow(
    'wrong_column_count',
    `The row has ${found} column${found === 1 ? '' : 's'}, the header ${columnCount}${hint}${one}.`,
  )
}
