import cds from '@sap/cds'
import { Fatal, Retriable } from '../../../adapters/errors.ts'
import { adapterOf } from '../../../adapters/index.ts'
import { runDetached } from '../../base/cap/context.ts'
import { readAs, Sources } from '../../base/database/entities.ts'
import { isRefusal } from '../../base/errors.ts'
import { stopHeartbeat } from '../../base/work/lease.ts'
import {
  queueRun,
  releaseRun,
  releaseRuns,
  SYNC_WORKER,
  takeAttemptBack,
  waitingRuns,
} from '../../base/work/runs.ts'
import { Worker } from '../../base/work/worker.ts'
import { markOutdatedSeries } from '../forecasts/index.ts'
import { connectionOf } from '../sources/index.ts'
import { executeRun } from './execute-run.ts'
import { hasRoom, leaveSlot, noteMove, waitsStill } from './run.ts'

const LOG = cds.log('sync')

const running = new Map<number, Promise<void>>()
/** Runs that this instance holds but does not work on: they are released, so that any instance can continue them. */
const left = new Set<number>()

/**
 * Executes waiting runs: new ones, and those whose instance has died. The interval is short, so that a run is taken over some
 * seconds after its lease has ended.
 */
export const syncWorker = new Worker({
  name: SYNC_WORKER,
  every: 2_000,
  isVital: true,
  work: startWaitingRuns,
  /** A run stops at its next page; the next start of any instance continues it. */
  async drain() {
    await Promise.allSettled(running.values())
    stopHeartbeat()
    await releaseRuns()
  },
})

/** A round is over when the runs have started, not when they end. */
async function startWaitingRuns(stopping: AbortSignal) {
  await releaseLeft()
  for (const ID of await waitingRuns()) {
    if (!hasRoom() || stopping.aborted) return
    if (running.has(ID) || waitsStill(ID)) continue
    noteMove(ID)
    const run = runDetached(`sync_${ID}`, () => executeRun(ID, stopping))
      .catch((error) => {
        LOG.error(`sync_${ID} goes on when its lease has ended:`, error)
        return 'waits' as const
      })
      .then((state) => void (state === 'waits' && left.add(ID)))
      .finally(() => {
        running.delete(ID)
        leaveSlot(ID)
      })
    running.set(ID, run)
  }
}

/** Fails while the database is away, so that the next round tries again. */
async function releaseLeft() {
  for (const ID of left) {
    // Another instance has taken the run over because it believed this process dead.
    if (!(await releaseRun(ID))) await takeAttemptBack(ID)
    left.delete(ID)
  }
}

/** After a change of the engine every source is forecast anew; until then its lookups answer what they can still read. */
export function refreshOutdated(): Promise<void> {
  return runDetached('engine', async () => {
    for (const source of await cds.tx(() => markOutdatedSeries())) {
      await queueRun({ source, mode: 'incremental', isAutomatic: true }).catch((error) => {
        if (!isRefusal(error)) throw error
      })
    }
  })
}

// Reads a watched folder once its files have changed and are complete. The state at the start of a sync is stored, so that a
// change while no service runs is noticed too, and only one of several instances begins the sync.

const EVERY_MS = 5_000
const TIMEOUT_MS = 30_000

/** The last round's state: a folder is read once it stays the same, so that many files are one sync. */
const seen = new Map<number, string | null>()

export const watchWorker = new Worker({
  name: 'watch',
  every: EVERY_MS,
  work: (stopping) => watchSources(stopping),
})

interface Watched {
  ID: number
  type: string
  options: string | null
  watchedState: string | null
}

export async function watchSources(stopping: AbortSignal): Promise<void> {
  for (const source of await watchedSources()) {
    if (stopping.aborted) return
    const state = await stateOf(source.ID, stopping)
    const isSteady = seen.get(source.ID) === state
    seen.set(source.ID, state)
    if (state === null || !isSteady || state === source.watchedState) continue
    await queueWatched(source, state)
  }
}

async function watchedSources(): Promise<Watched[]> {
  const rows = await readAs<Watched>(
    SELECT.from(Sources)
      .columns('ID', 'type', 'options', 'watchedState')
      .where({ status: { in: ['connected', 'failing'] }, options: { like: '%"watch"%' } }),
  )
  return rows.filter(({ type }) => adapterOf(type)?.watchedState)
}

/** Null if the state cannot be read now; the scheduled sync will report why. */
async function stateOf(ID: number, stopping: AbortSignal): Promise<string | null> {
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(TIMEOUT_MS)])
  try {
    const { adapter, connection } = await connectionOf(ID)
    return await adapter.watchedState!(connection, signal)
  } catch (error) {
    if (error instanceof Fatal || error instanceof Retriable || signal.aborted) return null
    throw error
  }
}

/** Stores the state and begins the sync, or does neither: while another sync runs it is tried again later. */
async function queueWatched({ ID, watchedState }: Watched, state: string): Promise<void> {
  try {
    await cds.tx(async () => {
      const noted: unknown = await UPDATE.entity(Sources)
        .set({ watchedState: state })
        .where({ ID, watchedState })
      if (noted) await queueRun({ source: ID, mode: 'incremental', isAutomatic: true })
    })
  } catch (error) {
    if (!isRefusal(error)) throw error
    return
  }
  LOG.info(`the files of src_${ID} have changed`)
}
