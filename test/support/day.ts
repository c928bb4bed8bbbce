import { setTimeout as sleep } from 'node:timers/promises'

const MINUTE_MS = 60_000
const DAY_MS = 1440 * MINUTE_MS

/**
 * Tests reckon days from today, and so does the service: what needs so many minutes begins tomorrow
 * where today, in UTC, has fewer left.
 */
export async function dayWith(minutes: number) {
  const left = DAY_MS - (Date.now() % DAY_MS)
  if (left < minutes * MINUTE_MS) await sleep(left + 1000)
}
