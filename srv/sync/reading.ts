import cds from '@sap/cds'
import type { Stream } from '../../adapters/adapter.ts'
import type { RecordKind } from '../../adapters/records.ts'
import { takeNumbers } from '../store/counters.ts'
import { hasDemand } from '../store/demand/demand-read.ts'
import { loadState, saveState, type StreamState } from './cursors.ts'
import type { Run } from './run.ts'

/** A read of a stream: where it starts, and whether it reads all there is. */
export interface Reading extends StreamState {
  read: number
  /** It goes on with one that was broken off, whose rows are stored and counted. */
  goesOn: boolean
}

/**
 * Begins a read, or goes on with one that was broken off. A snapshot always begins anew, as whatever
 * is read whole does, but for demand, of which there is too much.
 */
export async function beginReading(run: Run, stream: Stream): Promise<Reading> {
  const { source, mode } = run
  const { record, cursor } = stream
  const state = await stateOf(run, stream)
  const isFull = mode === 'full'
  if (cursor === 'snapshot') {
    const read = await cds.tx(() => takeNumbers('read'))
    return { cursor: isFull ? null : state.cursor, read, whole: true, goesOn: false }
  }
  if (canGoOn(state, record, isFull)) return { ...state, read: state.read!, goesOn: true }
  const whole = isFull || state.cursor === null || state.whole
  return cds.tx(async () => {
    const read = await takeNumbers('read')
    const begun = { cursor: whole ? null : state.cursor, read, whole }
    await saveState(source, record, begun)
    return { ...begun, goesOn: false }
  })
}

function canGoOn({ read, whole }: StreamState, record: RecordKind, isFull: boolean): boolean {
  if (read === null) return false
  return whole ? record === 'demand' : !isFull
}

/** A cursor without the rows that it stands for, e.g. because their table is a new one, is none. */
async function stateOf(run: Run, { record }: Stream): Promise<StreamState> {
  const state = await loadState(run.source, record)
  if (record !== 'demand' || state.cursor === null || (await hasDemand(run.source))) return state
  return { cursor: null, read: null, whole: false }
}
