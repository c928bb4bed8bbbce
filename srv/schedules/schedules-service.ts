import cds from '@sap/cds'
import { runDetached } from '../cap/context.ts'
import { useOwnQueue } from '../cap/queue.ts'
import { isRefusal } from '../errors.ts'
import { withData } from '../with-data.ts'

const LOG = cds.log('schedule')

interface DueSync {
  source: number
  mode: 'full' | 'incremental'
  dueAt: string
}

/** Runs the queued jobs. The queue retries a job that fails. */
export default class SchedulesService extends cds.ApplicationService {
  override async init() {
    useOwnQueue(this)
    this.on(
      'startSync',
      withData((data: DueSync) => rethrow(() => startSync(data))),
    )
    this.on('housekeeping', () => rethrow(housekeeping))
    return super.init()
  }
}

/** Runs in the transaction that removes the task from the queue. */
async function startSync({ source, mode, dueAt }: DueSync) {
  const syncs = await cds.connect.to('SyncService')
  try {
    await syncs.send('start', { source, mode })
  } catch (error) {
    if (!isRefusal(error)) throw error
    LOG.info(`the ${mode} sync of src_${source} due at ${dueAt} is skipped: ${error.message}`)
  }
}

/** Runs outside of the queue's transaction, which would hold SQLite's one connection. */
const housekeeping = () =>
  runDetached('housekeeping', async () => {
    const proposals = await cds.connect.to('ProposalsService')
    await proposals.send('housekeeping')
  })

/** CAP's queue ends the process at a TypeError and its like, but retries after any other error. */
async function rethrow(work: () => Promise<unknown>) {
  try {
    await work()
  } catch (error) {
    throw new Error((error as Error).message, { cause: error })
  }
}
