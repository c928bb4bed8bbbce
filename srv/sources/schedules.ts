import type { Source } from '#cds-models/restock'
import { settings } from '../config.ts'
import { NEVER, nextRun } from '../cron.ts'
import { writeAuditLog } from '../store/audit.ts'
import { Sources } from '../store/entities.ts'
import { usualZone } from '../store/local-days.ts'

/** Cron expressions by the clocks of the source's time zone, or `off`; null is the configured schedule, undefined changes nothing. */
export interface ScheduleChange {
  fullSchedule?: string | null
  incrementalSchedule?: string | null
}

const MODES = [
  ['full', 'fullSchedule'],
  ['incremental', 'incrementalSchedule'],
] as const

type Row = Pick<Source, 'status' | 'fullSchedule' | 'incrementalSchedule' | 'options'>

/** The schedules of a source: its own ones, else the configured ones. */
export function schedulesOf(row: Row) {
  const isOpen = row.status === 'connected' || row.status === 'failing'
  const timeZone = usualZone(row.options)
  const scheduleOf = (own: unknown, configured: string) => {
    const expression = String(own ?? configured) || NEVER
    const next = isOpen ? nextRun(expression, new Date(), timeZone) : null
    return {
      expression,
      isDefault: own === null || own === undefined,
      nextRunAt: next?.toISOString() ?? null,
    }
  }
  const { full, incremental } = settings().schedules
  return {
    full: scheduleOf(row.fullSchedule, full),
    incremental: scheduleOf(row.incrementalSchedule, incremental),
  }
}

/** Stores changed schedules and their entry in the audit log, in the caller's transaction. */
export async function storeSchedules(ID: number, wanted: ScheduleChange) {
  const before = (await SELECT.one
    .from(Sources)
    .columns('fullSchedule', 'incrementalSchedule')
    .where({ ID }))!
  const changed = MODES.flatMap(([mode, column]) => {
    const [from, to] = [before[column] ?? null, wanted[column]]
    return to === undefined || to === from ? [] : [{ mode, column, from, to }]
  })
  if (!changed.length) return
  await UPDATE.entity(Sources)
    .set(Object.fromEntries(changed.map(({ column, to }) => [column, to])))
    .where({ ID })
  const changes = changed.map(
    ({ mode, from, to }) => `${mode}: ${from ?? 'default'} → ${to ?? 'default'}`,
  )
  await writeAuditLog('source.schedules_changed', `src_${ID}`, changes.join('; '))
}
