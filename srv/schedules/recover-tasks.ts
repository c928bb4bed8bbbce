import cds from '@sap/cds'
import { flush, QUEUE } from './queue.ts'

const { DELETE, UPDATE } = cds.ql

const ABANDONED_MS = 2 * 60_000
const KEPT_MS = 7 * 86_400_000

/**
 * Takes up the tasks of an instance that died. One that it had begun stands as being processed without
 * a time of its attempt, so that CAP would wait for it without end.
 */
export async function recoverTasks(now = Date.now()) {
  const since = (ms: number) => new Date(now - ms).toISOString()
  await UPDATE.entity('cds.outbox.Messages')
    .set({ status: null })
    .where({ target: QUEUE, status: 'processing', timestamp: { '<': since(ABANDONED_MS) } })
  await DELETE.from('cds.outbox.Messages').where({
    target: QUEUE,
    timestamp: { '<': since(KEPT_MS) },
  })
  await flush()
}
