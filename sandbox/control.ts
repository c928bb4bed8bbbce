import type { Behaviour } from './behaviour.ts'
import type { Change, ChangeResult } from './changes/change.ts'
import type { Fault } from './faults.ts'
import type { Traffic } from './traffic.ts'

/** Controls a running sandbox; `/__control` offers the same over HTTP. */
export interface Control {
  readonly behaviour: Readonly<Behaviour>
  set(behaviour: Partial<Behaviour>): void
  /** Advances the clock by days, with new documents and orders, late cancellations and changed master data. */
  advance(days?: number): void
  /** @returns the result of each change, in their order */
  change(changes: Change[]): ChangeResult[]
  fault(fault: Fault): void
  clearFaults(): void
  /** Expires all access tokens; refresh tokens stay valid. */
  expireTokens(): void
  /** Revokes all codes and tokens. */
  revokeTokens(): void
  /** Refuses connections for some milliseconds or until a promise settles; resolves when the ERP is back. */
  restart(down?: number | Promise<void>): Promise<void>
  clearLog(): void
  /** Requests and answered rows by entity set, since the log was cleared. */
  traffic(): Record<string, Traffic>
  /** Sizes of the data and of the traffic so far. */
  counts(): Counts
}

export interface Counts {
  today: string
  skus: number
  pairs: number
  documents: number
  documentItems: number
  purchaseOrders: number
  requests: number
  /** Data requests with a verb other than GET and HEAD. */
  writes: number
  peakConcurrency: number
}
