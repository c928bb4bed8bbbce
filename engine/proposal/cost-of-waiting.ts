import { demandOverLeadTime } from '../inventory/lead-time.ts'
import { type DemandMixture, expectedShortage } from '../inventory/mixture.ts'
import { supplyBefore } from '../inventory/supply.ts'
import type { CostRates } from '../inventory/service-target.ts'
import type { ProposalInput } from './input.ts'
import type { Situation } from './situation.ts'
import type { Units } from '../types.ts'

/**
 * What it costs not to order `quantity` now: the expected shortage of the coming cycle that the order averts, less
 * what it costs to carry it for that cycle; in units of the unit cost. Below 0 where a lot or minimum brings more than pays.
 */
export function costOfWaiting(
  { forecast }: ProposalInput,
  { supply, openProposals, leadTime, arrivalDay, protection }: Situation,
  { stockoutRate, carryingRate }: CostRates,
  quantity: Units,
): Units {
  const [first, next] = [arrivalDay - leadTime.meanDays, protection - leadTime.meanDays]
  const position = supplyBefore(supply, protection) + openProposals
  const averted = (demand: DemandMixture) =>
    expectedShortage(demand, position) - expectedShortage(demand, position + quantity)
  const before = averted(demandOverLeadTime(forecast, leadTime, first))
  const until = averted(demandOverLeadTime(forecast, leadTime, next))
  const carried = quantity - (before + until) / 2
  return stockoutRate * (until - before) - ((carryingRate * (next - first)) / 365) * carried
}
