import { calculate } from './calculate.ts'
import { findMissing } from './missing.ts'
import { rationaleOf } from './rationale.ts'
import { situationOf } from './situation.ts'
import { urgencyOf } from './urgency.ts'
import type { ProposalInput, ProposalResult } from './types.ts'

/** What to order now of one SKU at one location, or that nothing is needed, or what is missing. */
export function propose(input: ProposalInput): ProposalResult {
  const missing = findMissing(input)
  const situation = situationOf(input)
  if (missing.length > 0 || situation === null) return { kind: 'blocked', missing }
  const calculation = calculate(input, situation)
  if (calculation.quantity === 0) return { kind: 'none', calculation }
  return {
    kind: 'order',
    quantity: calculation.quantity,
    calculation,
    ...urgencyOf(input, situation, calculation.p50),
    drivers: calculation.drivers,
    rationale: rationaleOf(calculation),
  }
}
