// A stream whose rows say when they were changed: read whole once, then what has changed.
import type { Page, Stream } from '../../adapter.ts'
import type { RecordKind } from '../../records.ts'
import { progressOf } from '../../rows/snapshot.ts'
import { readAhead } from '../../rows/read-ahead.ts'
import type { Batch } from '../../rows/quarantine.ts'
import { withConditions } from '../suiteql/query.ts'
import type { Query } from '../suiteql/query.ts'
import { instantLiteral, parseWall, wallOf } from '../suiteql/wall-clock.ts'
import type { Wall } from '../suiteql/wall-clock.ts'
import type { RowsPage } from '../suiteql/client.ts'
import type { System } from '../system.ts'
import { cursorOf, endedState, stateOf } from './state.ts'
import type { State } from './state.ts'

export interface ChangedRow {
  /** When it was changed last, in the time zone of the user. */
  lm: string | undefined
}

/** What was read before. */
export interface Since {
  from: Wall
  /** Whatever was read existed then: it is the newest change that was seen. */
  known: Wall
}

export interface ChangedSource<K extends RecordKind, Row extends ChangedRow> {
  record: K
  query: () => Query
  /** The column of the instant of the last change. */
  changedAt: string
  isRequired?: boolean
  isOptional?: boolean
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
  const { record, isRequired = false, isOptional = false } = source
  const zone = system.options.time_zone
  return {
    ...{ record, cursor: 'changedAt', isRequired, isOptional },
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
