import type { Days, EpochDay } from '../types.ts'
import { endOf, indexOf, type Posting, postingOn } from './posting.ts'

/** A day to forecast from, and how many days each horizon has from it on. */
export interface PeriodOrigin {
  day: EpochDay
  horizons: Days[]
}

/**
 * The days on which a week or month has just been booked, the latest first; their horizons end with a period too.
 * @param lastBooked the last day on which anything is booked
 * @param periods lengths of the horizons
 * @param step periods between two origins
 */
export function periodOrigins(
  posting: Posting,
  lastBooked: EpochDay,
  periods: readonly number[],
  origins: number,
  step: number,
): PeriodOrigin[] {
  const last = indexOf(posting, lastBooked) - Math.max(...periods)
  return Array.from({ length: origins }, (_, i) => {
    const index = last - i * step
    // What is booked on the first days of a month stands for the one before.
    const day = Math.max(endOf(posting, index), postingOn(posting, index) + 1)
    return { day, horizons: periods.map((count) => endOf(posting, index + count) - day) }
  })
}
