import cds from '@sap/cds'
import cron from 'node-cron'
import { Refusal } from '../errors.ts'

const { SELECT } = cds.ql

type Mode = 'full' | 'incremental'

interface ScheduledSource {
  ID: number
  /** Cron expressions in UTC; null takes the configured one, an empty one means never. */
  fullSchedule: string | null
  incrementalSchedule: string | null
}

/** Starts the syncs whose schedule names this minute; where both modes are due, the full one. */
export async function startDueSyncs(minute: Date) {
  const sources: ScheduledSource[] = await SELECT.from('restock.Sources')
    .columns('ID', 'fullSchedule', 'incrementalSchedule')
    .where({ status: { in: ['connected', 'failing'] } })
  const syncs = await cds.connect.to('SyncService')
  for (const source of sources) {
    const mode = modeDue(source, minute)
    if (!mode) continue
    await syncs.send('start', { source: source.ID, mode }).catch((error) => {
      if (!(error instanceof Refusal)) throw error
    })
  }
}

function modeDue(source: ScheduledSource, minute: Date): Mode | null {
  const { full, incremental } = cds.env.restock.schedules
  if (matches(source.fullSchedule ?? full, minute)) return 'full'
  return matches(source.incrementalSchedule ?? incremental, minute) ? 'incremental' : null
}

function matches(expression: string, minute: Date): boolean {
  if (!expression) return false
  const task = cron.createTask(expression, () => {}, { timezone: 'UTC' })
  return task.match(minute)
}
