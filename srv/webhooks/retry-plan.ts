// When a failed delivery is retried, and when its webhook is disabled.
const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** After the first failure, after the second …: ten tries over three days. */
const DELAYS_MS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
]

const JITTER = 0.2
const LONGEST_MS = 24 * HOUR

/** A webhook that has answered nothing but failures for so long is disabled. */
export const GIVE_UP_MS = 5 * 24 * HOUR

/**
 * How long to wait after so many tries; null after the last one.
 * @param askedMs what the receiver asked for; a day at most
 * @param random 0..1: receivers that failed together are not tried together
 */
export function delayAfter(tries: number, askedMs = 0, random = Math.random()): number | null {
  const delay = DELAYS_MS[tries - 1]
  if (delay === undefined) return null
  return Math.max(delay * (1 + JITTER * random), Math.min(askedMs, LONGEST_MS))
}
