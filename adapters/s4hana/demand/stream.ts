import type { Page, Stream } from '../../adapter.ts'
import { progressOf } from '../snapshot.ts'
import type { System } from '../system.ts'
import { dayText, later } from './days.ts'
import { interleave } from './interleave.ts'
import type { Basis, LanePage } from './lane.ts'
import { cursorOf, endRun, planRun, stateOf, takeSlice } from './state.ts'
import type { OpenSlice, Run, State } from './state.ts'

const MAX_LANES = 8
/** Records of a page. */
const MAX_RECORDS = 5_000

/** Demand, a record for each document line that counts. The days are read by several lanes at once. */
export function demand(system: System, basis: Basis): Stream<'demand'> {
  return {
    record: 'demand',
    cursor: 'changedAt',
    required: true,
    async *read(since, signal) {
      signal.throwIfAborted()
      const state = stateOf(since)
      const run = (state.run ??= await begin(system, basis, state, signal))
      const resumed = [...run.open]
      const open = (slice: OpenSlice, inner: AbortSignal) =>
        basis.lane(run.isWhole)(slice, slice.after, inner)
      const lanes = {
        next: () => resumed.shift() ?? takeSlice(run),
        open,
        ended: (slice: OpenSlice) => void run.open.splice(run.open.indexOf(slice), 1),
        most: Math.min(MAX_LANES, system.concurrency),
      }
      for await (const { lane, page } of interleave<OpenSlice, LanePage>(lanes, signal)) {
        signal.throwIfAborted()
        yield* inPages(state, run, lane, page)
      }
      signal.throwIfAborted()
      const progress = progressOf(run)
      yield { records: [], skipped: [], cursor: cursorOf(endRun(state)), progress }
    },
  }
}

async function begin(
  system: System,
  basis: Basis,
  state: State,
  signal: AbortSignal,
): Promise<Run> {
  const today = await basis.today(signal)
  const { history_days: historyDays } = system.options
  const lanes = Math.min(MAX_LANES, system.concurrency)
  const run = planRun(state, today, dayText(Date.now()), historyDays, lanes)
  const slice = { from: run.next, to: run.last }
  if (run.isWhole) run.total = await basis.count(slice, signal)
  return run
}

/**
 * All but the last of a page's parts leave the cursor where it was. What is gone goes with the first
 * one: the records of the others may be of the same documents.
 */
function* inPages(
  state: State,
  run: Run,
  slice: OpenSlice,
  page: LanePage,
): Generator<Page<'demand'>> {
  const { records, skipped } = page
  let { deleted } = page
  let at = 0
  for (; records.length - at > MAX_RECORDS; at += MAX_RECORDS) {
    const part = records.slice(at, at + MAX_RECORDS)
    const [cursor, progress] = [cursorOf(state), progressOf(run)]
    yield { records: part, skipped: [], deleted, cursor, progress }
    deleted = undefined
  }
  slice.after = page.after
  run.done += page.documents
  if (page.newest !== null) run.newest = later(page.newest, run.newest ?? page.newest)
  const rest = at ? records.slice(at) : records
  const progress = progressOf(run)
  yield { records: rest, skipped, deleted, cursor: cursorOf(state), progress }
}
