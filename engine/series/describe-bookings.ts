// In words, for whoever reads a note: by which rhythm demand is booked, where that is not by day.
import type { LocationContext } from './location-context.ts'
import { periodsIn, periodsOf, type Posting } from './posting.ts'

const WEEKDAYS = ['Thursday', 'Friday', 'Saturday', 'Sunday', 'Monday', 'Tuesday', 'Wednesday']
/** Locations that are named. */
const NAMED = 5

/** A sentence for each rhythm that was found. */
export function describeBookings(
  contexts: readonly (readonly [location: string, LocationContext])[],
): { every: Posting['every']; text: string }[] {
  const found = contexts.flatMap(([location, { posting, postings }]) =>
    [posting ?? [], postings || []].flat().map((each) => ({
      ...{ every: each.every, rhythm: rhythmOf(each), day: dayOf(each) },
      where: posting ? location : `${location} (some SKUs)`,
    })),
  )
  return (['week', 'month'] as const).flatMap((every) => {
    const rhythms = Map.groupBy(
      found.filter((one) => one.every === every),
      ({ rhythm }) => rhythm,
    )
    return [...rhythms].map(([rhythm, those]) => {
      const days = [...Map.groupBy(those, ({ day }) => day)]
      const where = days.map(([day, at]) => `${day} at ${listOf(at.map((one) => one.where))}`)
      return { every, text: `Demand is booked ${rhythm}: ${where.join('; ')}.` }
    })
  })
}

function rhythmOf(posting: Posting): string {
  if (!posting.weeks) return `once a ${posting.every}`
  const [shortest, longest] = [Math.min(...periodsIn(posting)), periodsOf(posting)]
  return `every ${shortest === longest ? '' : `${shortest} to `}${longest} weeks`
}

const dayOf = ({ every, on }: Posting) =>
  every === 'week' ? `on ${WEEKDAYS[on]}` : on === 31 ? 'at its end' : `on day ${on}`

function listOf(locations: string[]) {
  const sorted = [...new Set(locations)].sort()
  const more = sorted.length - NAMED
  return sorted.slice(0, NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '')
}
