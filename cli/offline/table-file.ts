import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { WantedColumns } from '../../tables/columns.ts'
import { describeTable, ENCODING_WARNING } from '../../tables/describe.ts'
import type { Kinds } from '../../tables/find-formats.ts'
import type { DeclaredFormats, Formats } from '../../tables/formats.ts'
import { openTable } from '../../tables/open-table.ts'
import { TableRefused } from '../../tables/refusal.ts'
import { HistoryError } from './failure.ts'

const CHUNK_BYTES = 64 * 1024
const GZIP_MAGIC = 0x1f8b

/** The bytes of a file, unpacked if it is gzipped. @throws HistoryError where it cannot be read */
async function* bytesOf(path: string): AsyncGenerator<Buffer> {
  try {
    const isPacked = await hasGzipMagic(path)
    const file = createReadStream(path, { highWaterMark: CHUNK_BYTES })
    if (!isPacked) return void (yield* file as AsyncIterable<Buffer>)
    const gunzip = createGunzip({ chunkSize: CHUNK_BYTES })
    // The consumer of the iterator gets the error; without this callback it would also be thrown here.
    pipeline(file, gunzip, () => {})
    yield* gunzip as AsyncIterable<Buffer>
  } catch (error) {
    throw unreadable(error, path)
  }
}

async function hasGzipMagic(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0)
    return bytesRead === 2 && buffer.readUInt16BE() === GZIP_MAGIC
  } finally {
    await file.close()
  }
}

const FILE_PROBLEMS: Record<string, string> = {
  ENOENT: 'no such file',
  EISDIR: 'is a folder',
  EACCES: 'may not be read',
}

function unreadable(error: unknown, path: string): unknown {
  const code = (error as NodeJS.ErrnoException).code ?? ''
  if (code.startsWith('Z_')) return new HistoryError(`${path}: the packed file is damaged`)
  if (/^E[A-Z]+$/.test(code)) return new HistoryError(`${path}: ${FILE_PROBLEMS[code] ?? code}`)
  return error
}

/** An invalid row; the reader adds its line. */
export class BadRow extends Error {
  override name = 'BadRow'
}

/** The columns to read of a file, and how they are written where a person says so. */
interface Wanted {
  columns: WantedColumns
  kinds: Kinds
  declared: DeclaredFormats
}

/** Takes the cells of a row. @throws BadRow */
type Take = (cells: string[]) => void

/**
 * Reads a table from a file: CSV, packed or not, or a workbook.
 * @param begin gets the index of each column, and gives what takes the rows
 * @returns how the file was understood, where that is worth a look: sentences
 * @throws HistoryError `line N: …` at the first invalid row, or where the file cannot be read
 */
export async function readTable(
  path: string,
  { columns, kinds, declared }: Wanted,
  begin: (columns: ReadonlyMap<string, number>, formats: Formats) => Take,
): Promise<string[]> {
  const wanted = { wanted: columns, trim: false, kindsOf: () => kinds, declared }
  let line = 0
  try {
    const table = await openTable({ chunks: () => bytesOf(path), ...wanted })
    try {
      const take = begin(table.header.columns, table.formats)
      for await (const rows of table.rows()) {
        for (const { line: at, cells, problem } of rows) {
          line = at
          if (problem) throw new BadRow(problem.message)
          take(cells)
        }
      }
    } finally {
      await table.close()
    }
    const understood = describeTable(table.header, table.formats, table.encoding())
    const name = basename(path)
    return [
      ...(understood ? [`${name} was read so: ${understood}.`] : []),
      ...(table.encoding() === 'Windows-1252' ? [`${name}: ${ENCODING_WARNING}.`] : []),
    ]
  } catch (error) {
    throw toHistoryError(error, line)
  }
}

const FLAGS = { date_format: '--date-format', decimal: '--decimal' }

function toHistoryError(error: unknown, line: number): unknown {
  if (error instanceof BadRow) return new HistoryError(`line ${line}: ${error.message}`)
  if (!(error instanceof TableRefused)) return error
  const { remedy, message } = error
  const values = remedy?.values.map((value) => `${FLAGS[remedy.setting]} ${value}`)
  const how = values ? `; add ${values.join(' or ')}` : ''
  return new HistoryError(`line ${error.line ?? (line || 1)}: ${message}${how}`)
}
