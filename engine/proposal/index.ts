export { fillBudget } from './budget.ts'
export {
  type OpenLine,
  type OrderGoal,
  orderGoals,
  type OrderSuggestion,
  orderSuggestions,
  totals,
} from './order-goals.ts'
export { type CallOff, callOffs, type Contract, contractsFor } from './call-offs.ts'
export { amount } from './plain.ts'
export { propose } from './propose.ts'
export type * from './input.ts'
export type * from './calculation.ts'
export type * from './result.ts'
export type { Missing, MissingInput } from './missing.ts'
export { URGENCIES, type Urgency, urgencyRank } from './urgency.ts'
export { ENGLISH_RATIONALE, rationaleOf, type RationaleWords } from './rationale.ts'
export {
  OPEN_ORDER_KINDS,
  type OpenOrderMessage,
  openOrderMessages,
} from './open-order-messages.ts'
export { type Reach, reachOf, unitsUntilOrder } from './reach.ts'
export { firmOrdersOf } from './firm-orders.ts'
export { expectedDays, type ExpectedDays, usualDemand } from './expected-days.ts'
export { type Risk, riskCurve, riskOf } from './risk.ts'
export { type SimulatedPair, simulatePair } from './simulate.ts'
export { type GroupCurve, spreadStock } from './spread-stock.ts'
export type { CycleOutcome } from '../inventory/replenishment-cycle.ts'
export { fillSupplierOrder, type SupplierLimits, type SupplierOrder } from './supplier-order.ts'
export type { OrderOrWait } from './order-or-wait.ts'
export {
  raiseForSupplier,
  type SupplierLine,
  supplierLine,
  waitForSupplier,
} from './supplier-line.ts'
export { redistribute, type RedistributionRule, type Transfer } from './redistribute.ts'
export type { RedistributionPair } from './spare.ts'
export {
  type InputChange,
  inputChanges,
  isGone,
  isMaterial,
  isStale,
  type ProposalState,
} from './changes.ts'
export { orderableQuantity, type OrderableAnswer, type OrderLimits } from './orderable.ts'
export { orderQuantity, smallestOrder } from '../inventory/limits.ts'
export { costsOf } from './price-break.ts'
export { quantityOfPair } from './sum.ts'
export { type PriceBreak, unitCostAt } from '../inventory/price-breaks.ts'
export { inventoryPosition, withoutNoise } from '../inventory/position.ts'
export { addDays, daysBetween, weekdayOf } from './dates.ts'
export {
  dayOfReceipt,
  type LineReceipt,
  measureLines,
  type ReceivedLine,
} from '../inventory/measured-lead-time.ts'
export { type PromisedLine, type Scorecard, scorecardOf } from '../inventory/scorecard.ts'
export { type PricedLine, type PriceChanges, priceChangesOf } from '../inventory/price-changes.ts'
export { type DemandForecast, shownQuantiles } from '../inventory/demand.ts'
export { demandByWeek } from '../inventory/week-demand.ts'
export type { CostRates, UnmetDemand } from '../inventory/service-target.ts'
export {
  type CostsInForce,
  CostFault,
  costsOfWords,
  type CostStep,
  type StatedCosts,
  weeksOf,
} from '../inventory/stated-costs.ts'
export {
  type ActedRatio,
  actedRatio,
  LEAST_STOCKOUTS,
  type PastStock,
} from '../inventory/acted-ratio.ts'
export { arrivalOf, type ClosedDays, openFrom } from '../inventory/closures.ts'
export { onWeekdays, type Weekday } from '../inventory/order-days.ts'
