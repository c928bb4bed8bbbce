import cds from '@sap/cds'
import cron, { type ScheduledTask } from 'node-cron'
import { detached } from '../detached.ts'
import { Refusal } from '../errors.ts'

const { SELECT } = cds.ql
const LOG = cds.log('schedule')

let tasks: ScheduledTask[] = []

/** Starts the recurring work: syncs of every source, expiry, and runs whose instance has died. */
export function startSchedules(pump: () => Promise<void>) {
  const { sync, housekeeping } = cds.env.restock.schedules
  tasks = [
    every('*/5 * * * * *', 'pump', pump),
    every(housekeeping, 'housekeeping', async () => {
      const proposals = await cds.connect.to('ProposalsService')
      await proposals.send('keepHouse')
    }),
    every(sync, 'nightly sync', syncAll),
  ]
}

export async function stopSchedules() {
  await Promise.all(tasks.map((task) => task.stop()))
  tasks = []
}

function every(expression: string, name: string, work: () => Promise<unknown>) {
  const quietly = () =>
    detached(name, work).catch((error) => {
      LOG.error(`${name} failed:`, error)
    })
  return cron.schedule(expression, quietly, { name, noOverlap: true, timezone: 'UTC' })
}

/** Every connected source, in full: what no cursor tells is found here. */
async function syncAll() {
  const syncs = await cds.connect.to('SyncService')
  const sources = await SELECT.from('restock.Sources')
    .columns('ID')
    .where({ status: { in: ['connected', 'failing'] } })
  for (const { ID } of sources) {
    await syncs.send('start', { source: ID, mode: 'full' }).catch((error) => {
      if (!(error instanceof Refusal)) throw error
    })
  }
}
