import { setTimeout as sleep } from 'node:timers/promises'

const MINUTE_MS = 60_000
const DAY_MS = 1440 * MINUTE_MS

/**
 * Waits for the next day if today (UTC) has fewer minutes left than a test needs, because tests and the
 * service both count days from today.
 */
export async function dayWith(minutes: number) {
  const left = DAY_MS - (Date.now() % DAY_MS)
  if (left < minutes * MINUTE_MS) await sleep(left + 1000)
}
