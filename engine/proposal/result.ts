import type { Calculation, ProposalDriver } from './calculation.ts'
import type { Missing } from './missing.ts'
import type { Urgency } from './urgency.ts'
import type { Units } from '../types.ts'

/** What is proposed for a pair. */
export type ProposalResult =
  | {
      kind: 'order'
      quantity: Units
      calculation: Calculation
      urgency: Urgency
      /** `YYYY-MM-DD`, never before `asOf`; an order day where the supplier has some. Null for old data. */
      orderBy: string | null
      drivers: ProposalDriver[]
      rationale: string
      /** Of one unit, times this: what it costs to wait until the next review; null where no costs are known. */
      costOfWaiting: Units | null
    }
  | {
      kind: 'none'
      why: WhyNone
      calculation: Calculation
      /** Of the order that is `not_worth_it`. */
      urgency?: Urgency
    }
  | { kind: 'blocked'; missing: Missing[] }

/**
 * Why nothing is to be ordered: there is `enough`, a `limit` leaves less than the smallest order, it is phased out before an
 * order would arrive (`too_late`), the next review is early enough (`can_wait`), or carrying an order costs more than the
 * shortage that it averts (`not_worth_it`).
 */
export type WhyNone = 'enough' | 'limit' | 'too_late' | 'can_wait' | 'not_worth_it'
