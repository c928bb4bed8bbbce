import cds from '@sap/cds'
import { runDetached } from '../../base/cap/context.ts'
import { Refusal } from '../../base/errors.ts'
import { markOutdatedSeries } from '../forecasts/lookup.ts'
import { stopHeartbeat } from '../../base/work/heartbeat.ts'
import { releaseRun, releaseRuns, takeAttemptBack, waitingRuns } from '../../base/work/runs.ts'
import { Worker } from '../../base/work/worker.ts'
import { executeRun } from './execute-run.ts'
import { waitsStill } from './slots.ts'
import { hasRoom, leaveSlot, noteMove } from './slots.ts'

const LOG = cds.log('sync')

const running = new Map<number, Promise<void>>()
/** Runs that this instance holds and does not work on: whoever is first goes on with them. */
const left = new Set<number>()

/**
 * Executes whatever run waits for an instance: new ones, and those whose instance has died. It looks so often that a run is
 * taken over some seconds after its lease has ended.
 */
export const syncWorker = new Worker({
  name: 'sync',
  every: 2_000,
  isVital: true,
  work: startWaitingRuns,
  /** A run stops at its next page; whoever starts next goes on with it. */
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
    // Another instance has been quicker, and took this one's process for gone.
    if (!(await releaseRun(ID))) await takeAttemptBack(ID)
    left.delete(ID)
  }
}

/** After a change of the engine every source is forecast anew; until then its lookups say "not ready". */
export function refreshOutdated(): Promise<void> {
  return runDetached('engine', async () => {
    const syncs = await cds.connect.to('SyncService')
    for (const source of await cds.tx(() => markOutdatedSeries())) {
      await syncs
        .send('start', { source, mode: 'incremental', isAutomatic: true })
        .catch((error) => {
          if (!(error instanceof Refusal)) throw error
        })
    }
  })
}
