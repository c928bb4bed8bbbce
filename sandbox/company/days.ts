import { DAY_MS } from '../clock.ts'

/** `YYYY-MM-DD` of a day since 1970. */
export const isoDay = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)

/** `YYYY-MM-DD` of a time in milliseconds since 1970, UTC. */
export const dayOfTime = (at: number): string => new Date(at).toISOString().slice(0, 10)
