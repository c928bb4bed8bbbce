import type { Outcome as ServiceOutcome } from '#cds-models/ProposalsService'
import type { Calculation } from '../../../engine/proposal/index.ts'
import type { ServiceRow } from '../../store/service-row.ts'

export type Outcome = ServiceRow<ServiceOutcome>

/**
 * Replays the days that an order had to cover on the demand that came: what was on hand and under way
 * is there from the first day, the quantity from the end of the lead time, and what is short is lost. What is
 * reserved is part of the demand that came.
 * @param demand by day from the decision on, one entry a day of the horizon
 */
export function replayDemand(
  calculation: Calculation,
  quantity: number,
  demand: number[],
): Outcome {
  const { onHand, onOrder, openProposals, leadTimeDays } = calculation
  const { inInspection = 0, backorders = 0 } = calculation
  const outcome = { stockoutDays: 0, unitsShort: 0, averageStock: 0 }
  let stock = Math.max(0, onHand + onOrder + inInspection + openProposals - backorders)
  demand.forEach((wanted, day) => {
    if (day === Math.round(leadTimeDays)) stock += quantity
    const served = Math.min(stock, Math.max(0, wanted))
    const short = Math.max(0, wanted) - served
    if (short > 0) outcome.stockoutDays++
    outcome.unitsShort += short
    stock -= served
    outcome.averageStock += stock / demand.length
  })
  return outcome
}
