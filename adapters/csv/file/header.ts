import { isUtf8 } from 'node:buffer'
import { Fatal } from '../../errors.ts'
import type { Block } from './blocks.ts'
import { truncateText } from '../../rows/text.ts'
import { cellsOf } from './parse.ts'
import type { Dialect } from './parse.ts'
import type { Table } from '../tables.ts'

/** The one known column whose cells may hold several lines. */
const PROSE = 'name'
const SEPARATORS = [',', ';', '\t', '|']

/** The columns of a file, as its first line declares them. */
export interface Header extends Dialect {
  /** The index of each known column, by its name in lower case. */
  columns: Map<string, number>
  /** Lines after the header that were read in the same block. */
  rest: Block
}

/**
 * Reads the header line from the blocks of a file; blank lines before it are skipped.
 * @throws Fatal empty_file | invalid_encoding | invalid_header | missing_column | duplicate_column
 */
export async function readHeader(
  file: string,
  blocks: AsyncIterator<Block, undefined>,
  table: Table,
): Promise<Header> {
  const { line, rest } = await firstLine(file, blocks)
  if (!isUtf8(line) || line.includes(0)) {
    throw new Fatal('invalid_encoding', `${file} is not UTF-8 text; save it as UTF-8.`, file)
  }
  const known = [...table.requiredColumns, ...table.optionalColumns]
  const { names, delimiter } = split(file, line, known)
  if (names.some((name) => name.includes('\r'))) {
    const message = `The lines of ${file} must end with LF or CRLF, not CR alone.`
    throw new Fatal('invalid_header', message, file)
  }
  const columns = columnsOf(file, names, table.requiredColumns, known)
  const oneLine = [...columns].flatMap(([name, index]) => (name === PROSE ? [] : [index]))
  return { delimiter, columnCount: names.length, oneLine, columns, rest }
}

async function firstLine(file: string, blocks: AsyncIterator<Block, undefined>) {
  for (;;) {
    const { value: block, done } = await blocks.next()
    if (done) throw new Fatal('empty_file', `${file} is empty; it lacks a header.`, file)
    if (block.isTooLong)
      throw new Fatal('invalid_header', `The header of ${file} is too long.`, file)
    for (let at = 0; at < block.lineCount; at++) {
      const line = block.lines(at, at + 1)
      if (line.toString().trim()) return { line, rest: block.after(at + 1) }
    }
  }
}

/** Chooses the separator that yields the most known columns, then the most columns. */
function split(file: string, line: Buffer, known: string[]) {
  const rate = (names: string[]) =>
    names.filter((name) => known.includes(name)).length * 1e6 + names.length
  const splits = SEPARATORS.flatMap((delimiter) => {
    const names = namesOf(line, delimiter)
    return names ? [{ delimiter, names }] : []
  })
  const [first, ...others] = splits
  if (!first) throw new Fatal('invalid_header', `The header of ${file} has a stray quote.`, file)
  return others.reduce((best, next) => (rate(next.names) > rate(best.names) ? next : best), first)
}

function namesOf(line: Buffer, delimiter: string): string[] | null {
  try {
    const [names = []] = cellsOf(line, delimiter)
    return names.map((name) => name.trim().toLowerCase())
  } catch {
    return null
  }
}

function columnsOf(file: string, names: string[], required: string[], known: string[]) {
  const columns = new Map<string, number>()
  names.forEach((name, index) => {
    if (!known.includes(name)) return
    if (columns.has(name)) {
      throw new Fatal('duplicate_column', `${file} has the column ${name} twice.`, file)
    }
    columns.set(name, index)
  })
  const missing = required.filter((name) => !columns.has(name))
  if (!missing.length) return columns
  const found = truncateText(names.join(', '), 300)
  const message = `${file} lacks the column ${missing.join(', ')}; it has ${found}.`
  throw new Fatal('missing_column', message, file)
}
