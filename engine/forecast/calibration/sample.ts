import type { DemandHistory, EpochDay } from '../../types.ts'

const MOST = 1200
/** Sales, and days since the first one, for a series to have a past worth looking at. */
const FEWEST_SALES = 3
const FEWEST_DAYS = 84
const RECENT_DAYS = 365

/** The series, evenly spread over all of them, from whose past `calibrate` learns. */
export function calibrationSample<T>(
  all: readonly T[],
  historyOf: (one: T) => DemandHistory,
  asOf: EpochDay,
): T[] {
  const eligible = all.filter((one) => hasPast(historyOf(one), asOf))
  const count = Math.min(MOST, eligible.length)
  return Array.from(
    { length: count },
    (_, i) => eligible[Math.floor((i * eligible.length) / count)]!,
  )
}

function hasPast({ days }: DemandHistory, asOf: EpochDay): boolean {
  let known = days.length
  while (known > 0 && days[known - 1]! >= asOf) known--
  if (known < FEWEST_SALES) return false
  return days[0]! <= asOf - FEWEST_DAYS && days[known - 1]! >= asOf - RECENT_DAYS
}
