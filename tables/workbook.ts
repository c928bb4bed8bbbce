// Excel workbooks (.xlsx): they are small enough to be read whole.
import { inflateRawSync } from 'node:zlib'
import type { WantedColumns } from './columns.ts'
import { columnsOf, type Header, orHint } from './header.ts'
import { type ParsedRow, toRow } from './parse.ts'
import { TableRefused } from './refusal.ts'
import { isTyped, typedCell } from './typed.ts'

/** Unpacked; about half a million rows. Reading takes some eight times as much memory. */
export const MAX_WORKBOOK_BYTES = 64 * 1024 * 1024

const START = Buffer.from('PK\x03\x04', 'latin1')
const DIRECTORY_ENTRY = Buffer.from('PK\x01\x02', 'latin1')
/** The list of sheets, which may say how days are counted: `1` is read by the library, `true` is not. */
const BOOK = 'xl/workbook.xml'
const MAX_BOOK_BYTES = 1024 * 1024
const DIRECTORY_END = Buffer.from('PK\x05\x06', 'latin1')

/** A workbook has no separator that would tell how numbers are written. */
const NONE = ''

/** By the first bytes, which are those of a ZIP archive. */
export const isWorkbook = (chunk: Buffer): boolean => chunk.subarray(0, 4).equals(START)

/** The header and the rows of a workbook's sheet. */
export interface Sheet {
  header: Header
  rows: ParsedRow[]
}

/**
 * Reads the one sheet that has the columns.
 * @throws TableRefused invalid_workbook, also where several sheets have them, or what is wrong with the header of the likeliest sheet
 */
export async function readWorkbook(
  chunks: AsyncIterable<Buffer>,
  wanted: WantedColumns,
): Promise<Sheet> {
  const sheets = await sheetsOf(await bytesOf(chunks))
  const refusals: { name: string; error: unknown }[] = []
  const found: { name: string; sheet: Sheet }[] = []
  for (const { name, cells } of sheets) {
    try {
      found.push({ name, sheet: sheetOf(cells, wanted) })
    } catch (error) {
      refusals.push({ name, error })
    }
  }
  const [first, ...others] = found
  if (!first) throw likeliest(refusals)
  if (!others.length) return first.sheet
  const names = found.map(({ name }) => `"${name}"`).join(' and ')
  throw invalid(`the sheets ${names} all have the columns: keep one of them`)
}

/** What is wrong with the sheet that seems to be meant: one with a header further down, else the first. */
function likeliest(refusals: { name: string; error: unknown }[]): unknown {
  const [first] = refusals
  const titled = refusals.find(({ error }) => error instanceof TableRefused && error.headerLine)
  if (!titled || titled === first) return first?.error ?? invalid('the workbook has no sheet')
  const { code, message, line } = titled.error as TableRefused
  return new TableRefused(code, `sheet "${titled.name}": ${message}`, line)
}

function sheetOf(cells: string[][], wanted: WantedColumns): Sheet {
  const at = cells.findIndex((row) => row.some(Boolean))
  if (at < 0) throw new TableRefused('empty_file', 'the sheet is empty, it has no header', 1)
  const headerAt = (index: number): Header => {
    const names = cells[index]!.map((name) => name.trim())
    const line = index + 1
    return {
      line,
      delimiter: NONE,
      trim: false,
      maxCells: Infinity,
      ...columnsOf(names, wanted, line),
    }
  }
  const header = orHint(
    () => headerAt(at),
    cells.length - at - 1,
    (more) => headerAt(at + more).line,
  )
  const rows = cells.slice(at + 1).flatMap((row, i) => {
    const padded = row.concat(Array<string>(Math.max(0, header.columnCount - row.length)).fill(''))
    return toRow(at + 2 + i, padded, header, () => row.map((cell) => cell.trim()).join(',')) ?? []
  })
  return { header, rows }
}

async function bytesOf(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = []
  let length = 0
  for await (const chunk of chunks) {
    all.push(chunk)
    length += chunk.length
    if (length > MAX_WORKBOOK_BYTES) throw tooLarge()
  }
  return Buffer.concat(all)
}

async function sheetsOf(bytes: Buffer): Promise<{ name: string; cells: string[][] }[]> {
  const unpacked = unpackedBytes(bytes)
  if (unpacked === null) throw invalid('the workbook is damaged: save it again as .xlsx or as CSV')
  if (unpacked > MAX_WORKBOOK_BYTES) throw tooLarge()
  // It is loaded only for workbooks.
  const { default: readSheets } = await import('read-excel-file/node')
  try {
    const sheets = await readSheets(bytes, { trim: false })
    return sheets.map(({ sheet, data }) => ({
      name: sheet,
      cells: data.map((row) => row.map(textOf)),
    }))
  } catch {
    throw invalid('the workbook cannot be read: save it again as .xlsx or as CSV')
  }
}

/** A cell as text: numbers and days are marked as such. */
function textOf(cell: unknown): string {
  if (typeof cell === 'string') return isTyped(cell) ? cell.trim() : cell
  if (typeof cell === 'number') return typedCell(String(cell))
  if (cell instanceof Date) return dayOf(cell)
  return typeof cell === 'boolean' ? String(cell) : ''
}

/** A time of day is a binary fraction of a day, which may lie a little before the second. */
function dayOf(date: Date): string {
  const ms = date.getTime()
  return Number.isNaN(ms) ? '' : typedCell(new Date(ms + 500).toISOString().slice(0, 10))
}

/** The unpacked size by the archive's directory; null where it has none. */
function unpackedBytes(archive: Buffer): number | null {
  const end = archive.lastIndexOf(DIRECTORY_END)
  if (end < 0 || end + 20 > archive.length) return null
  let at = archive.readUInt32LE(end + 16)
  let sum = 0
  while (at + 46 <= end && archive.subarray(at, at + 4).equals(DIRECTORY_ENTRY)) {
    sum += archive.readUInt32LE(at + 24)
    const name = archive.toString('latin1', at + 46, at + 46 + archive.readUInt16LE(at + 28))
    if (name === BOOK && countsFrom1904(archive, archive.readUInt32LE(at + 42)))
      throw invalid('the workbook counts days from 1904: save it as CSV')
    const lengths = [28, 30, 32].map((offset) => archive.readUInt16LE(at + offset))
    at += lengths.reduce((total, length) => total + length, 46)
  }
  return sum
}

/** @param at where the packed file starts, with a header of its own */
function countsFrom1904(archive: Buffer, at: number): boolean {
  try {
    const start = at + 30 + archive.readUInt16LE(at + 26) + archive.readUInt16LE(at + 28)
    const packed = archive.subarray(start)
    const isPacked = archive.readUInt16LE(at + 8) !== 0
    const text = isPacked ? inflateRawSync(packed, { maxOutputLength: MAX_BOOK_BYTES }) : packed
    return /\sdate1904="true"/.test(text.toString('latin1', 0, MAX_BOOK_BYTES))
  } catch {
    return false
  }
}

const invalid = (message: string) => new TableRefused('invalid_workbook', message)
const tooLarge = () =>
  invalid('the workbook is too large to be read whole: save it as CSV, which has no limit')
