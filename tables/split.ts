import { isAscii } from 'node:buffer'
import type { Block } from './blocks.ts'
import type { Dialect } from './parse.ts'

const QUOTE = 34
const NEWLINE = 10
const RETURN = 13

/**
 * The cells of each line of a block in which no cell begins with a quote, which need no CSV parser; null for others. Further
 * on in a cell that nobody reads a quote stands for itself, as in `12" pipe`. Each cell is a string of its own: parts of one string would keep the text
 * of the whole block in memory.
 */
export function splitPlain({ bytes }: Block, { delimiter, oneLine }: Dialect): string[][] | null {
  const hasQuotes = bytes.includes(QUOTE)
  const separator = delimiter.charCodeAt(0)
  const encoding = isAscii(bytes) ? 'latin1' : 'utf8'
  const records: string[][] = []
  let cells: string[] = []
  let from = 0
  for (let at = 0; at <= bytes.length; at++) {
    const byte = at < bytes.length ? bytes[at] : NEWLINE
    if (hasQuotes && byte === QUOTE) {
      // In a column that is read it is more likely to be astray.
      if (oneLine.includes(cells.length) || isBlank(bytes, from, at)) return null
    }
    if (byte === separator) {
      cells.push(bytes.toString(encoding, from, at))
      from = at + 1
    } else if (byte === NEWLINE) {
      if (from === bytes.length && !cells.length) break
      const end = at > from && bytes[at - 1] === RETURN ? at - 1 : at
      cells.push(bytes.toString(encoding, from, end))
      records.push(cells)
      cells = []
      from = at + 1
    }
  }
  return records
}

const BLANKS: readonly (number | undefined)[] = [32, 9, 0xef, 0xbb, 0xbf]

function isBlank(bytes: Buffer, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (!BLANKS.includes(bytes[at])) return false
  return true
}
