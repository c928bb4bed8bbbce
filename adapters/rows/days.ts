export const DAY_MS = 86_400_000

export const dayText = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

export const addDays = (day: string, days: number): string =>
  dayText(Date.parse(day) + days * DAY_MS)

/** The day so many days ago. */
export const daysAgo = (days: number): string => dayText(Date.now() - days * DAY_MS)

/** Days from one to another, both included. */
export const daysBetween = (from: string, to: string): number =>
  (Date.parse(to) - Date.parse(from)) / DAY_MS + 1

export const earlier = (a: string, b: string): string => (a < b ? a : b)
export const later = (a: string, b: string): string => (a > b ? a : b)
