import cds from '@sap/cds'
import type { Stream } from '../../adapters/adapter.ts'
import { takeNumbers } from '../store/counters.ts'
import { hasDemand } from '../store/demand.ts'
import { loadState, saveState, type StreamState } from './cursors.ts'
import type { Run } from './run.ts'

/** A read of a stream: where it starts, and whether it reads all there is. */
export type Reading = StreamState & { read: number }

/**
 * Begins a read, or goes on with one that was broken off. A snapshot always begins anew: what it
 * has written so far is not visible, or is written again.
 */
export async function beginReading(run: Run, stream: Stream): Promise<Reading> {
  const state = await stateOf(run, stream)
  const isFull = run.mode === 'full'
  if (stream.cursor === 'snapshot') {
    const read = await cds.tx(() => takeNumbers('read'))
    return { cursor: isFull ? null : state.cursor, read, whole: true }
  }
  if (state.read !== null && (state.whole || !isFull)) return { ...state, read: state.read }
  const whole = isFull || state.cursor === null
  return cds.tx(async () => {
    const read = await takeNumbers('read')
    const reading = { cursor: whole ? null : state.cursor, read, whole }
    await saveState(run.source, stream.record, reading)
    return reading
  })
}

/** A cursor without the rows that it stands for, e.g. because their table is a new one, is none. */
async function stateOf(run: Run, { record }: Stream): Promise<StreamState> {
  const state = await loadState(run.source, record)
  if (record !== 'demand' || state.cursor === null || (await hasDemand(run.source))) return state
  return { cursor: null, read: null, whole: false }
}
