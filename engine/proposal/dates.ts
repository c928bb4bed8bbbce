import type { Days } from '../types.ts'

const MS_PER_DAY = 86_400_000

/** The calendar day `days` after an ISO day, as `YYYY-MM-DD`. */
export function addDays(day: string, days: Days): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * MS_PER_DAY).toISOString().slice(0, 10)
}
