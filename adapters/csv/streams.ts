import { describeTable, ENCODING_WARNING } from '../../tables/describe.ts'
import type { ParsedRow } from '../../tables/parse.ts'
import { TableRefused } from '../../tables/refusal.ts'
import type { Cursor, Page, Stream } from '../adapter.ts'
import { Fatal, Retriable } from '../errors.ts'
import type { RecordKind, RecordOf } from '../records.ts'
import { toQuarantinedRow } from '../rows/pages.ts'
import { type Problem, problemOf } from '../rows/values.ts'
import { hashOf } from './file/content.ts'
import type { Drop, FoundFile } from './file/drop.ts'
import { openFile, type OpenFile } from './file/open-file.ts'
import type { SourceFile } from './file/source-files.ts'
import { ADD } from './add-up.ts'
import type { FirstLines } from './duplicates.ts'
import type { Format } from './options.ts'
import { toFatal } from './refusal.ts'
import { Row } from './row.ts'
import { Sums } from './sums.ts'
import type { Table } from './tables.ts'

const PAGE_ROWS = 5_000
/** Cells that are told one by one. */
const MAX_NOTES = 10
/** Columns that are told by name. */
const MAX_UNREAD = 10

/** The cursor of a missing file. */
const ABSENT: Cursor = 'absent'
/** The cursor of every page but the last: it equals no hash, so an interrupted read starts again. */
const PARTIAL: Cursor = 'partial'

/** One file as a snapshot; its cursor is the SHA-256 of the file's bytes, and behind it the stamp of a remote one. */
export function csvStream<K extends RecordKind>(
  table: Table<K>,
  drop: Drop,
  format: Format,
): Stream<K> {
  return {
    record: table.record,
    cursor: 'snapshot',
    isRequired: table.isRequired,
    isFile: true,
    async *read(since, signal, stored) {
      signal.throwIfAborted()
      const found = await findFile(table, drop, signal)
      if (!found) {
        if (since === ABSENT) return
        if ((await stored?.())?.length) throw missingAgain(table)
        yield absentPage()
        return
      }
      const [hash, stamp] = since?.split(' ') ?? []
      if (found.stamp !== null && found.stamp === stamp) return
      const file = await found.open()
      try {
        if (hash !== undefined && hash === (await hashOf(file, signal))) return
        const { changedAt } = found
        for await (const page of pages(file, found.stamp, table, format, signal))
          yield changedAt === null ? page : { ...page, writtenAt: changedAt }
      } finally {
        await file.handle.close()
      }
    },
  }
}

/** @throws Fatal missing_file where the table is required */
export async function findFile(
  table: Table,
  drop: Drop,
  signal: AbortSignal,
): Promise<FoundFile | null> {
  const file = await drop.find(table.stem, signal)
  if (file || !table.isRequired) return file
  const name = `${table.stem}.csv`
  throw new Fatal(
    'missing_file',
    `The folder lacks ${name}, ${name}.gz or ${table.stem}.xlsx.`,
    name,
  )
}

/** An export that failed looks like one of nothing: what was read stands. */
function missingAgain({ stem }: Table): Fatal {
  const name = `${stem}.csv`
  const message = `${name} was there and is gone: what was read of it stands. If it holds nothing any more, write it with its header alone.`
  return new Fatal('missing_file', message, name)
}

async function* pages<K extends RecordKind>(
  file: SourceFile,
  stamp: string | null,
  table: Table<K>,
  format: Format,
  signal: AbortSignal,
): AsyncGenerator<Page<K>> {
  const reading = new Reading(file, table)
  try {
    for (;;) {
      const opened = await openFile(file, table, format, signal)
      try {
        yield* pagesOf(opened, reading, stamp, signal)
      } finally {
        await opened.close()
      }
      if (reading.isWhole) return
      reading.startAgain()
    }
  } catch (error) {
    throw toFatal(error, file.name)
  }
}

