// In words, for whoever reads a note: by which rhythm demand is booked, where that is not by day.
import type { LocationContext } from './location-context.ts'
import type { Posting } from './posting.ts'

const WEEKDAYS = ['Thursday', 'Friday', 'Saturday', 'Sunday', 'Monday', 'Tuesday', 'Wednesday']
/** Locations that are named. */
const NAMED = 5

/** A sentence for each rhythm that was found. */
export function describeBookings(
  contexts: readonly (readonly [location: string, LocationContext])[],
): { every: Posting['every']; text: string }[] {
  return (['week', 'month'] as const).flatMap((every) => {
    const days = new Map<string, string[]>()
    for (const [location, { posting, postings }] of contexts)
      for (const each of [posting ?? [], postings || []].flat()) {
        if (each.every !== every) continue
        const where = posting ? location : `${location} (some SKUs)`
        days.set(dayOf(each), [...(days.get(dayOf(each)) ?? []), where])
      }
    if (!days.size) return []
    const where = [...days].map(([day, locations]) => `${day} at ${listOf(locations)}`).join('; ')
    return [{ every, text: `Demand is booked once a ${every}: ${where}.` }]
  })
}

const dayOf = ({ every, on }: Posting) =>
  every === 'week' ? `on ${WEEKDAYS[on]}` : on === 31 ? 'at its end' : `on day ${on}`

function listOf(locations: string[]) {
  const sorted = [...new Set(locations)].sort()
  const more = sorted.length - NAMED
  return sorted.slice(0, NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '')
}
