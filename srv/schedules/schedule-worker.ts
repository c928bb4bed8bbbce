import { recoverTasks } from '../cap/queue.ts'
import { Worker } from '../worker.ts'
import { queueDue } from './queue-due.ts'

/** Queues what is due by now, or was missed while the service was down. */
export const scheduleWorker = new Worker({
  name: 'schedule',
  every: '* * * * *',
  async work() {
    await queueDue()
    await recoverTasks('SchedulesService')
  },
})
