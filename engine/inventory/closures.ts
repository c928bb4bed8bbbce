import { weekdayOf } from '../series/calendar.ts'
import type { Days, EpochDay } from '../types.ts'
import type { Weekday } from './order-days.ts'

/** When a supplier or a location does no work. */
export interface ClosedDays {
  /** Days of rest in every week: nothing begins and nothing is received on them. Lead times hold them already. */
  weekdays: readonly Weekday[]
  /** Closures and public holidays: on them no day of a lead time passes either. */
  days: ReadonlySet<EpochDay>
}

/** Null: open on every day. */
type Closed = ClosedDays | null | undefined

/** What is closed for longer counts as open then: no order waits for ever. */
export const LONGEST_CLOSURE: Days = 366

const isoWeekday = (day: EpochDay) => ((weekdayOf(day) + 3) % 7) + 1

const isClosed = ({ days, weekdays }: ClosedDays, day: EpochDay) =>
  days.has(day) || weekdays.some((weekday) => weekday === isoWeekday(day))

/** The first day of work from a day on. */
export function openFrom(closed: Closed, day: EpochDay): EpochDay {
  if (!closed) return day
  let open = day
  while (open < day + LONGEST_CLOSURE && isClosed(closed, open)) open++
  return open
}

/**
 * The day on which an order is usable: the supplier begins with it on a day of work, a lead time passes of which closures are
 * no part, and the location receives it on a day of work. No later order is usable earlier.
 */
export function arrivalOf(
  orderedOn: EpochDay,
  leadTimeDays: Days,
  { supplier, location }: { supplier: Closed; location: Closed },
): EpochDay {
  const begin = openFrom(supplier, orderedOn)
  if (!supplier?.days.size) return openFrom(location, begin + leadTimeDays)
  let left = leadTimeDays
  let day = begin
  while (left > 0 && day < begin + leadTimeDays + LONGEST_CLOSURE) {
    day++
    if (!supplier.days.has(day)) left--
  }
  return openFrom(location, day + Math.min(0, left))
}
