import type { EpochDay, PlannedEffect } from '../types.ts'
import type { Activity } from './activity.ts'
import { closedDays } from './closed-days.ts'
import { type Holiday, holidayEffects } from './holidays.ts'
import { detectPosting } from './find-posting.ts'
import { indexOf, likeliest, type Posting } from './posting.ts'
import type { LaunchRule } from './launches.ts'
import type { SeasonSpread } from './season-spread.ts'
import { weekdayShares } from './weekday-shares.ts'

/** What a series can learn from the others of its location. Plain data, safe to store as JSON. */
export interface LocationContext {
  /** Days on which the whole location was closed: missing there, not zero. Ascending. */
  closedDays: EpochDay[]
  /** Gamma prior of a series' mean daily demand, for series too young to speak for themselves. */
  prior: { shape: number; rate: number } | null
  /** Absent or null where demand is booked on the day of the sale. */
  posting?: Posting | null
  /** Schedules to which some of its series keep, where others do not; false: none is looked for. */
  postings?: Posting[] | false
  /** Mean selling SKUs by weekday (0 = Thursday) over the mean of all; absent where nothing stands out. */
  weekdays?: number[] | null
  /** How much was going on from week to week, there and in so far as it says too little in all locations. */
  activity?: Activity | null
  /** How far its SKUs differ in that year by year; absent where they do not, or too little is known. */
  seasons?: SeasonSpread | null
  /** What SKUs that were new before tell of new ones; absent where there were too few. */
  launches?: LaunchRule[] | null
  /** The day after the last one with any row, where later silence means missing rows, not no demand. */
  knownUntil?: EpochDay | null
  /** The first day with any row. */
  knownFrom?: EpochDay | null
  /** Demand is booked whether or not there is stock; absent where nothing is known of it. */
  sellsWithoutStock?: boolean
  /** Closures of every year, as they come again; absent where there are none. */
  closures?: PlannedEffect[]
  /** What public holidays to come do; absent where none are known or nothing was learnt of them. */
  holidays?: PlannedEffect[]
}

/** How a source books its demand; absent: it is found. */
export type Booking = 'daily' | 'weekly' | 'monthly'

export const EMPTY_CONTEXT: LocationContext = {
  closedDays: [],
  prior: null,
  posting: null,
  weekdays: null,
  activity: null,
  knownUntil: null,
  knownFrom: null,
}

const FEWEST_RATES = 5

interface LocationDays {
  days: Int32Array
  sellingSkus: Int32Array
  booking?: Booking | null
}

/**
 * Reads a location as a whole. Give it only what lies before the as-of date.
 * @param input.days days with any sale, ascending and unique
 * @param input.sellingSkus how many SKUs sold on each of them
 * @param input.parts what was going on on each of them, by `activityPart`; holidays are learnt from it
 * @param input.holidays public holidays of the past and of days to come, and the as-of date
 * @param input.rates mean daily demand of each series of the location, units a day
 */
export function locationContext(
  input: LocationDays & {
    rates: Float64Array
    parts?: Float64Array
    holidays?: { calendar: readonly Holiday[]; asOf: EpochDay }
  },
): LocationContext {
  const posting = postingOf(input)
  const prior = gammaPrior(input.rates)
  const known = { ...EMPTY_CONTEXT, prior, knownFrom: input.days[0] ?? null }
  if (posting) return { ...known, posting }
  const weekdays = weekdayShares(input.days, input.sellingSkus)
  const daily = { ...known, ...closedDays(input.days, input.sellingSkus), weekdays }
  const { days, parts, holidays } = input
  if (!holidays || !parts) return daily
  const effects = holidayEffects(holidays.calendar, { days, parts }, holidays.asOf)
  return effects.length ? { ...daily, holidays: effects } : daily
}

function postingOf(location: LocationDays): Posting | null {
  const posting = rhythmOf(location)
  const weeks = posting && weeksOf(posting, location.days)
  return weeks ? { ...posting, weeks } : posting
}

/** Bookings that tell whether each stands for several weeks. */
const FEWEST_BOOKINGS = 8
/** The longest period over the shortest: four and five weeks, and share of the periods for which that is true. */
const FISCAL = { longest: 1.5, share: 0.9 }

/** The weeks that are booked, where these are no more than every second one, in periods that are about as long. */
function weeksOf(posting: Posting, days: Int32Array): number[] | null {
  if (posting.every !== 'week') return null
  const weeks = [...new Set(Array.from(days, (day) => indexOf(posting, day)))].sort((a, b) => a - b)
  if (weeks.length < FEWEST_BOOKINGS) return null
  const periods = weeks.slice(1).map((week, i) => week - weeks[i]!)
  const shortest = Math.min(...periods)
  const alike = periods.filter((period) => period <= FISCAL.longest * shortest)
  return shortest > 1 && alike.length >= FISCAL.share * periods.length ? weeks : null
}

function rhythmOf({ days, sellingSkus, booking }: LocationDays): Posting | null {
  if (booking === 'daily') return null
  if (!booking) return detectPosting(days, sellingSkus)
  const { every, on } = likeliest(booking === 'weekly' ? 'week' : 'month', days, sellingSkus)
  return { every, on, until: days.at(-1) ?? null }
}

/** Method of moments, kept between "says nothing" and "says it all". */
function gammaPrior(rates: Float64Array): LocationContext['prior'] {
  const usable = rates.filter((rate) => Number.isFinite(rate) && rate > 0)
  if (usable.length < FEWEST_RATES) return null
  const mean = usable.reduce((sum, rate) => sum + rate, 0) / usable.length
  const variance = usable.reduce((sum, rate) => sum + (rate - mean) ** 2, 0) / usable.length
  const shape = Math.min(5, Math.max(0.2, (mean * mean) / Math.max(variance, 1e-12)))
  return { shape, rate: shape / mean }
}
