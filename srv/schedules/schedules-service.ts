import cds from '@sap/cds'
import { runDetached } from '../cap/context.ts'
import { useOwnQueue } from '../cap/queue.ts'
import { isRefusal } from '../errors.ts'
import { send, withData } from '../services.ts'

const LOG = cds.log('schedule')

interface DueSync {
  source: number
  mode: 'full' | 'incremental'
  dueAt: string
}

/** Does what the queue brings. What fails is tried again by the queue; a queued task is done once. */
export default class SchedulesService extends cds.ApplicationService {
  override async init() {
    useOwnQueue(this)
    this.on(
      'startSync',
      withData((data: DueSync) => withPlainErrors(() => startSync(data))),
    )
    this.on('housekeeping', () => withPlainErrors(housekeeping))
    return super.init()
  }
}

/** In the transaction that takes the task from the queue: both happen, or none. */
async function startSync({ source, mode, dueAt }: DueSync) {
  const syncs = await cds.connect.to('SyncService')
  try {
    await syncs.send('start', { source, mode, isAutomatic: true })
  } catch (error) {
    if (!isRefusal(error)) throw error
    LOG.info(`the ${mode} sync of src_${source} due at ${dueAt} is skipped: ${error.message}`)
  }
}

/** Outside of the queue's transaction, which would hold SQLite's one connection. */
const housekeeping = () =>
  runDetached('housekeeping', async () => {
    await send('ProposalsService', 'housekeeping')
    await send('KeysService', 'lapse')
    await send('AccessService', 'lapse')
    await send('SourcesService', 'removeAbandoned')
  })

/** The queue ends the process at a TypeError and the like; as any other error it is tried again. */
async function withPlainErrors(work: () => Promise<unknown>) {
  try {
    await work()
  } catch (error) {
    throw new Error((error as Error).message, { cause: error })
  }
}
