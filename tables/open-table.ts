import { type Block, blocks } from './blocks.ts'
import type { WantedColumns } from './columns.ts'
import { Decoder, type Encoding } from './encoding.ts'
import { findFormats, type Kinds } from './find-formats.ts'
import type { DeclaredFormats, Formats } from './formats.ts'
import { type Header, readHeader } from './header.ts'
import type { ParsedRow } from './parse.ts'
import { readRows } from './rows.ts'
import { isWorkbook, readWorkbook } from './workbook.ts'

/** A file that can be read from its start any number of times, and what is to be read of it. */
export interface TableSource {
  /** Its bytes from the start, unpacked. */
  chunks(): AsyncIterable<Buffer>
  wanted: WantedColumns
  /** Whether blanks around cells are left out. */
  trim: boolean
  /** What the columns of these rows hold. */
  kindsOf(header: Header, rows: ParsedRow[]): Kinds
  declared: DeclaredFormats
}

/** One reading of a file: its header is read, and how its cells are written is known. */
export interface OpenTable {
  header: Header
  formats: Formats
  /** Final only once all rows are read. */
  encoding(): Encoding
  /** The rows after the header, some at a time. */
  rows(): AsyncIterable<ParsedRow[]>
  close(): Promise<void>
}

/**
 * Opens a CSV file or a workbook, whatever its name is.
 * @throws TableRefused where it cannot be read as a whole
 */
export async function openTable(source: TableSource): Promise<OpenTable> {
  const chunks = source.chunks()[Symbol.asyncIterator]()
  const first = await chunks.next()
  const all = withFirst(first.done ? [] : [first.value], chunks)
  if (!first.done && isWorkbook(first.value)) return openWorkbook(source, all)
  const scanned = await openText(source, all)
  const formats = await formatsOf(source, scanned).finally(() => scanned.close())
  return { ...(await openText(source, source.chunks())), formats }
}

type Unread = Omit<OpenTable, 'formats'>

async function openText(
  { wanted, trim }: TableSource,
  chunks: AsyncIterable<Buffer>,
): Promise<Unread> {
  const decoder = new Decoder()
  const lines = blocks(decoder.decode(chunks))
  const close = async () => {
    await lines.return(undefined)
  }
  try {
    const { header, rest } = await readHeader(lines, wanted, trim)
    const rows = () => readRows(withFirst<Block>([rest], lines), header)
    return { header, encoding: () => decoder.encoding, rows, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function openWorkbook(
  source: TableSource,
  chunks: AsyncIterable<Buffer>,
): Promise<OpenTable> {
  const { header, rows } = await readWorkbook(chunks, source.wanted)
  const table: Unread = {
    header,
    encoding: () => 'UTF-8',
    async *rows() {
      yield rows
    },
    close: async () => {},
  }
  return { ...table, formats: await formatsOf(source, table) }
}

const formatsOf = ({ kindsOf, declared }: TableSource, { header, rows }: Unread) =>
  findFormats(rows(), header, (some) => kindsOf(header, some), declared)

async function* withFirst<T>(first: T[], others: AsyncIterator<T>): AsyncGenerator<T> {
  try {
    yield* first
    for (let next = await others.next(); !next.done; next = await others.next()) yield next.value
  } finally {
    await others.return?.()
  }
}
