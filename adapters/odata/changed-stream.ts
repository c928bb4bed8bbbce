// Records of rows that say when they were changed: all of them first, then those changed since.
import type { Cursor, Page, Stream } from '../adapter.ts'
import type { RecordKind } from '../records.ts'
import { type Batch, progressOf, readAhead, stateIn } from '../rows/pages.ts'
import type { KeysetQuery, KeysetReader } from './keyset.ts'

type Ms = number

/** What a stream reads. */
export interface ChangedSource<K extends RecordKind, Row> {
  reader: Pick<KeysetReader, 'pages'>
  /** A read goes back this far before the last one began, because what is saved late has an earlier time. */
  overlap: Ms
  /** Read one after the other. @param from only what was changed since; null for all @throws what the reader throws */
  queries(from: Ms | null, signal: AbortSignal): Promise<KeysetQuery[]> | KeysetQuery[]
  /** @param query the number of the query */
  compose(
    rows: Row[],
    signal: AbortSignal,
    query: number,
  ): Promise<ComposedPage<K>> | ComposedPage<K>
}

export type ComposedPage<K extends RecordKind> = Batch<K> & Pick<Page, 'deleted'>

/** The cursor of a read. */
interface State {
  /** Rows changed since are read; null for all. */
  from: Ms | null
  /** The query that is being read, and the key behind which it goes on. */
  query: number
  after: string | null
  /** The ERP's clock when the read began; null between two reads. */
  began: Ms | null
  done: number
}

const FRESH: State = { from: null, query: 0, after: null, began: null, done: 0 }

/** Most records of a page. */
const MAX_RECORDS = 5_000

export function changedStream<K extends RecordKind, Row>(
  record: K,
  source: ChangedSource<K, Row>,
  { isRequired = false, isOptional = false, namesSkus = false } = {},
): Stream<K> {
  return {
    record,
    cursor: 'changedAt',
    ...{ isRequired, isOptional, namesSkus },
    async *read(since, signal) {
      signal.throwIfAborted()
      const state = { ...(stateIn<State>(since, ({ done }) => done !== undefined) ?? FRESH) }
      for await (const part of readAhead((inner) => readParts(source, state, inner), signal)) {
        signal.throwIfAborted()
        state.began ??= part.serverTime ?? Date.now()
        const { records } = part.page
        for (let at = 0; at + MAX_RECORDS < records.length; at += MAX_RECORDS) {
          const some = {
            ...part.page,
            records: records.slice(at, at + MAX_RECORDS),
            quarantined: [],
          }
          yield { ...some, cursor: JSON.stringify(state), progress: progress(state) }
          part.page.deleted = undefined
        }
        Object.assign(state, { query: part.query, after: part.after })
        state.done += part.rows
        const rest = records.slice(
          Math.floor(Math.max(0, records.length - 1) / MAX_RECORDS) * MAX_RECORDS,
        )
        yield {
          ...{ ...part.page, records: rest },
          ...{ cursor: JSON.stringify(state), progress: progress(state) },
        }
      }
      signal.throwIfAborted()
      const cursor = closed(state, source.overlap)
      yield { records: [], quarantined: [], cursor, progress: progress(state) }
    },
  }
}

interface Part<K extends RecordKind> {
  page: ComposedPage<K>
  query: number
  after: string | null
  rows: number
  serverTime: Ms | null
}

async function* readParts<K extends RecordKind, Row>(
  source: ChangedSource<K, Row>,
  state: State,
  signal: AbortSignal,
): AsyncGenerator<Part<K>> {
  // The state moves on while pages are read ahead.
  const { from, query: first, after } = state
  const queries = await source.queries(from, signal)
  for (const [query, each] of queries.entries()) {
    if (query < first) continue
    const start = query === first ? after : null
    for await (const { rows, last, serverTime } of source.reader.pages<Row>(each, start, signal)) {
      const page = await source.compose(rows, signal, query)
      yield { page, query, after: last, rows: rows.length, serverTime }
    }
  }
}

const progress = ({ done }: State) => progressOf({ done, total: null })

const closed = ({ from, began }: State, overlap: Ms): Cursor =>
  JSON.stringify({ ...FRESH, from: began === null ? from : began - overlap })
