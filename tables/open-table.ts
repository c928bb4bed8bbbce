import { type Block, blocks } from './blocks.ts'
import type { WantedColumns } from './columns.ts'
import { Decoder, type Encoding } from './encoding.ts'
import { findFormats, type Kinds } from './find-formats.ts'
import type { DeclaredFormats, Formats } from './formats.ts'
import { type Header, readHeader } from './header.ts'
import type { ParsedRow } from './parse.ts'
import { readRows } from './rows.ts'

/** A file that can be read from its start any number of times. */
export interface TableSource {
  /** Its bytes, unpacked. */
  chunks(): AsyncIterable<Buffer>
  wanted: WantedColumns
  /** Whether blanks around cells are left out. */
  trim: boolean
}

/** One reading of a file, its header read. */
export interface OpenTable {
  header: Header
  /** Final only once all rows are read. */
  encoding(): Encoding
  /** The rows after the header, some at a time. */
  rows(): AsyncGenerator<ParsedRow[]>
  close(): Promise<void>
}

/** @throws TableRefused where the header cannot be read */
export async function openTable({ chunks, wanted, trim }: TableSource): Promise<OpenTable> {
  const decoder = new Decoder()
  const lines = blocks(decoder.decode(chunks()))
  const close = async () => {
    await lines.return(undefined)
  }
  try {
    const { header, rest } = await readHeader(lines, wanted, trim)
    return {
      header,
      encoding: () => decoder.encoding,
      rows: () => readRows(withFirstBlock(rest, lines), header),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Finds how the cells of a file are written; reads no more rows than are needed for that. */
export async function formatsOfTable(
  source: TableSource,
  kindsOf: (header: Header) => (rows: ParsedRow[]) => Kinds,
  declared: DeclaredFormats,
): Promise<Formats> {
  const table = await openTable(source)
  try {
    return await findFormats(table.rows(), table.header, kindsOf(table.header), declared)
  } finally {
    await table.close()
  }
}

async function* withFirstBlock(first: Block, others: AsyncIterable<Block>) {
  yield first
  yield* others
}
