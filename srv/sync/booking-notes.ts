// What a sync says of demand that is booked by week or month, and not when it is sold.
import { describeBookings, type LocationContext } from '../../engine/index.ts'
import { Learnt } from '../store/entities.ts'
import type { Issue } from './run.ts'

/** One for each rhythm that was found. */
export async function bookingNotes(source: number): Promise<Issue[]> {
  const row = await SELECT.one.from(Learnt).columns('contexts').where({ source_ID: source })
  const contexts = JSON.parse(row?.contexts ?? '[]') as [string, LocationContext][]
  return describeBookings(contexts).map(({ every, text }) => ({
    ...{ code: `demand_booked_${every}ly`, stream: 'demand', key: null, message: text },
  }))
}
