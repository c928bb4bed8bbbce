import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { CsvError, type Info, parse } from 'csv-parse'
import { HistoryError } from './history-error.ts'

/** A longer record means an unclosed quote. */
const MAX_RECORD_BYTES = 1 << 20
const GZIP_MAGIC = 0x1f8b

/**
 * Calls `take` with the cells of each record of a CSV file, which may be gzipped. An error of `take` ends
 * the reading and is rethrown.
 * @throws HistoryError where the file cannot be read or is not CSV
 */
async function eachRecord(path: string, take: (cells: string[]) => void): Promise<void> {
  await read(path, {}, (record: string[]) => take(record))
}

/** An invalid row; its line number is determined only when the error is reported. */
export class BadRow extends Error {
  override name = 'BadRow'
}

/**
 * Reads the header, then each record after it, like {@link eachRecord}.
 * @param take throws {@link BadRow} for an invalid row
 * @throws HistoryError `line N: …` at the first such row, or where there is no header
 */
export async function eachRow(
  path: string,
  header: (cells: string[]) => void,
  take: (cells: string[]) => void,
): Promise<void> {
  let index = 0
  try {
    await eachRecord(path, (cells) => {
      if (index === 0) header(cells)
      else take(cells)
      index++
    })
  } catch (error) {
    if (!(error instanceof BadRow)) throw error
    throw new HistoryError(`line ${await lineOfRecord(path, index)}: ${error.message}`)
  }
  if (index === 0) throw new HistoryError('line 1: the file is empty, it has no header')
}

/** The last line of record `index` (0 is the header); slower than reading. */
async function lineOfRecord(path: string, index: number): Promise<number> {
  let line = 0
  let seen = 0
  await read(path, { info: true }, ({ info }: { info: Info }) => {
    if (seen++ === index) line = info.lines
  })
  return line
}

async function read<T>(path: string, options: object, take: (record: T) => void): Promise<void> {
  const parser = parse({
    bom: true,
    skip_empty_lines: true,
    max_record_size: MAX_RECORD_BYTES,
    ...options,
  })
  const next = () => parser.read() as T | null
  parser.on('readable', () => {
    try {
      for (let record = next(); record !== null; record = next()) take(record)
    } catch (error) {
      parser.destroy(error as Error)
    }
  })
  try {
    if (await isPacked(path)) await pipeline(createReadStream(path), createGunzip(), parser)
    else await pipeline(createReadStream(path), parser)
  } catch (error) {
    throw toHistoryError(error, path)
  }
}

async function isPacked(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0)
    return bytesRead === 2 && buffer.readUInt16BE() === GZIP_MAGIC
  } finally {
    await file.close()
  }
}

function toHistoryError(error: unknown, path: string): unknown {
  if (error instanceof CsvError)
    return new HistoryError(`line ${error.lines}: ${csvProblem(error)}`)
  const code = (error as NodeJS.ErrnoException).code ?? ''
  if (code.startsWith('Z_')) return new HistoryError(`${path}: the packed file is damaged`)
  if (/^E[A-Z]+$/.test(code)) return new HistoryError(`${path}: ${FILE_PROBLEMS[code] ?? code}`)
  return error
}

const FILE_PROBLEMS: Record<string, string> = {
  ENOENT: 'no such file',
  EISDIR: 'is a folder',
  EACCES: 'may not be read',
}

function csvProblem({ code }: CsvError): string {
  if (code === 'CSV_RECORD_INCONSISTENT_FIELDS_LENGTH') return 'not as many cells as the header has'
  if (code === 'CSV_QUOTE_NOT_CLOSED') return 'a quote is not closed'
  if (code === 'CSV_MAX_RECORD_SIZE') return 'longer than 1 MiB; is a quote not closed?'
  return 'a quote is misplaced'
}
