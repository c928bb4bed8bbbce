import type { Days, DemandHistory, EpochDay } from '../types.ts'
import { detectSeriesPosting } from './find-posting.ts'
import type { LocationContext } from './location-context.ts'
import { POSTED_HISTORY_DAYS, rowsSince } from './look-back.ts'
import { type Posting, stepDaysOf, withDating } from './posting.ts'
import { unitsOf } from './quantity.ts'

const LATELY: Days = 182
/** Days with demand a period, in the mean of half a year, from which on a series is not booked with its location. */
const TOO_MANY = 3

/** The context as it holds for one series: its own schedule of booking where not all of the location keep to one. */
export function contextFor(
  history: DemandHistory,
  asOf: EpochDay,
  context: LocationContext,
): LocationContext {
  const { posting, postings } = context
  if (posting && postings !== false) {
    if (!sellsDaily(history, asOf, posting)) return context
    return { ...context, posting: null }
  }
  if (posting || !postings) return context
  const recent = rowsSince(history, asOf - POSTED_HISTORY_DAYS)
  const own = detectSeriesPosting(recent, asOf, postings)
  if (!own) return context
  return { ...context, posting: withDating({ ...own, until: untilOf(own, postings) }, asOf) }
}

const untilOf = ({ every, on }: Posting, postings: readonly Posting[]): EpochDay | null =>
  postings.find((other) => other.every === every && other.on === on)?.until ?? null

function sellsDaily(
  { days, quantities }: DemandHistory,
  asOf: EpochDay,
  posting: Posting,
): boolean {
  const most = (TOO_MANY * LATELY) / stepDaysOf(posting)
  let sales = 0
  for (let i = days.length - 1; i >= 0 && sales <= most; i--)
    if (days[i]! < asOf && days[i]! >= asOf - LATELY && unitsOf(quantities[i]!) > 0) sales++
  return sales > most
}