async function* pagesOf<K extends RecordKind>(
  opened: OpenFile,
  reading: Reading<K>,
  stamp: string | null,
  signal: AbortSignal,
): AsyncGenerator<Page<K>> {
  const { content } = opened
  const newPage = (): Page<K> => ({
    records: [],
    quarantined: [],
    cursor: PARTIAL,
    progress: { done: content.done, total: content.total, unit: 'bytes' },
  })
  let page = newPage()
  const addRow = reading.rowAdder(opened)
  for await (const batch of opened.rows()) {
    signal.throwIfAborted()
    for (const row of batch) {
      if (page.records.length + page.quarantined.length >= PAGE_ROWS) {
        yield page
        reading.hasTold = true
        page = newPage()
      }
      addRow(row, page)
    }
  }
  const hash = await content.hash()
  reading.assertSame(hash)
  if (!reading.isWhole) {
    if (reading.hasTold) yield page
    return
  }
  reading.bad.refuseTooMany()
  const { progress } = newPage()
  const cursor = stamp === null ? hash : `${hash} ${stamp}`
  yield { ...page, progress, cursor, notes: [...notesOf(opened, reading.file), ...reading.notes()] }
}

/** How the file was understood, where that is worth a look. */
export function notesOf(opened: OpenFile, name: string): string[] {
  const { header, formats, encoding } = opened
  const understood = describeTable(header, formats, encoding())
  return [
    ...(understood ? [`${name} was read so: ${understood}.`] : []),
    ...(encoding() === 'Windows-1252' ? [`${name}: ${ENCODING_WARNING}.`] : []),
    ...unreadNotes(opened, name),
  ]
}

function unreadNotes({ header: { unread } }: OpenFile, file: string): string[] {
  if (!unread.length) return []
  const names = unread.slice(0, MAX_UNREAD).map(({ name, meant }) => {
    return meant.length ? `${name} (rename it to ${meant.join(' or ')} to have it read)` : name
  })
  const more = unread.length - names.length
  const listed = names.join(', ') + (more > 0 ? ` and ${more} more` : '')
  return [`${file} has columns that nobody reads: ${listed}.`]
}

/**
 * What is known of a file while it is read. Rows of a key that add up may lie far apart: where there are some, the file is
 * read a second time, and no record is told before its last row. Only demand, of which there may be millions of rows, is told
 * from the start; of what is told twice the last stands.
 */
class Reading<K extends RecordKind> {
  readonly file: string
  bad = new BadRows()
  /** Whether pages have been told. */
  hasTold = false
  readonly #table: Table<K>
  readonly #firstLines: FirstLines<RecordOf<K>>
  readonly #sums: Sums<RecordOf<K>> | null
  /** The line from which on rows are told by the second reading. */
  #laterFrom: number
  #isSecond = false
  readonly #spoilt = new Set<string>()
  #hash: string | undefined
  readonly #notes: string[] = []
  #unread = 0

  constructor({ name }: SourceFile, table: Table<K>) {
    const add = ADD[table.record]
    this.file = name
    this.#table = table
    this.#firstLines = table.firstLines()
    this.#sums = add ? new Sums(add) : null
    this.#laterFrom = add && table.record !== 'demand' ? 0 : Infinity
  }

  /** Whether this reading tells the last rows. */
  get isWhole(): boolean {
    return this.#isSecond || this.#laterFrom === Infinity
  }

