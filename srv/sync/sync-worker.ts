// Executes whatever run waits for an instance: new ones, and those whose instance has died.
import cds from '@sap/cds'
import { runDetached } from '../cap/context.ts'
import { Refusal } from '../errors.ts'
import { markOutdated } from '../store/forecasts.ts'
import { releaseRuns, waitingRuns } from '../store/runs.ts'
import { execute } from './execute.ts'

const active = new Map<number, Promise<void>>()
const stopping = new AbortController()

/** After a change of the engine every source is forecast anew; until then its lookups say "not ready". */
export function refreshOutdated(): Promise<void> {
  return runDetached('engine', async () => {
    const syncs = await cds.connect.to('SyncService')
    for (const source of await cds.tx(() => markOutdated())) {
      await syncs.send('start', { source, mode: 'incremental' }).catch((error) => {
        if (!(error instanceof Refusal)) throw error
      })
    }
  })
}

/** Starts the waiting runs; returns when they are started, not when they end. */
export function pump(): Promise<void> {
  return runDetached('pump', async () => {
    if (stopping.signal.aborted) return
    for (const ID of await waitingRuns()) {
      if (active.has(ID)) continue
      const run = runDetached(`sync_${ID}`, () => execute(ID, stopping.signal))
      active.set(
        ID,
        run.finally(() => active.delete(ID)),
      )
    }
  })
}

/** Lets the running ones stop at their next page; whoever starts next goes on with them. */
export async function stopPump() {
  stopping.abort()
  await Promise.allSettled(active.values())
  await releaseRuns()
}
