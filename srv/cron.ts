// When recurring work is due: cron expressions of five fields, in UTC.
import cron from 'node-cron'
import { DAY_MS } from './store/today.ts'

/** Stands in the place of an expression: never. */
export const NEVER = 'off'

export const CRON_RULE =
  'must be a cron expression of five fields in UTC (minute, hour, day of month, month, weekday), ' +
  `such as "0 2 * * *", or "${NEVER}"`

/** A 29 February comes back within it, even past a year like 2100. */
const LONGEST_WAIT_DAYS = 8 * 366

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

/** The first minute from `from` on that the expression names; null for never. */
export function nextRun(expression: string, from: Date): Date | null {
  if (!expression || expression === NEVER) return null
  const task = cron.createTask(expression, () => {}, { timezone: 'UTC' })
  const { hour, minute } = cron.parse(expression)
  const minutes = hour
    .flatMap((h) => minute.map((m) => (h * 60 + m) * 60_000))
    .sort((a, b) => a - b)
  const midnight = Math.floor(from.getTime() / DAY_MS) * DAY_MS
  for (let day = 0; day <= LONGEST_WAIT_DAYS; day++) {
    const start = midnight + day * DAY_MS
    // Every hour and minute named here match, so that one of them tells of the day.
    if (!task.match(new Date(start + minutes[0]!))) continue
    const found = minutes.find((offset) => start + offset >= from.getTime())
    if (found !== undefined) return new Date(start + found)
  }
  return null
}
