// Lists that are read whole where anything of them has changed, and not at all where nothing has.
import type { Stream } from '../adapter.ts'
import type { RecordKind } from '../records.ts'
import { type SnapshotPage, snapshotStream, stateIn } from '../rows/pages.ts'
import { OVERLAP_MS } from './changed-stream.ts'
import { changedSince, type Domain, type ModelReader, type ModelRow } from './reader.ts'

/** A list that a stream is made of, and the fields that say when it was changed. */
export interface WatchedList {
  model: string
  changed: readonly string[]
  domain?: Domain
}

export interface ListsState {
  from: number
  lists: Record<string, ListState>
}

export const listsIn = (since: string | null): ListsState | null =>
  stateIn<ListsState>(since, ({ lists }) => lists !== undefined)

/** How the lists stand now; to be asked for before they are read. */
export async function readLists(
  reader: ModelReader,
  lists: readonly WatchedList[],
  signal: AbortSignal,
): Promise<ListsState> {
  const states = await Promise.all(lists.map(({ model }) => listState(reader, model, signal)))
  const from = (await reader.now(signal)) - OVERLAP_MS
  return { from, lists: Object.fromEntries(lists.map(({ model }, at) => [model, states[at]!])) }
}

/** Whether records were deleted from one of the lists. */
export async function haveLost(
  reader: ModelReader,
  lists: readonly WatchedList[],
  before: ListsState,
  signal: AbortSignal,
): Promise<boolean> {
  for (const { model } of lists) {
    const known = before.lists[model]
    if (!known || (await hasLost(reader, model, known, signal))) return true
  }
  return false
}

async function haveChanged(
  reader: ModelReader,
  lists: readonly WatchedList[],
  before: ListsState,
  signal: AbortSignal,
): Promise<boolean> {
  for (const { model, changed, domain = [] } of lists) {
    const condition = [...domain, ...changedSince(reader, changed, before.from)]
    if (await reader.count({ model, domain: condition }, signal)) return true
  }
  return haveLost(reader, lists, before, signal)
}

/** A snapshot that gives no page where none of its lists has changed. */
export function watchedStream<K extends RecordKind>(
  record: K,
  reader: ModelReader,
  lists: readonly WatchedList[],
  read: (signal: AbortSignal) => AsyncGenerator<SnapshotPage<K>>,
  options: { isOptional?: boolean } = {},
): Stream<K> {
  const stream = snapshotStream(
    record,
    async function* (signal) {
      const cursor = JSON.stringify(await readLists(reader, lists, signal))
      let done = 0
      for await (const page of read(signal)) {
        done = page.done
        yield { ...page, cursor }
      }
      yield { records: [], quarantined: [], done, total: null, cursor }
    },
    options,
  )
  return {
    ...stream,
    isAlwaysRead: false,
    async *read(since, signal, stored) {
      signal.throwIfAborted()
      const before = listsIn(since)
      if (before && !(await haveChanged(reader, lists, before, signal))) return
      yield* stream.read(null, signal, stored)
    },
  }
}

// Lists that do not say what was deleted from them: fewer records up to a number than there were say that some were.

/** A list as it stood: its highest number, and how many records have one up to that. */
interface ListState {
  last: number
  count: number
}

async function listState(
  reader: ModelReader,
  model: string,
  signal: AbortSignal,
): Promise<ListState> {
  const [newest] = await newestOf(reader, model, signal)
  const last = newest?.id ?? 0
  const count = await reader.count({ model, domain: [['id', '<=', last]] }, signal)
  return { last, count }
}

/** Whether records were deleted since. */
async function hasLost(
  reader: ModelReader,
  model: string,
  before: ListState,
  signal: AbortSignal,
): Promise<boolean> {
  const count = await reader.count({ model, domain: [['id', '<=', before.last]] }, signal)
  return count < before.count
}

const newestOf = async (reader: ModelReader, model: string, signal: AbortSignal) =>
  (
    await reader.search<ModelRow>(
      { model, domain: [], fields: ['id'], newestFirst: true },
      1,
      signal,
    )
  ).rows
