import { isAscii } from 'node:buffer'
import type { Block } from './blocks.ts'

const QUOTE = 34
const NEWLINE = 10
const RETURN = 13

/**
 * The cells of each line of a block without quotes, which need no CSV parser; null for a block with one. Each cell is a
 * string of its own: parts of one string would keep the text of the whole block in memory.
 */
export function splitPlain({ bytes }: Block, delimiter: string): string[][] | null {
  if (bytes.includes(QUOTE)) return null
  const separator = delimiter.charCodeAt(0)
  const encoding = isAscii(bytes) ? 'latin1' : 'utf8'
  const records: string[][] = []
  let cells: string[] = []
  let from = 0
  for (let at = 0; at <= bytes.length; at++) {
    const byte = at < bytes.length ? bytes[at] : NEWLINE
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
