import { calculate } from './calculate.ts'
import { costsOf, raiseToPriceBreak } from './price-break.ts'
import { findLotTooFine, findMissing } from './missing.ts'
import { costOfWaiting } from './cost-of-waiting.ts'
import { lastLot } from './last-lot.ts'
import { rationaleOf } from './rationale.ts'
import { type Situation, situationOf } from './situation.ts'
import { LOWEST_TARGET } from '../inventory/service-target.ts'
import { canWait, urgencyOf } from './urgency.ts'
import type { Calculation } from './calculation.ts'
import type { ProposalInput } from './input.ts'
import type { ProposalResult, WhyNone } from './result.ts'

type Order = Extract<ProposalResult, { kind: 'order' }>

/** What to order now of one SKU at one location, or that nothing is needed, or what is missing. */
export function propose(input: ProposalInput): ProposalResult {
  const missing = findMissing(input)
  const situation = situationOf(input)
  if (missing.length > 0 || situation === null) return { kind: 'blocked', missing }
  const calculation = calculate(input, situation)
  if (calculation.quantity === 0) {
    return { kind: 'none', why: calculation.netRequirement > 0 ? 'limit' : 'enough', calculation }
  }
  if (isTooLate(input, situation)) return none('too_late', calculation)
  if (canWait(input, situation, calculation)) return none('can_wait', calculation)
  const order = toOrder(input, situation, calculation)
  if (!isWorthIt(input, order))
    return { ...none('not_worth_it', calculation), urgency: order.urgency }
  const tooFine = findLotTooFine(calculation)
  if (tooFine) return { kind: 'blocked', missing: [tooFine] }
  const raised = raiseToPriceBreak(input, situation, calculation)
  return raised === calculation ? order : toOrder(input, situation, raised)
}

/** Of a SKU that is phased out before an order would arrive nothing is ordered. */
const isTooLate = ({ forecast }: ProposalInput, { arrivalDay }: Situation) =>
  arrivalDay >= (forecast.until ?? Infinity)

/** Of an amount. */
const NOISE = 1e-6

/**
 * Whether an order averts more than it costs to carry until the next review. Where costs decide and demand waits, the
 * target is never below P50, though at long lead times the optimum may be: an order that does not pay yet can wait.
 * A stockout that costs no more than carrying is no reason to wait, nor is an empty shelf: the median is ordered then.
 */
function isWorthIt({ policy: { target } }: ProposalInput, order: Order): boolean {
  const { costOfWaiting, calculation, urgency } = order
  const { targetQuantile, coveredLater, reviewPeriodDays } = calculation
  if ('quantile' in target || target.unmetDemand === 'lost') return true
  if (urgency === 'stocked_out' || targetQuantile > LOWEST_TARGET || coveredLater) return true
  if (target.stockoutRate <= (target.carryingRate * reviewPeriodDays) / 365) return true
  return costOfWaiting === null || costOfWaiting > -NOISE
}

const none = (why: WhyNone, calculation: Calculation) => ({
  ...{ kind: 'none' as const, why },
  calculation: { ...calculation, quantity: 0, drivers: [] },
})

/** The order that a calculation says. */
export function toOrder(
  input: ProposalInput,
  situation: Situation,
  calculation: Calculation,
): Order {
  const costs = costsOf(input)
  const lot = lastLot(input, situation, calculation)
  return {
    kind: 'order',
    quantity: calculation.quantity,
    calculation: { ...calculation, ...(lot && { lastLot: lot }) },
    ...urgencyOf(input, situation, calculation),
    drivers: calculation.drivers,
    rationale: rationaleOf(calculation),
    costOfWaiting: costs && costOfWaiting(input, situation, costs, calculation.quantity),
  }
}
