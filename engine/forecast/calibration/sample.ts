import { LEARNING_DAYS } from '../../series/look-back.ts'
import { byText, type Pair, pickPairs } from '../../series/natural-order.ts'
import type { DemandHistory, EpochDay } from '../../types.ts'

/** Series of a location that stand for all of it where only its habits matter; fewer where there are many. */
const OF_LOCATION = { most: 1_000, least: 200, ofAll: 6_000 }

/** The series from which a source or file learns, those of each location together; in natural order. */
export function learningSample<T extends Pair>(all: readonly T[]): T[] {
  const locations = Map.groupBy(all, ({ location }) => location)
  const share = Math.max(OF_LOCATION.least, Math.floor(OF_LOCATION.ofAll / locations.size))
  const count = Math.min(OF_LOCATION.most, share)
  return [...locations.keys()]
    .sort(byText)
    .flatMap((location) => pickPairs(locations.get(location)!, count))
}

const MOST = 1200
/** Sales, and days since the first one, for a series to have a past worth looking at. */
const FEWEST_SALES = 3
const FEWEST_DAYS = 84
const RECENT_DAYS = 365

/** The series, evenly spread over all of them, from whose past `calibrate` learns. @param all in natural order */
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
  let first = 0
  while (first < known && days[first]! < asOf - LEARNING_DAYS) first++
  if (known - first < FEWEST_SALES) return false
  return days[first]! <= asOf - FEWEST_DAYS && days[known - 1]! >= asOf - RECENT_DAYS
}
