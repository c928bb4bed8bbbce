import cds from '@sap/cds'
import type { Stream } from '../../adapters/adapter.ts'
import type { RecordKind } from '../../adapters/records.ts'
import { takeNumbers } from '../store/counters.ts'
import { hasDemand } from '../store/demand/demand-read.ts'
import { loadState, saveState, type StreamState } from './cursors.ts'
import type { Run } from './run.ts'

type Wish = Pick<Run, 'source' | 'mode'>

/** A read of a stream: its start, and whether it reads all rows. */
export interface StreamRead extends StreamState {
  read: number
  /** Whether it resumes an interrupted read, whose rows are stored and counted. */
  isResumed: boolean
}

/**
 * Begins a read, or resumes an interrupted one. Snapshots and whole reads start from the beginning,
 * except whole reads of demand, which are too large to repeat.
 */
export async function beginStreamRead(run: Wish, stream: Stream): Promise<StreamRead> {
  const { source, mode } = run
  const { record, cursor } = stream
  const state = await stateOf(run, stream)
  const isFull = mode === 'full'
  if (cursor === 'snapshot') {
    const read = await cds.tx(() => takeNumbers('read'))
    return { cursor: isFull ? null : state.cursor, read, whole: true, isResumed: false }
  }
  if (canResume(state, record, isFull)) return { ...state, read: state.read!, isResumed: true }
  const whole = isFull || state.cursor === null || state.whole
  return cds.tx(async () => {
    const read = await takeNumbers('read')
    const begun = { cursor: whole ? null : state.cursor, read, whole }
    await saveState(source, record, begun)
    return { ...begun, isResumed: false }
  })
}

/** Whether the next read resumes one that an earlier sync began, or this one on another instance. */
export async function goesOn(run: Wish, stream: Stream): Promise<boolean> {
  const { record, cursor } = stream
  return cursor !== 'snapshot' && canResume(await stateOf(run, stream), record, run.mode === 'full')
}

function canResume({ read, whole }: StreamState, record: RecordKind, isFull: boolean): boolean {
  return read !== null && outlivesAttempt(record, whole, isFull)
}

const outlivesAttempt = (record: RecordKind, whole: boolean, isFull: boolean) =>
  whole ? record === 'demand' : !isFull

/** Whether a read that is broken off goes on after its last page. */
export const isResumable = ({ mode }: Wish, { record, cursor }: Stream, whole: boolean): boolean =>
  cursor !== 'snapshot' && outlivesAttempt(record, whole, mode === 'full')

/** Ignores the cursor of demand if no demand is stored, for example because its table is new. */
async function stateOf(run: Wish, { record }: Stream): Promise<StreamState> {
  const state = await loadState(run.source, record)
  if (record !== 'demand' || state.cursor === null || (await hasDemand(run.source))) return state
  return { cursor: null, read: null, whole: false }
}
