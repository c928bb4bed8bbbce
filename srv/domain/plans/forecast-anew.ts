import { setTimeout as sleep } from 'node:timers/promises'
import cds from '@sap/cds'
import { runDetached } from '../../base/cap/context.ts'
import { isRefusal } from '../../base/errors.ts'
import { Series, Syncs } from '../../base/database/entities.ts'
import {
  type EventSelector,
  markLearning,
  markPlanned,
} from '../../base/database/records/mark-planned.ts'
import { queueRun } from '../../base/work/runs.ts'

/** What is to be forecast anew: what an event selects, or a location whose public holidays changed. */
type Change = EventSelector | HolidaysChange

interface HolidaysChange {
  /** Empty: at all locations. */
  holidaysOf: string
}

const LOG = cds.log('plans')
const POLL_MS = 1_000

/** Changes by source, for which no sync has been started yet. */
const waiting = new Map<number, Change[]>()
const running = new Map<number, Promise<void>>()

/** Starts one sync of each source with marked series. If a restart interrupts this, the next sync does it. */
export function forecastAnew(change: Change): Promise<void> {
  return runDetached('plan', async () => {
    const rows = await SELECT.distinct.from(Series).columns('source_ID').where({ dirty: true })
    await Promise.all(
      rows.map(({ source_ID }) => {
        const source = source_ID!
        waiting.set(source, [...(waiting.get(source) ?? []), change])
        const work =
          running.get(source) ?? syncWaiting(source).finally(() => running.delete(source))
        running.set(source, work)
        return work
      }),
    )
  }).catch((error) => LOG.error('forecasts after a change of the plan:', error))
}

async function syncWaiting(source: number) {
  while (waiting.has(source)) {
    const hasWaited = await waitForSync(source)
    const changes = waiting.get(source)!
    waiting.delete(source)
    // The sync that has just ended may have removed the marks without having seen the change.
    if (hasWaited) await cds.tx(() => markAgain(source, changes))
    // The next sync forecasts a source that is not connected at present.
    await queueRun({ source, mode: 'incremental', isAutomatic: true }).catch((error) => {
      if (!isRefusal(error)) throw error
    })
  }
}

async function markAgain(source: number, changes: Change[]) {
  const events = changes.filter((change) => 'sku' in change)
  if (events.length) await markPlanned(source, events)
  for (const change of changes) if ('holidaysOf' in change) await markLearning(change.holidaysOf)
}

/** @returns whether there was one to wait for */
async function waitForSync(source: number): Promise<boolean> {
  const unfinished = { source_ID: source, status: { in: ['queued', 'running'] } }
  let hasWaited = false
  while (await SELECT.one.from(Syncs).columns('ID').where(unfinished)) {
    hasWaited = true
    await sleep(POLL_MS, undefined, { ref: false })
  }
  return hasWaited
}
