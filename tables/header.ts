import { isUtf8 } from 'node:buffer'
import type { Block } from './blocks.ts'
import { findColumns, type FoundColumns, type WantedColumns } from './columns.ts'
import { columnsNamed } from './names.ts'
import { cellsOf } from './parse.ts'
import type { Dialect } from './parse.ts'
import { TableRefused } from './refusal.ts'

/** The one known column whose cells may hold several lines. */
const PROSE = 'name'
const SEPARATORS = [',', ';', '\t', '|']
/** Excel's own first line: `sep=;`. */
const DECLARED_SEPARATOR = /^\ufeff?"?sep=(.)"?[\s,;]*$/i

/** The columns of a file, as its first line declares them. */
export interface Header extends Dialect, FoundColumns {
  line: number
}

/**
 * Reads the header line from the blocks of a file; blank lines before it are skipped.
 * @returns the header, and the lines after it that were read in the same block
 * @throws TableRefused empty_file | invalid_encoding | invalid_header | missing_column | duplicate_column |
 * ambiguous_column
 */
export async function readHeader(
  blocks: AsyncIterator<Block, undefined>,
  wanted: WantedColumns,
  trim: boolean,
): Promise<{ header: Header; rest: Block }> {
  let declared: string | undefined
  for (;;) {
    const { value: block, done } = await blocks.next()
    if (done) throw new TableRefused('empty_file', 'the file is empty, it has no header', 1)
    if (block.isTooLong)
      throw new TableRefused('invalid_header', 'the header is too long', block.firstLine)
    for (let at = 0; at < block.lineCount; at++) {
      const bytes = block.lines(at, at + 1)
      const written = bytes.toString()
      const text = written.trim()
      const [, separator] = DECLARED_SEPARATOR.exec(written) ?? []
      if (separator && !declared) declared = separator
      else if (text) {
        const lineAt = (index: number) =>
          headerOf(block.lines(index, index + 1), block.firstLine + index, declared, wanted, trim)
        const header = orHint(
          () => lineAt(at),
          block.lineCount - at - 1,
          (more) => lineAt(at + more).line,
        )
        return { header, rest: block.after(at + 1) }
      }
    }
  }
}

/** Lines above the header that are looked beyond. */
const MAX_TITLE_LINES = 30

/**
 * Reads a header.
 * @param lineOf the line of the header that stands some lines further on; it throws where there is none
 * @throws TableRefused missing_column, which names the line that could be the header instead
 */
export function orHint(read: () => Header, more: number, lineOf: (more: number) => number): Header {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof TableRefused) || error.code !== 'missing_column') throw error
    for (let next = 1; next <= Math.min(more, MAX_TITLE_LINES); next++) {
      const line = orNull(() => lineOf(next))
      if (line === null) continue
      const hint = `the header seems to be in line ${line}: delete what stands above it`
      const refusal = new TableRefused(error.code, `${error.message}; ${hint}`, error.line)
      refusal.headerLine = line
      throw refusal
    }
    throw error
  }
}

function orNull<T>(read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    if (error instanceof TableRefused) return null
    throw error
  }
}

function headerOf(
  bytes: Buffer,
  line: number,
  declared: string | undefined,
  wanted: WantedColumns,
  trim: boolean,
): Header {
  if (!isUtf8(bytes) || bytes.includes(0)) {
    const message = 'the header is no text: save the file as CSV UTF-8'
    throw new TableRefused('invalid_encoding', message, line)
  }
  const { delimiter, names } = split(bytes, line, declared ? [declared] : SEPARATORS, wanted)
  if (names.some((name) => name.includes('\r'))) {
    const message = 'lines must end with LF or CRLF, not CR alone'
    throw new TableRefused('invalid_header', message, line)
  }
  // A blank cell after a comma can be what a decimal comma has pushed there.
  const maxCells = delimiter === ',' ? names.length : Infinity
  return { line, delimiter, trim, maxCells, ...columnsOf(names, wanted, line) }
}

/** The columns by their names, blank ones at the end left out. */
export function columnsOf(
  names: string[],
  wanted: WantedColumns,
  line: number,
): FoundColumns & Pick<Dialect, 'columnCount' | 'oneLine' | 'required'> {
  const columnCount = names.findLastIndex((name) => name) + 1
  const found = findColumns(names.slice(0, columnCount), wanted, line)
  const oneLine = [...found.columns].flatMap(([name, index]) => (name === PROSE ? [] : [index]))
  const indices = (form: readonly string[] = []) => form.map((name) => found.columns.get(name))
  const form = [indices(wanted.required), indices(wanted.or)].find(
    (each) => !each.includes(undefined),
  )
  return { columnCount, oneLine, required: (form ?? []) as number[], ...found }
}

/** Chooses the separator that yields the most known columns, then the most columns. */
function split(
  bytes: Buffer,
  line: number,
  separators: string[],
  { required, optional }: WantedColumns,
) {
  const isKnown = (name: string) =>
    [name.toLowerCase(), ...columnsNamed(name)].some(
      (each) => required.includes(each) || optional.includes(each),
    )
  const rate = (names: string[]) => names.filter(isKnown).length * 1e6 + names.length
  const splits = separators.flatMap((delimiter) => {
    const names = namesOf(bytes, delimiter)
    return names ? [{ delimiter, names }] : []
  })
  const [first, ...others] = splits
  if (!first) throw new TableRefused('invalid_header', 'the header has a stray quote', line)
  return others.reduce((best, next) => (rate(next.names) > rate(best.names) ? next : best), first)
}

function namesOf(bytes: Buffer, delimiter: string): string[] | null {
  try {
    const [names = []] = cellsOf(bytes, { delimiter, trim: true })
    return names.map((name) => name.trim())
  } catch {
    return null
  }
}
