import type { Cursor, Page, Stream } from '../adapter.ts'
import { addRecords, progressOf, readAhead, stateIn } from '../rows/pages.ts'
import type { LedgerRow } from './entities.ts'
import { LEDGER_OVERLAP, ledgerQuery, sinceHistory } from './ledger.ts'
import type { System } from './system.ts'
import { toDemand } from './to-records.ts'

export const LEDGER_FIELDS = [
  'entryType',
  'documentType',
  'postingDate',
  'itemNo',
  'locationCode',
  'quantity',
]

/** The cursor of a read. */
interface State {
  /** Reading goes on behind this entry. */
  after: number
  /** Whether all entries of the history are read, or those that are new. */
  isWhole: boolean
  done: number
}

const FRESH: State = { after: 0, isWhole: true, done: 0 }

/** Demand by ledger entry; later reads return entries that were posted since, whatever day they were posted for. */
export function demandStream(system: System): Stream<'demand'> {
  return {
    record: 'demand',
    cursor: 'keyset',
    isRequired: true,
    async *read(since, signal) {
      signal.throwIfAborted()
      const state = { ...(stateIn<State>(since, ({ after }) => after !== undefined) ?? FRESH) }
      const filter = state.isWhole ? sinceHistory(system.options.history_days) : null
      const start = state.after ? String(state.after) : null
      const open = async function* (inner: AbortSignal) {
        const query = await ledgerQuery(system, LEDGER_FIELDS, filter, inner)
        yield* system.pages<LedgerRow>(query, start, inner)
      }
      for await (const { rows, last } of readAhead(open, signal)) {
        signal.throwIfAborted()
        state.done += rows.length
        state.after = Math.max(state.after, Number(last ?? 0))
        yield pageOf(system, rows, state)
      }
      signal.throwIfAborted()
      yield { records: [], quarantined: [], cursor: closed(state), progress: progress(state) }
    },
  }
}

function pageOf(system: System, rows: LedgerRow[], state: State): Page<'demand'> {
  const page: Page<'demand'> = {
    ...{ records: [], quarantined: [] },
    ...{ cursor: JSON.stringify(state), progress: progress(state) },
  }
  addRecords(
    page,
    rows,
    (row) => toDemand(row, system.options),
    ({ entryNo }) => `itemLedgerEntries(${entryNo})`,
  )
  return page
}

const progress = ({ done }: State) => progressOf({ done, total: null })

const closed = ({ after }: State): Cursor =>
  JSON.stringify({ after: Math.max(0, after - LEDGER_OVERLAP), isWhole: false, done: 0 })
