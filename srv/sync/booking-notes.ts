// What a sync says of demand that is booked by week or month, and not when it is sold.
import type { LocationContext, Posting } from '../../engine/index.ts'
import { Learnt } from '../store/entities.ts'
import type { Issue } from './run.ts'

const WEEKDAYS = ['Thursday', 'Friday', 'Saturday', 'Sunday', 'Monday', 'Tuesday', 'Wednesday']
/** Locations that are named. */
const NAMED = 5

/** One for each rhythm that was found. */
export async function bookingNotes(source: number): Promise<Issue[]> {
  const row = await SELECT.one.from(Learnt).columns('contexts').where({ source_ID: source })
  const contexts = JSON.parse(row?.contexts ?? '[]') as [string, LocationContext][]
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
    const message = `Demand is booked once a ${every}: ${where}.`
    return [{ code: `demand_booked_${every}ly`, stream: 'demand', key: null, message }]
  })
}

const dayOf = ({ every, on }: Posting) =>
  every === 'week' ? `on ${WEEKDAYS[on]}` : on === 31 ? 'at its end' : `on day ${on}`

function listOf(locations: string[]) {
  const sorted = [...new Set(locations)].sort()
  const more = sorted.length - NAMED
  return sorted.slice(0, NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '')
}
