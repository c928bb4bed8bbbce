import { calculate } from './calculate.ts'
import { findMissing } from './missing.ts'
import { rationaleOf } from './rationale.ts'
import { urgencyOf } from './urgency.ts'
import type { ProposalInput, ProposalResult } from './types.ts'

/** What to order now of one SKU at one location, or that nothing is needed, or what is missing. */
export function propose(input: ProposalInput): ProposalResult {
  const { onHand } = input.position
  const { leadTimeDays } = input.planning
  const missing = findMissing(input)
  if (missing.length > 0 || onHand === null || leadTimeDays === null) {
    return { kind: 'blocked', missing }
  }
  const calculation = calculate(input, onHand, leadTimeDays)
  if (calculation.quantity === 0) return { kind: 'none', calculation }
  return {
    kind: 'order',
    quantity: calculation.quantity,
    calculation,
    ...urgencyOf(input.forecast, calculation, input.asOf),
    drivers: calculation.drivers,
    rationale: rationaleOf(calculation),
  }
}
