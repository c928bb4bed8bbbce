import type { Cursor, Page, Stream } from '../adapter.ts'
import { Fatal } from '../errors.ts'
import type { Skipped } from '../errors.ts'
import type { RecordKind, RecordOf } from '../records.ts'
import { blocks } from './blocks.ts'
import type { Block } from './blocks.ts'
import { Content, hashOf } from './content.ts'
import { cut } from '../rows/text.ts'
import type { Folder, SourceFile } from './folder.ts'
import { readHeader } from './header.ts'
import type { Format } from './options.ts'
import type { ParsedRow } from './parse.ts'
import { duplicateOf } from './problems.ts'
import type { Problem } from './problems.ts'
import { Row } from './row.ts'
import { rows } from './rows.ts'
import type { Table } from './tables.ts'

const PAGE_ROWS = 5_000
const EXCERPT_LENGTH = 500

/** The cursor of a file that is not there. */
export const ABSENT: Cursor = 'absent'
/** The cursor of every page but the last: it equals no file, so a broken read is begun again. */
export const PARTIAL: Cursor = 'partial'

/** One file as a snapshot; its cursor is the SHA-256 of the file's bytes. */
export function csvStream<K extends RecordKind>(
  table: Table<K>,
  folder: Folder,
  format: Format,
): Stream<K> {
  return {
    record: table.record,
    cursor: 'snapshot',
    required: table.required,
    async *read(since, signal) {
      signal.throwIfAborted()
      const file = await openTable(table, folder)
      if (!file) {
        if (since !== ABSENT) yield absentPage()
        return
      }
      try {
        const known = since === null ? null : await hashOf(file, signal)
        if (known === null || known !== since) yield* pages(file, table, format, signal)
      } finally {
        await file.handle.close()
      }
    },
  }
}

/** Reads the header alone. @throws Fatal as reading the stream would */
export async function checkTable(
  table: Table,
  folder: Folder,
  signal: AbortSignal,
): Promise<'ok' | 'absent'> {
  const file = await openTable(table, folder)
  if (!file) return 'absent'
  const lines = blocks((await Content.of(file, signal)).chunks())
  try {
    await readHeader(file.name, lines, table)
    return 'ok'
  } finally {
    await lines.return(undefined)
    await file.handle.close()
  }
}

async function openTable(table: Table, folder: Folder): Promise<SourceFile | null> {
  const file = await folder.open(table.stem)
  if (file || !table.required) return file
  const name = `${table.stem}.csv`
  throw new Fatal('missing_file', `The folder lacks ${name} or ${name}.gz.`, name)
}

async function* pages<K extends RecordKind>(
  file: SourceFile,
  table: Table<K>,
  format: Format,
  signal: AbortSignal,
): AsyncGenerator<Page<K>> {
  const content = await Content.of(file, signal)
  const newPage = (): Page<K> => ({
    records: [],
    skipped: [],
    cursor: PARTIAL,
    progress: { done: content.done, total: content.total, unit: 'bytes' },
  })
  let page = newPage()
  const lines = blocks(content.chunks())
  try {
    const header = await readHeader(file.name, lines, table)
    const take = taker(file.name, table, new Row(header.columns, format))
    for await (const batch of rows(resumed(header.rest, lines), header)) {
      signal.throwIfAborted()
      for (const row of batch) {
        if (page.records.length + page.skipped.length === PAGE_ROWS) {
          yield page
          page = newPage()
        }
        take(row, page)
      }
    }
  } finally {
    await lines.return(undefined)
  }
  yield { ...page, progress: newPage().progress, cursor: await content.hash() }
}

async function* resumed(first: Block, others: AsyncIterable<Block>) {
  yield first
  yield* others
}

/** Puts a row among a page's records, or among those skipped. */
function taker<K extends RecordKind>(file: string, table: Table<K>, row: Row) {
  const seen = table.seen()
  return (parsed: ParsedRow, page: Page<K>) => {
    if (parsed.problem) {
      page.skipped.push(skipped(file, parsed, parsed.problem))
      return
    }
    row.moveTo(parsed.cells)
    const record: RecordOf<K> = table.map(row)
    if (row.problem) {
      page.skipped.push(skipped(file, parsed, row.problem))
      return
    }
    const first = seen.lineOf(record, parsed.line)
    if (first === null) page.records.push(record)
    else page.skipped.push(skipped(file, parsed, duplicateOf(first)))
  }
}

function skipped(file: string, row: ParsedRow, problem: Problem): Skipped {
  // Databases refuse a NUL in text.
  const text = row.text().trimEnd().replaceAll('\0', '\ufffd')
  return { ...problem, place: `${file}:${row.line}`, excerpt: cut(text, EXCERPT_LENGTH) }
}

function absentPage<K extends RecordKind>(): Page<K> {
  const progress = { done: 0, total: 0, unit: 'bytes' as const }
  return { records: [], skipped: [], cursor: ABSENT, progress }
}
