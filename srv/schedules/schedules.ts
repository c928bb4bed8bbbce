import cds from '@sap/cds'
import cron, { type ScheduledTask, type TaskOptions } from 'node-cron'
import { detached } from '../detached.ts'
import { coordinator } from './coordinator.ts'
import { startDueSyncs } from './due-syncs.ts'

const LOG = cds.log('schedule')

let tasks: ScheduledTask[] = []

/** Work that one of all instances does; without it, every instance does it. */
const ONCE: TaskOptions = { distributed: true, runCoordinator: coordinator }

/** Starts the recurring work: due syncs, expiry, and runs whose instance has died. */
export function startSchedules(pump: () => Promise<void>) {
  const { housekeeping } = cds.env.restock.schedules
  tasks = [
    every('*/5 * * * * *', 'pump', pump),
    every('* * * * *', 'due syncs', (minute) => startDueSyncs(minute), ONCE),
    every(
      housekeeping,
      'housekeeping',
      async () => {
        const proposals = await cds.connect.to('ProposalsService')
        await proposals.send('keepHouse')
      },
      ONCE,
    ),
  ]
}

export async function stopSchedules() {
  await Promise.all(tasks.map((task) => task.destroy()))
  tasks = []
}

function every(
  expression: string,
  name: string,
  work: (minute: Date) => Promise<unknown>,
  options: TaskOptions = {},
) {
  const quietly = ({ date }: { date: Date }) =>
    detached(name, () => work(date)).catch((error) => {
      LOG.error(`${name} failed:`, error)
    })
  return cron.schedule(expression, quietly, {
    ...{ name, noOverlap: true, timezone: 'UTC', suppressMissedWarning: true },
    ...options,
  })
}
