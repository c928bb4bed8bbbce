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

/** What an event concerns, or whose public holidays hold at a location, of which more is learnt. */
type Change = EventSelector | HolidaysChange

interface HolidaysChange {
  /** Empty: at all locations. */
  holidaysOf: string
}

const LOG = cds.log('plans')
const POLL_MS = 1_000

/** Changed events by source that no sync has been started for yet. */
const waiting = new Map<number, Change[]>()
const running = new Map<number, Promise<void>>()

/**
 * Has the marked series forecast and proposed anew by a sync of each source that has some, one for many changes. What a
 * restart interrupts is done by the next sync.
 */
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
    // The sync that has ended may have forecast without the change, and taken its marks off.
    if (hasWaited) await cds.tx(() => markAgain(source, changes))
    // A source that is not connected is forecast by its next sync.
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
