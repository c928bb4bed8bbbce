import { applyChange } from './changes/apply.ts'
import type { Behaviour } from './behaviour.ts'
import type { Change, ChangeResult } from './changes/change.ts'
import type { Fault } from './faults.ts'
import type { Host } from './host.ts'
import type { State } from './state.ts'

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

export function createControl(state: State, host: Host): Control {
  const { world, clock, behaviour } = state
  return {
    behaviour,
    set: (changed) => void Object.assign(behaviour, changed),
    advance(days = 1) {
      if (!Number.isInteger(days) || days < 1) throw new RangeError('days must be at least 1')
      clock.advance(days)
    },
    change: (changes) => changes.map((change) => applyChange(state, change)),
    fault: (fault) => state.faults.add(fault),
    clearFaults: () => state.faults.clear(),
    expireTokens: () => state.tokens.expireAccess(),
    revokeTokens: () => state.tokens.forgetAll(),
    restart: (down = 200) => host.restart(down),
    clearLog: () => void (state.log.length = 0),
    counts: () => ({
      today: new Date(clock.now()).toISOString().slice(0, 10),
      skus: world.pairs.skus,
      pairs: world.pairs.count,
      documents: world.book.total('docs'),
      documentItems: world.book.total('items'),
      purchaseOrders: world.orders.count(),
      requests: state.log.length,
      writes: state.log.filter(({ data, method }) => data && !/^(GET|HEAD)$/.test(method)).length,
      peakConcurrency: state.gate.peak,
    }),
  }
}
