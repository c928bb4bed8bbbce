// Folders that are watched: what changes in them is read, once it is whole. The state that a sync has begun for is stored, so
// that a change while no service runs is found too, and of several instances one begins the sync.
import cds from '@sap/cds'
import { adapterOf } from '../../../adapters/index.ts'
import { Fatal, Retriable } from '../../../adapters/errors.ts'
import { isRefusal } from '../../base/errors.ts'
import { connectionOf } from '../sources/connections.ts'
import { readAs, Sources } from '../../base/database/entities.ts'
import { Worker } from '../../base/work/worker.ts'
import { syncWorker } from './sync-worker.ts'

const LOG = cds.log('sync')
const EVERY_MS = 5_000
const TIMEOUT_MS = 30_000

/** What was seen in the round before: only what has stayed so since is read, so that a drop of many files is one. */
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
    await startSync(source, state)
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

/** Null where it cannot be told now: the sync of the schedule says why. */
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

/** Notes the state and begins the sync, or neither: while another one runs it is tried again. */
async function startSync({ ID, watchedState }: Watched, state: string): Promise<void> {
  const syncs = await cds.connect.to('SyncService')
  try {
    await cds.tx(async () => {
      const noted: unknown = await UPDATE.entity(Sources)
        .set({ watchedState: state })
        .where({ ID, watchedState })
      if (noted) await syncs.send('start', { source: ID, mode: 'incremental', isAutomatic: true })
    })
  } catch (error) {
    if (!isRefusal(error)) throw error
    return
  }
  LOG.info(`the files of src_${ID} have changed`)
  void syncWorker.wake()
}
