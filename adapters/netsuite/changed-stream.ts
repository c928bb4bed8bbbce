// A stream whose rows say when they were changed: read whole once, then what has changed.
import type { Cursor, Page, Stream } from '../adapter.ts'
import type { RecordKind } from '../records.ts'
import { type Batch, progressOf, readAhead } from '../rows/pages.ts'
import type { RowsPage } from './suiteql/client.ts'
import { type Query, withConditions } from './suiteql/query.ts'
import { instantLiteral, overlapOf, parseWall, type Wall, wallOf } from './suiteql/wall-clock.ts'
import type { System } from './system.ts'

interface ChangedRow {
  /** When it was changed last, in the time zone of the user. */
  lm: string | undefined
}

/** What was read before. */
export interface Since {
  from: Wall
  /** Whatever was read existed then: it is the newest change that was seen. */
  known: Wall
}

interface ChangedSource<K extends RecordKind, Row extends ChangedRow> {
  record: K
  query: () => Query
  /** The column of the instant of the last change. */
  changedAt: string
  isRequired?: boolean
  isOptional?: boolean
  /** Whether it tells of new names of SKUs. */
  namesSkus?: boolean
  toBatch(rows: Row[], signal: AbortSignal): Promise<Batch<K>>
  /** Natural keys of what has been deleted since; read before what was changed. */
  readDeleted?(since: Since, signal: AbortSignal): Promise<Record<string, string>[]>
}

/** Most keys of a page. */
const MAX_DELETED = 5_000

export function changedStream<K extends RecordKind, Row extends ChangedRow>(
  system: System,
  source: ChangedSource<K, Row>,
): Stream<K> {
  const { record, isRequired = false, isOptional = false, namesSkus = false } = source
  const zone = system.options.time_zone
  return {
    ...{ record, cursor: 'changedAt', isRequired, isOptional, namesSkus },
    async *read(since, signal) {
      signal.throwIfAborted()
      const state = stateOf(since)
      if (state.from !== null && state.after === null) yield* deletedPages(source, state, signal)
      const open = (inner: AbortSignal) => composePages(system, source, state, inner)
      for await (const { batch, page } of readAhead(open, signal)) {
        signal.throwIfAborted()
        advance(state, page, zone)
        yield { ...batch, cursor: cursorOf(state), progress: progressOf(state) }
      }
      signal.throwIfAborted()
      const cursor = cursorOf(endedState(state, zone))
      yield { records: [], quarantined: [], cursor, progress: progressOf(state) }
    },
  }
}

async function* deletedPages<K extends RecordKind, Row extends ChangedRow>(
  { readDeleted }: ChangedSource<K, Row>,
  state: State,
  signal: AbortSignal,
): AsyncGenerator<Page<K>> {
  const from = state.from!
  const keys = (await readDeleted?.({ from, known: state.known ?? from }, signal)) ?? []
  for (let at = 0; at < keys.length; at += MAX_DELETED) {
    const deleted = keys.slice(at, at + MAX_DELETED)
    const cursor = cursorOf(state)
    yield { records: [], quarantined: [], deleted, cursor, progress: progressOf(state) }
  }
}

async function* composePages<K extends RecordKind, Row extends ChangedRow>(
  system: System,
  source: ChangedSource<K, Row>,
  { from, after }: State,
  signal: AbortSignal,
): AsyncGenerator<{ batch: Batch<K>; page: RowsPage<Row> }> {
  const whole = source.query()
  const query =
    from === null ? whole : withConditions(whole, `${source.changedAt} >= ${instantLiteral(from)}`)
  for await (const page of system.suiteQl.pages<Row>(query, signal, after)) {
    yield { batch: await source.toBatch(page.rows, signal), page }
  }
}

function advance<Row extends ChangedRow>(
  state: State,
  page: RowsPage<Row>,
  zone: string | undefined,
): void {
  state.seen = wallOf(page.serverTime ?? Date.now(), zone)
  state.began ??= state.seen
  for (const { lm } of page.rows) {
    const changed = parseWall(lm)
    if (changed !== null && changed > (state.newest ?? -Infinity)) state.newest = changed
  }
  state.after = page.last ?? state.after
  state.total ??= page.total === null ? null : state.done + page.total
  state.done += page.rows.length
}

// The cursor of a stream whose rows say when they were changed.

interface State {
  /** Rows changed at or after it are read; null for all rows. */
  from: Wall | null
  /** Reading continues behind this key; null at the beginning, and between two reads. */
  after: number[] | null
  /** What a clock showed in the user's time zone when the read began, and at its last page; null between two reads. */
  began: Wall | null
  seen: Wall | null
  /** The newest change that was seen in this read, and in those before. */
  newest: Wall | null
  known: Wall | null
  done: number
  total: number | null
}

const FRESH: State = {
  ...{ from: null, after: null, began: null, seen: null, newest: null, known: null },
  ...{ done: 0, total: null },
}

function stateOf(since: Cursor | null): State {
  return since === null ? { ...FRESH } : { ...FRESH, ...(JSON.parse(since) as Partial<State>) }
}

const cursorOf = (state: State): Cursor => JSON.stringify(state)

/**
 * The cursor between two reads. The next one looks back to before this one began: by the clock of the web server, or
 * where that runs ahead of the one that dates changes, or the time zone is another than was said, by the newest change.
 */
function endedState(state: State, zone: string | undefined): State {
  const { from, began, seen, newest, known } = state
  if (newest === null || began === null) return { ...FRESH, from: from ?? 0, known }
  const duration = Math.max(0, (seen ?? began) - began)
  const next = Math.min(began, newest - duration) - overlapOf(zone)
  return { ...FRESH, from: Math.max(next, from ?? 0), known: Math.max(newest, known ?? newest) }
}
