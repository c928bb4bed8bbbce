// Days are counted from 1970-01-01, UTC.
import { DAY_MS } from '../clock.ts'

export type Day = number

export const yearOf = (day: Day): number => new Date(day * DAY_MS).getUTCFullYear()

export const firstOfYear = (year: number): Day => Date.UTC(year, 0, 1) / DAY_MS

/** 0 is Sunday. */
export const weekday = (day: Day): number => (((day + 4) % 7) + 7) % 7

export const dayText = (day: Day): string => new Date(day * DAY_MS).toISOString().slice(0, 10)

export const dayOf = (text: string): Day => Math.floor(Date.parse(text) / DAY_MS)

export const toMs = (day: Day): number => day * DAY_MS

/** The last second of a day. */
export const endOf = (day: Day): number => (day + 1) * DAY_MS - 1000
