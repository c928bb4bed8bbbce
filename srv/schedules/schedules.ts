import cds from '@sap/cds'
import cron, { type ScheduledTask } from 'node-cron'
import { runDetached } from '../cap/context.ts'
import { queueDue } from './due.ts'
import { recoverTasks } from './recover.ts'

const LOG = cds.log('schedule')

let tasks: ScheduledTask[] = []
const underWay = new Set<Promise<void>>()

/** Starts the recurring work: waiting runs, and every minute what is due by now, or was missed. */
export function startSchedules(pump: () => Promise<void>) {
  tasks = [every('*/5 * * * * *', 'pump', pump), every('* * * * *', 'schedules', tick)]
  void tasks[1]!.execute()
}

/** Begins nothing more, and waits for what has begun. */
export async function stopSchedules() {
  await Promise.all(tasks.map(async (task) => task.destroy()))
  tasks = []
  await Promise.all(underWay)
}

async function tick() {
  await queueDue()
  await recoverTasks()
}

function every(expression: string, name: string, work: () => Promise<unknown>) {
  const quietly = () => {
    const run = runDetached(name, work)
      .catch((error) => LOG.error(`${name} failed:`, error))
      .then(() => void underWay.delete(run))
    underWay.add(run)
    return run
  }
  return cron.schedule(expression, quietly, {
    ...{ name, noOverlap: true, timezone: 'UTC', suppressMissedWarning: true },
  })
}
