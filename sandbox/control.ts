import type { Behaviour } from './behaviour.ts'
import type { Change, ChangeResult } from './changes/change.ts'
import type { Fault } from './faults.ts'

/** Everything that can be done to a running sandbox; `/__control` offers the same. */
export interface Control {
  readonly behaviour: Readonly<Behaviour>
  set(behaviour: Partial<Behaviour>): void
  /** Days of business pass: new documents and orders, late cancellations, changed master data. */
  advance(days?: number): void
  /** @returns what each change has made, in their order */
  change(changes: Change[]): ChangeResult[]
  fault(fault: Fault): void
  clearFaults(): void
  /** All access tokens end now; refresh tokens stay. */
  expireTokens(): void
  /** All codes and tokens end, as after a revocation. */
  revokeTokens(): void
  /** Nobody can connect for so many milliseconds, or until something is over; resolves when the ERP is back. */
  restart(down?: number | Promise<void>): Promise<void>
  clearLog(): void
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
