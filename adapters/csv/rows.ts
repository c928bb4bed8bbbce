// Blocks of lines → rows of cells. csv-parse does the parsing; this decides how much it gets at once.
import { isUtf8 } from 'node:buffer'
import { Block } from './blocks.ts'
import { readCarefully } from './careful.ts'
import { badLine, cellsOf, rowOf } from './parse.ts'
import type { Dialect, ParsedRow } from './parse.ts'
import { TOO_LONG } from './problems.ts'

/** The rows of a file in its order, an array for each block; blank lines are left out. */
export async function* rows(
  blocks: AsyncIterable<Block>,
  dialect: Dialect,
): AsyncGenerator<ParsedRow[]> {
  let open: Block | null = null
  for await (const block of blocks) {
    if (block.tooLong) {
      if (open) yield readCarefully(open, dialect, true).rows
      open = null
      yield [badLine(block, 0, TOO_LONG)]
      continue
    }
    const quick = open ? null : readQuickly(block, dialect)
    if (quick) {
      yield quick
      continue
    }
    const careful = readCarefully(open ? joined(open, block) : block, dialect, false)
    yield careful.rows
    open = careful.open
  }
  if (open) yield readCarefully(open, dialect, true).rows
}

/** The common case: every line is a record and nothing is odd about it. Otherwise null. */
function readQuickly(block: Block, dialect: Dialect): ParsedRow[] | null {
  if (!isUtf8(block.bytes) || block.bytes.includes(0)) return null
  let records: string[][]
  try {
    records = cellsOf(block.bytes, dialect.delimiter)
  } catch {
    return null
  }
  // As many records as lines: none takes two, so each one's line is known.
  if (records.length !== block.lineCount) return null
  return records.flatMap((cells, at) => rowOf(block, at, 1, cells, dialect) ?? [])
}

const joined = (first: Block, second: Block) =>
  new Block(Buffer.concat([first.bytes, second.bytes]), first.firstLine)
