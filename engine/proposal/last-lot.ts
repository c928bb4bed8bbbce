import { demandOverLeadTime } from '../inventory/lead-time.ts'
import { smallestOrder } from '../inventory/limits.ts'
import { wholeStep } from '../inventory/lots.ts'
import { type DemandMixture, expectedShortage } from '../inventory/mixture.ts'
import type { CostRates } from '../inventory/service-target.ts'
import { supplyBefore } from '../inventory/supply.ts'
import type { Calculation, LastLotTerm } from './calculation.ts'
import { costsOf, unitCostIn } from './price-break.ts'
import type { ProposalInput } from './input.ts'
import type { Situation } from './situation.ts'
import type { Units } from '../types.ts'

/**
 * What the last lot of an order buys: the quantity against the next smaller one that can be ordered, by the same chances that
 * `targetByCosts` weighs. Null without a unit cost, or costs of being short and of carrying.
 */
export function lastLot(
  input: ProposalInput,
  situation: Situation,
  { quantity, moq, lotSize }: Pick<Calculation, 'quantity' | 'moq' | 'lotSize'>,
): LastLotTerm | null {
  const costs = costsOf(input)
  const unitCost = unitCostIn(input.planning, quantity)
  if (!costs || !unitCost || !(quantity > 0)) return null
  const step = wholeStep(lotSize) ?? 1
  const units = quantity - step >= smallestOrder({ moq, lotSize }) ? step : quantity
  const { chance, onShelf, days } = sharesOf(input, situation, costs, { units, quantity })
  const { stockoutRate, carryingRate } = costs
  return {
    ...{ units, chance: share(chance), onShelf: share(onShelf), days, stockoutRate, carryingRate },
    saving: cents(units * share(chance) * stockoutRate * unitCost),
    carryingCost: cents((units * share(onShelf) * unitCost * carryingRate * days) / 365),
  }
}

/** Which share of the lot is wanted in time, and which lies on the shelf for so many days, as expected. */
function sharesOf(
  { forecast }: ProposalInput,
  { supply, openProposals, leadTime, orderCalendar, protection }: Situation,
  { unmetDemand }: CostRates,
  { units, quantity }: { units: Units; quantity: Units },
) {
  const { first, next } = orderCalendar
  const most = supplyBefore(supply, protection) + openProposals + quantity
  const wanted = (demand: DemandMixture) =>
    (expectedShortage(demand, most - units) - expectedShortage(demand, most)) / units
  const until = wanted(demandOverLeadTime(forecast, leadTime, next))
  // What is left over of lost demand is kept over the whole interval, see `targetByCosts`.
  if (unmetDemand === 'lost') return { chance: until, onShelf: 1 - until, days: protection }
  const before = wanted(demandOverLeadTime(forecast, leadTime, first))
  return { chance: until - before, onShelf: 1 - (before + until) / 2, days: next - first }
}

const share = (value: number) => Math.round(Math.min(1, Math.max(0, value)) * 1e4) / 1e4
const cents = (value: number) => Math.round(value * 100) / 100
