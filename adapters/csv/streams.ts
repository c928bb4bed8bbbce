import type { Cursor, Page, Stream } from '../adapter.ts'
import { Fatal } from '../errors.ts'
import type { RecordKind, RecordOf } from '../records.ts'
import { blocks } from './file/blocks.ts'
import type { Block } from './file/blocks.ts'
import { Content, hashOf } from './file/content.ts'
import type { Folder, SourceFile } from './file/folder.ts'
import { readHeader } from './file/header.ts'
import type { Format } from './options.ts'
import type { ParsedRow } from './file/parse.ts'
import { duplicateOf } from './file/row-problems.ts'
import { problemOf } from '../rows/bad-value.ts'
import { toQuarantinedRow } from '../rows/quarantine.ts'
import { Row } from './row.ts'
import { readRows } from './file/rows.ts'
import type { Table } from './tables.ts'

const PAGE_ROWS = 5_000

/** The cursor of a missing file. */
export const ABSENT: Cursor = 'absent'
/** The cursor of every page but the last: it equals no hash, so an interrupted read starts again. */
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
    isRequired: table.isRequired,
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

/** Reads only the header. @throws Fatal like a read of the stream */
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
  if (file || !table.isRequired) return file
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
    quarantined: [],
    cursor: PARTIAL,
    progress: { done: content.done, total: content.total, unit: 'bytes' },
  })
  let page = newPage()
  const lines = blocks(content.chunks())
  try {
    const header = await readHeader(file.name, lines, table)
    const addRow = rowAdder(file.name, table, new Row(header.columns, format))
    for await (const batch of readRows(withFirstBlock(header.rest, lines), header)) {
      signal.throwIfAborted()
      for (const row of batch) {
        if (page.records.length + page.quarantined.length === PAGE_ROWS) {
          yield page
          page = newPage()
        }
        addRow(row, page)
      }
    }
  } finally {
    await lines.return(undefined)
  }
  yield { ...page, progress: newPage().progress, cursor: await content.hash() }
}

async function* withFirstBlock(first: Block, others: AsyncIterable<Block>) {
  yield first
  yield* others
}

/** Returns a function that adds a row to a page's records or to its quarantined rows. */
function rowAdder<K extends RecordKind>(file: string, table: Table<K>, row: Row) {
  const firstLines = table.firstLines()
  return (parsed: ParsedRow, page: Page<K>) => {
    let { problem } = parsed
    if (!problem) {
      try {
        row.moveTo(parsed.cells)
        const record: RecordOf<K> = table.map(row)
        const earlier = firstLines.earlierLine(record, parsed.line)
        if (earlier === null) {
          page.records.push(record)
          return
        }
        problem = { ...duplicateOf(earlier), ...row.about() }
      } catch (error) {
        problem = Object.assign(problemOf(error), row.about())
      }
    }
    page.quarantined.push(toQuarantinedRow(`${file}:${parsed.line}`, parsed.text(), problem))
  }
}

function absentPage<K extends RecordKind>(): Page<K> {
  const progress = { done: 0, total: 0, unit: 'bytes' as const }
  return { records: [], quarantined: [], cursor: ABSENT, progress }
}
