import { Worker } from '../worker.ts'
import { queueDue } from './queue-due.ts'
import { recoverTasks } from './recover-tasks.ts'

/** Queues what is due by now, or was missed while the service was down. */
export const scheduleWorker = new Worker({
  name: 'schedule',
  every: '* * * * *',
  async work() {
    await queueDue()
    await recoverTasks()
  },
})
