import { DAY_MS } from '../clock.ts'

/** `YYYY-MM-DD` of a day since 1970. */
export const isoDay = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)

/** `YYYY-MM-DD` of a time in milliseconds since 1970, UTC. */
export const dayOfTime = (at: number): string => stampOf(at).slice(0, 10)

let last = { at: NaN, stamp: '' }

/** `YYYY-MM-DD hh:mm:ss` of a time in milliseconds since 1970, UTC. Rows of one time follow each other. */
export function stampOf(at: number): string {
  if (at !== last.at) {
    last = { at, stamp: new Date(at).toISOString().slice(0, 19).replace('T', ' ') }
  }
  return last.stamp
}
