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
  | { kind: 'none'; calculation: Calculation }
  | { kind: 'blocked'; missing: Missing[] }
