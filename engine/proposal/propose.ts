import { calculate } from './calculate.ts'
import { findMissing } from './missing.ts'
import { costOfWaiting } from './cost-of-waiting.ts'
import { rationaleOf } from './rationale.ts'
import { type Situation, situationOf } from './situation.ts'
import { canWait, urgencyOf } from './urgency.ts'
import type { Calculation, ProposalInput, ProposalResult } from './types.ts'

type Order = Extract<ProposalResult, { kind: 'order' }>

/** What to order now of one SKU at one location, or that nothing is needed, or what is missing. */
export function propose(input: ProposalInput): ProposalResult {
  const missing = findMissing(input)
  const situation = situationOf(input)
  if (missing.length > 0 || situation === null) return { kind: 'blocked', missing }
  const calculation = calculate(input, situation)
  if (calculation.quantity === 0) return { kind: 'none', calculation }
  if (isTooLate(input, situation) || canWait(input, situation, calculation)) {
    return { kind: 'none', calculation: { ...calculation, quantity: 0, drivers: [] } }
  }
  return toOrder(input, situation, calculation)
}

/** Of a SKU that is phased out before an order would arrive nothing is ordered. */
const isTooLate = ({ forecast }: ProposalInput, { arrivalDay }: Situation) =>
  arrivalDay >= (forecast.until ?? Infinity)

/** The order that a calculation says. */
export function toOrder(
  input: ProposalInput,
  situation: Situation,
  calculation: Calculation,
): Order {
  const { target, costs = 'quantile' in target ? null : target } = input.policy
  return {
    kind: 'order',
    quantity: calculation.quantity,
    calculation,
    ...urgencyOf(input, situation, calculation),
    drivers: calculation.drivers,
    rationale: rationaleOf(calculation),
    costOfWaiting: costs && costOfWaiting(input, situation, costs, calculation.quantity),
  }
}
