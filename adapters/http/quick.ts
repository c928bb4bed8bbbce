// Tries that a person waits for: they end soon, and what fails once is not tried for each stream.
import { Unreachable } from '../errors.ts'

/** How long failed requests are tried again. */
const PATIENCE_MS = 1_500

interface Try {
  until: number
  unreachable: Unreachable | null
}

const tries = new WeakMap<AbortSignal, Try>()

/** A signal for such a try, which is aborted after this time at the latest. */
export function quickSignal(mostMs: number): AbortSignal {
  const signal = AbortSignal.timeout(mostMs)
  tries.set(signal, { until: performance.now() + PATIENCE_MS, unreachable: null })
  return signal
}

/** Whether a failed request may be tried again after this wait. */
export function hasPatience(signal: AbortSignal, waitMs = 0): boolean {
  const quick = tries.get(signal)
  return !quick || (!quick.unreachable && performance.now() + waitMs < quick.until)
}

/** How long failed requests of this try are still tried again. */
export const patienceMs = (signal: AbortSignal): number =>
  Math.max(0, (tries.get(signal)?.until ?? Infinity) - performance.now())

/** @throws Unreachable where another request of the same try has found no way */
export function assertReachable(signal: AbortSignal) {
  const found = tries.get(signal)?.unreachable
  if (found) throw found
}

/** Remembers for the other requests of the try that there is no way to the ERP. */
export function rememberUnreachable(signal: AbortSignal, error: unknown) {
  const quick = tries.get(signal)
  if (quick && error instanceof Unreachable) quick.unreachable = error
}
