import cds from '@sap/cds'
import { runDetached } from '../cap/context.ts'
import { Refusal } from '../errors.ts'
import { markOutdatedSeries } from '../store/forecasts.ts'
import { releaseRuns, waitingRuns } from '../store/runs.ts'
import { Worker } from '../worker.ts'
import { executeRun } from './execute-run.ts'

const LOG = cds.log('sync')

const running = new Map<number, Promise<void>>()

/** Executes whatever run waits for an instance: new ones, and those whose instance has died. */
export const syncWorker = new Worker({
  name: 'sync',
  every: 5_000,
  work: startWaitingRuns,
  /** A run stops at its next page; whoever starts next goes on with it. */
  async drain() {
    await Promise.allSettled(running.values())
    await releaseRuns()
  },
})

/** A round is over when the runs have started, not when they end. */
async function startWaitingRuns(stopping: AbortSignal) {
  for (const ID of await waitingRuns()) {
    if (running.has(ID) || stopping.aborted) continue
    const run = runDetached(`sync_${ID}`, () => executeRun(ID, stopping))
      .catch((error) => LOG.error(`sync_${ID} goes on when its lease has ended:`, error))
      .finally(() => running.delete(ID))
    running.set(ID, run)
  }
}

/** After a change of the engine every source is forecast anew; until then its lookups say "not ready". */
export function refreshOutdated(): Promise<void> {
  return runDetached('engine', async () => {
    const syncs = await cds.connect.to('SyncService')
    for (const source of await cds.tx(() => markOutdatedSeries())) {
      await syncs.send('start', { source, mode: 'incremental' }).catch((error) => {
        if (!(error instanceof Refusal)) throw error
      })
    }
  })
}
