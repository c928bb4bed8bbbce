import { settings } from '../config.ts'
import { Sources, readAs } from '../store/entities.ts'

/** Recurring work, as the SchedulesService does it. */
export interface Job {
  name: string
  /** A cron expression in UTC, or `off`. */
  expression: string
  event: 'startSync' | 'housekeeping'
  data: object
}

interface ScheduledSource {
  ID: number
  /** Null takes the configured one. */
  fullSchedule: string | null
  incrementalSchedule: string | null
}

/** All recurring work. Of a group only the first that is due is done: a full sync reads the changes too. */
export async function jobGroups(): Promise<Job[][]> {
  const { full, incremental, housekeeping } = settings().schedules
  const sources = await readAs<ScheduledSource>(
    SELECT.from(Sources)
      .columns('ID', 'fullSchedule', 'incrementalSchedule')
      .where({ status: { in: ['connected', 'failing'] } }),
  )
  return [
    [{ name: 'housekeeping', expression: housekeeping, event: 'housekeeping', data: {} }],
    ...sources.map(({ ID, fullSchedule, incrementalSchedule }) => [
      syncJob(ID, 'full', fullSchedule ?? full),
      syncJob(ID, 'incremental', incrementalSchedule ?? incremental),
    ]),
  ]
}

const syncJob = (source: number, mode: string, expression: string): Job => ({
  name: `src_${source} ${mode}`,
  expression: expression || 'off',
  event: 'startSync',
  data: { source, mode },
})
