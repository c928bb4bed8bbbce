import type { Page, Stream } from '../../adapter.ts'
import { progressOf } from '../../rows/pages.ts'
import type { RecordKind } from '../../records.ts'
import type { System } from '../system.ts'
import { dayText, later } from '../../rows/days.ts'
import { mergePages } from './merge-pages.ts'
import type { DocumentSource, DocumentPage } from './documents.ts'
import type { OpenSlice, Run, State } from './cursor.ts'
import { cursorOf, endRun, planRun, stateOf, takeSlice } from './cursor.ts'

const MAX_READERS = 8
/** Most records of a page. */
const MAX_RECORDS = 5_000

/** Records of document lines. Several slices of days are read concurrently. */
export function documentStream<K extends RecordKind>(
  record: K,
  system: System,
  documents: DocumentSource<K>,
  { historyDays = system.options.history_days, isRequired = false } = {},
): Stream<K> {
  return {
    record,
    cursor: 'changedAt',
    isRequired,
    async *read(since, signal) {
      signal.throwIfAborted()
      const state = stateOf(since)
      const run = (state.run ??= await beginRun(system, documents, state, historyDays, signal))
      const resumed = [...run.open]
      const read = (slice: OpenSlice, inner: AbortSignal) =>
        documents.reader(run.isWhole)(slice, slice.after, inner)
      const readers = {
        next: () => resumed.shift() ?? takeSlice(run),
        read,
        onEnd: (slice: OpenSlice) => void run.open.splice(run.open.indexOf(slice), 1),
        concurrency: Math.min(MAX_READERS, system.concurrency),
      }
      for await (const { part, page } of mergePages<OpenSlice, DocumentPage<K>>(readers, signal)) {
        signal.throwIfAborted()
        yield* splitPage(state, run, part, page)
      }
      signal.throwIfAborted()
      const progress = progressOf(run)
      yield { records: [], quarantined: [], cursor: cursorOf(endRun(state)), progress }
    },
  }
}

async function beginRun<K extends RecordKind>(
  system: System,
  documents: DocumentSource<K>,
  state: State,
  historyDays: number,
  signal: AbortSignal,
): Promise<Run> {
  const today = await documents.today(signal)
  const readers = Math.min(MAX_READERS, system.concurrency)
  const run = planRun(state, today, dayText(Date.now()), historyDays, readers)
  const slice = { from: run.next, to: run.last }
  if (run.isWhole) run.total = await documents.count(slice, signal)
  return run
}

/**
 * Splits a page. Only the last part advances the cursor. Deletions go with the first part, because
 * later parts may hold records of the same documents.
 */
function* splitPage<K extends RecordKind>(
  state: State,
  run: Run,
  slice: OpenSlice,
  page: DocumentPage<K>,
): Generator<Page<K>> {
  const { records, quarantined } = page
  let { deleted } = page
  let at = 0
  for (; records.length - at > MAX_RECORDS; at += MAX_RECORDS) {
    const part = records.slice(at, at + MAX_RECORDS)
    const [cursor, progress] = [cursorOf(state), progressOf(run)]
    yield { records: part, quarantined: [], deleted, cursor, progress }
    deleted = undefined
  }
  slice.after = page.after
  run.done += page.documents
  if (page.newest !== null) run.newest = later(page.newest, run.newest ?? page.newest)
  const rest = at ? records.slice(at) : records
  const progress = progressOf(run)
  yield { records: rest, quarantined, deleted, cursor: cursorOf(state), progress }
}