  /** @throws Retriable where the second reading is of another file than the first */
  assertSame(hash: string): void {
    this.#hash ??= hash
    if (hash !== this.#hash) throw new Retriable(`${this.file} changed while it was read.`)
  }

  startAgain(): void {
    this.#isSecond = true
    if (!this.hasTold) this.bad = new BadRows()
  }

  /** Returns a function that adds a row to a page's records or to its quarantined rows. */
  rowAdder({ header, formats }: OpenFile): (parsed: ParsedRow, page: Page<K>) => void {
    const row = new Row(header.columns, formats)
    const map = this.#table.mapper()
    return (parsed, page) => {
      const { line } = parsed
      let problem: Problem | null = parsed.problem
      let record: RecordOf<K> | null = null
      if (!problem) {
        try {
          row.moveTo(parsed.cells)
          record = map(row)
          const outcome = record && this.#outcomeOf(record, parsed)
          if (outcome) record = outcome.sum
          if (record && this.#isSecond) this.#table.assert?.(record, row, outcome !== null)
          if (record && this.#isSpoilt(row)) record = null
          if (outcome?.leftOut)
            problem = { ...LEFT_OUT[outcome.leftOut](outcome.first), ...row.about() }
        } catch (error) {
          if (error instanceof TableRefused) error.line ??= line
          record = null
          problem = Object.assign(problemOf(error), row.about())
          this.#spoil(row)
        }
      }
      if (line >= this.#laterFrom !== this.#isSecond) return
      this.bad.rows++
      this.#noteUnread(row.unread, line)
      if (record) page.records.push(record)
      if (!problem) return
      this.bad.add(problem, line)
      page.quarantined.push(toQuarantinedRow(`${this.file}:${line}`, parsed.text(), problem))
    }
  }

  /** The first reading finds the rows that are rejected, the second one leaves out the others of their pairs. */
  #spoil(row: Row): void {
    if (this.#table.isKnownWhole && !this.#isSecond) this.#spoilt.add(pairOf(row))
  }

  #isSpoilt(row: Row): boolean {
    return this.#spoilt.size > 0 && this.#spoilt.has(pairOf(row))
  }

  #noteUnread(faults: readonly string[], line: number): void {
    for (const fault of faults) {
      if (this.#unread++ < MAX_NOTES)
        this.#notes.push(`${this.file}, line ${line}: ${fault} The row counts without it.`)
    }
  }

  /** Cells that rows do without. */
  notes(): string[] {
    const more = this.#unread - this.#notes.length
    return more > 0 ? [...this.#notes, `${this.file}: ${more} more cells like these.`] : this.#notes
  }

  /** What becomes of a row of a key that comes several times; null for one that stands alone. */
  #outcomeOf(record: RecordOf<K>, { line, cells }: ParsedRow) {
    const first = this.#firstLines.earlierLine(record, line)
    if (first === null) return null
    if (!this.#sums) return { first, sum: null, leftOut: 'other' as const }
    if (this.#isSecond)
      return this.#sums.isRepeated(first)
        ? { first, ...this.#sums.take(first, record, cells) }
        : null
    this.#sums.note(first)
    if (this.#laterFrom === Infinity) this.#laterFrom = this.hasTold ? line : 0
    return null
  }
}

const pairOf = (row: Row) => JSON.stringify(row.about().about)

function absentPage<K extends RecordKind>(): Page<K> {
  const progress = { done: 0, total: 0, unit: 'bytes' as const }
  return { records: [], quarantined: [], cursor: ABSENT, progress }
}

const LEFT_OUT = {
  copy: (): Problem => ({
    code: 'duplicate_row',
    target: null,
    message: 'The row is a copy of an earlier one; it counts once.',
  }),
  other: (line: number): Problem => ({
    code: 'duplicate_key',
    target: null,
    message: `Line ${line} has the same key; it stands.`,
  }),
}

/** A file is refused where so many rows, and more than this share of them, have one problem. */
const MIN_BAD = 2
const BAD_SHARE = 0.5

/** Counts the rows of a file by what is wrong with them: what most rows share is a fault of the file. */
class BadRows {
  rows = 0
  readonly #seen = new Map<string, { count: number; line: number; problem: Problem }>()

  add(problem: Problem, line: number): void {
    // The first row with a key stands: a file that is joined of two loses nothing.
    if (problem.code.startsWith('duplicate_')) return
    const key = `${problem.code} ${problem.target ?? ''}`
    const seen = this.#seen.get(key)
    if (seen) seen.count++
    else this.#seen.set(key, { count: 1, line, problem })
  }

  /** @throws TableRefused too_many_bad_rows */
  refuseTooMany(): void {
    for (const { count, line, problem } of this.#seen.values()) {
      if (count < MIN_BAD || count <= BAD_SHARE * this.rows) continue
      const message = `${count} of ${this.rows} rows cannot be read, this is the first: ${problem.message}`
      throw new TableRefused('too_many_bad_rows', message.replace(/\.$/, ''), line)
    }
  }
}
