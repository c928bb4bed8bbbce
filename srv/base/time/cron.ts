// When recurring work is due: cron expressions of five fields, by the clocks of a time zone.
import cron from 'node-cron'
import { DAY_MS, instantsAt, wallClock } from './time-zone.ts'

/** Stands in the place of an expression: never. */
export const NEVER = 'off'

export const CRON_RULE =
  'must be a cron expression of five fields (minute, hour, day of month, month, weekday), ' +
  `such as "0 2 * * *", or "${NEVER}"`

/** A 29 February comes back within it, even past a year like 2100. */
const LONGEST_WAIT_DAYS = 8 * 366
const MINUTE_MS = 60_000
const HOURS = 24

/** What is wrong with an expression; null for one that can be scheduled. */
export function findCronFault(expression: string): string | null {
  if (expression === NEVER) return null
  const fields = expression.split(' ').filter((field) => field !== '')
  if (fields.length !== 5) return CRON_RULE
  const { valid, errors } = cron.validateDetailed(expression)
  if (!valid) return `${CRON_RULE}; ${errors[0]?.message ?? 'it cannot be read'}`
  if (nextRun(expression, new Date()) === null)
    return `${CRON_RULE}; it names no day that will come`
  return null
}

/**
 * The first minute from `from` on that the expression names; null for never. A time that a day of 23 hours leaves out comes
 * an hour later; of one that a day of 25 hours has twice the first counts, and both where the expression names every hour.
 */
export function nextRun(expression: string, from: Date, timeZone = 'UTC'): Date | null {
  if (!expression || expression === NEVER) return null
  // Clocks are read as if they were in UTC, and turned into instants afterwards.
  const schedule = cron.createTask(expression, () => {}, { timezone: 'UTC' })
  // node-cron keeps each task until it is destroyed.
  void schedule.destroy()
  const { hour, minute } = cron.parse(expression)
  const minutes = hour
    .flatMap((h) => minute.map((m) => (h * 60 + m) * MINUTE_MS))
    .sort((a, b) => a - b)
  const instantsOf = (wall: number) => {
    const all = instantsAt(timeZone, wall)
    return hour.length === HOURS ? all : [all[0]]
  }
  const midnight = Math.floor(wallClock(timeZone, from.getTime()) / DAY_MS) * DAY_MS
  // A time that was left out yesterday may come today.
  for (let day = -1; day <= LONGEST_WAIT_DAYS; day++) {
    const start = midnight + day * DAY_MS
    // Every hour and minute named here match, so that one of them tells of the day.
    if (!schedule.match(new Date(start + minutes[0]!))) continue
    const found = minutes
      .flatMap((offset) => instantsOf(start + offset))
      .filter((at) => at >= from.getTime())
    if (found.length) return new Date(Math.min(...found))
  }
  return null
}
