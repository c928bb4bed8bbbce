import { describeTable, ENCODING_WARNING } from '../../tables/describe.ts'
import type { ParsedRow } from '../../tables/parse.ts'
import { TableRefused } from '../../tables/refusal.ts'
import type { Cursor, Page, Stream } from '../adapter.ts'
import { Fatal } from '../errors.ts'
import type { RecordKind } from '../records.ts'
import { toQuarantinedRow } from '../rows/pages.ts'
import { type Problem, problemOf } from '../rows/values.ts'
import { hashOf } from './file/content.ts'
import type { Drop, FoundFile } from './file/drop.ts'
import { openFile, type OpenFile } from './file/open-file.ts'
import type { SourceFile } from './file/source-files.ts'
import type { Format } from './options.ts'
import { toFatal } from './refusal.ts'
import { Row } from './row.ts'
import type { Table } from './tables.ts'

const PAGE_ROWS = 5_000

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
    async *read(since, signal) {
      signal.throwIfAborted()
      const found = await findFile(table, drop, signal)
      if (!found) {
        if (since !== ABSENT) yield absentPage()
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

async function* pages<K extends RecordKind>(
  file: SourceFile,
  stamp: string | null,
  table: Table<K>,
  format: Format,
  signal: AbortSignal,
): AsyncGenerator<Page<K>> {
  let opened: OpenFile | undefined
  try {
    opened = await openFile(file, table, format, signal)
    yield* pagesOf(opened, file.name, stamp, table, signal)
  } catch (error) {
    throw toFatal(error, file.name)
  } finally {
    await opened?.close()
  }
}

async function* pagesOf<K extends RecordKind>(
  opened: OpenFile,
  name: string,
  stamp: string | null,
  table: Table<K>,
  signal: AbortSignal,
): AsyncGenerator<Page<K>> {
  const { content, formats, header } = opened
  const newPage = (): Page<K> => ({
    records: [],
    quarantined: [],
    cursor: PARTIAL,
    progress: { done: content.done, total: content.total, unit: 'bytes' },
  })
  let page = newPage()
  const bad = new BadRows()
  const addRow = rowAdder(name, table, new Row(header.columns, formats), bad)
  for await (const batch of opened.rows()) {
    signal.throwIfAborted()
    for (const row of batch) {
      if (page.records.length + page.quarantined.length === PAGE_ROWS) {
        yield page
        page = newPage()
      }
      addRow(row, page)
    }
  }
  bad.refuseTooMany()
  const { progress } = newPage()
  const hash = await content.hash()
  const cursor = stamp === null ? hash : `${hash} ${stamp}`
  yield { ...page, progress, cursor, notes: notesOf(opened, name) }
}

/** How the file was understood, where that is worth a look. */
export function notesOf({ header, formats, encoding }: OpenFile, name: string): string[] {
  const understood = describeTable(header, formats, encoding())
  return [
    ...(understood ? [`${name} was read so: ${understood}.`] : []),
    ...(encoding() === 'Windows-1252' ? [`${name}: ${ENCODING_WARNING}.`] : []),
  ]
}

/** Returns a function that adds a row to a page's records or to its quarantined rows. */
function rowAdder<K extends RecordKind>(file: string, table: Table<K>, row: Row, bad: BadRows) {
  const firstLines = table.firstLines()
  const map = table.mapper()
  return (parsed: ParsedRow, page: Page<K>) => {
    bad.rows++
    let problem: Problem | null = parsed.problem
    if (!problem) {
      try {
        row.moveTo(parsed.cells)
        const record = map(row)
        if (!record) return
        const earlier = firstLines.earlierLine(record, parsed.line)
        if (earlier === null) {
          page.records.push(record)
          return
        }
        problem = { ...duplicateOf(earlier), ...row.about() }
      } catch (error) {
        if (error instanceof TableRefused) error.line ??= parsed.line
        problem = Object.assign(problemOf(error), row.about())
      }
    }
    bad.add(problem, parsed.line)
    page.quarantined.push(toQuarantinedRow(`${file}:${parsed.line}`, parsed.text(), problem))
  }
}

function absentPage<K extends RecordKind>(): Page<K> {
  const progress = { done: 0, total: 0, unit: 'bytes' as const }
  return { records: [], quarantined: [], cursor: ABSENT, progress }
}

const duplicateOf = (line: number): Problem => ({
  code: 'duplicate_key',
  target: null,
  message: `Line ${line} has the same key; it stands.`,
})

/** A file is refused where so many rows, and more than this share of them, have one problem. */
const MIN_BAD = 2
const BAD_SHARE = 0.5

/** Counts the rows of a file by what is wrong with them: what most rows share is a fault of the file. */
class BadRows {
  rows = 0
  readonly #seen = new Map<string, { count: number; line: number; problem: Problem }>()

  add(problem: Problem, line: number): void {
    // The first row with a key stands: a file that is joined of two loses nothing.
    if (problem.code === 'duplicate_key') return
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
