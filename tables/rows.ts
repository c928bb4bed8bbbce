// Blocks of lines → rows of cells. Whole blocks go to csv-parse; invalid ones are parsed line by line.
import { isUtf8 } from 'node:buffer'
import { Block } from './blocks.ts'
import { BrokenRows } from './broken-rows.ts'
import { parseLineByLine } from './line-by-line.ts'
import { badLine, cellsOf, rowOf } from './parse.ts'
import type { Dialect, ParsedRow } from './parse.ts'
import { TOO_LONG } from './row-problems.ts'
import { splitPlain } from './split.ts'

/**
 * The rows of a file in its order, an array for each block; blank lines are left out.
 * @throws TableRefused too_many_bad_rows where nearly none can be read
 */
export async function* readRows(
  blocks: AsyncIterable<Block>,
  dialect: Dialect,
): AsyncGenerator<ParsedRow[]> {
  let open: Block | null = null
  const broken = new BrokenRows()
  for await (const block of blocks) {
    if (block.isTooLong) {
      if (open) yield parseLineByLine(open, dialect, true, broken).rows
      open = null
      const row = badLine(block, 0, TOO_LONG)
      broken.add(row)
      yield [row]
      continue
    }
    const whole = open ? null : parseWholeBlock(block, dialect)
    if (whole) {
      for (const row of whole) broken.add(row)
      yield whole
      continue
    }
    const parsed = parseLineByLine(open ? joined(open, block) : block, dialect, false, broken)
    yield parsed.rows
    open = parsed.open
  }
  if (open) yield parseLineByLine(open, dialect, true, broken).rows
}

/** Parses a block in which every line is one valid record, the common case; null for other blocks. */
function parseWholeBlock(block: Block, dialect: Dialect): ParsedRow[] | null {
  if (!isUtf8(block.bytes) || block.bytes.includes(0)) return null
  const records = splitPlain(block, dialect) ?? parsed(block, dialect)
  if (!records) return null
  // The line numbers are known only if there is one record per line.
  if (records.length !== block.lineCount) return null
  return records.flatMap((cells, at) => rowOf(block, at, 1, cells, dialect) ?? [])
}

function parsed(block: Block, dialect: Dialect): string[][] | null {
  try {
    return cellsOf(block.bytes, dialect)
  } catch {
    return null
  }
}

const joined = (first: Block, second: Block) =>
  new Block(Buffer.concat([first.bytes, second.bytes]), first.firstLine)
