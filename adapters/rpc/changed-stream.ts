// Records of rows that say when they were changed: all of them first, then those changed since.
import type { Cursor, Page, Stream } from '../adapter.ts'
import type { RecordKind } from '../records.ts'
import { type Batch, readAhead, stateIn } from '../rows/pages.ts'
import type { Domain, ModelQuery, ModelReader, ModelRow } from './reader.ts'
import { readPages } from './reader.ts'

type Ms = number

/** A read goes back this far before the last one began, because what is saved late has an earlier time. */
export const OVERLAP_MS: Ms = 10 * 60_000

/** What a stream reads. */
export interface ChangedRows<K extends RecordKind, Row extends ModelRow> {
  reader: ModelReader
  /** What is known before the first page is read, such as locations. */
  query(signal: AbortSignal): Promise<ModelQuery>
  /** The condition that a row, or what belongs to it, was changed since. */
  changedSince(from: Ms): Domain
  /** @param isWhole whether all rows are read, and not those that were changed */
  compose(
    rows: Row[],
    signal: AbortSignal,
    isWhole: boolean,
  ): Promise<Batch<K> & Pick<Page, 'deleted'>>
}

/** The cursor of a read. */
interface State {
  /** Rows changed since are read; null for all. */
  from: Ms | null
  /** Reading goes on after this number; 0 between two reads. */
  after: number
  /** The ERP's clock when the read began; null between two reads. */
  began: Ms | null
  done: number
}

const FRESH: State = { from: null, after: 0, began: null, done: 0 }

export function changedStream<K extends RecordKind, Row extends ModelRow>(
  record: K,
  source: ChangedRows<K, Row>,
  { isRequired = false, isOptional = false, namesSkus = false } = {},
): Stream<K> {
  const { reader } = source
  return {
    record,
    cursor: 'changedAt',
    ...{ isRequired, isOptional, namesSkus },
    async *read(since, signal) {
      signal.throwIfAborted()
      const state = { ...(stateIn<State>(since, ({ done }) => done !== undefined) ?? FRESH) }
      const open = async function* (inner: AbortSignal) {
        const query = await source.query(inner)
        const changed = state.from === null ? [] : source.changedSince(state.from)
        const domain = [...query.domain, ...changed]
        const pages = readPages<Row>(reader, { ...query, domain }, inner, state.after)
        for await (const { rows, serverTime } of pages) {
          const batch = await source.compose(rows, inner, state.from === null)
          yield { rows, serverTime, batch }
        }
      }
      for await (const { rows, serverTime, batch } of readAhead(open, signal)) {
        signal.throwIfAborted()
        state.began ??= serverTime ?? Date.now()
        state.after = rows.at(-1)?.id ?? state.after
        state.done += rows.length
        yield { ...batch, cursor: JSON.stringify(state), progress: progressOf(state) }
      }
      signal.throwIfAborted()
      yield { records: [], quarantined: [], cursor: closed(state), progress: progressOf(state) }
    },
  }
}

const progressOf = ({ done }: State) => ({ done, total: null, unit: 'rows' as const })

const closed = ({ from, began }: State): Cursor =>
  JSON.stringify({ ...FRESH, from: began === null ? from : began - OVERLAP_MS })
