export { propose } from './propose.ts'
export { ENGLISH_RATIONALE, rationaleOf, type RationaleWords } from './rationale.ts'
export { openOrderMessages } from './open-order-messages.ts'
export { riskCurve, riskOf } from './risk.ts'
export { fillSupplierOrder } from './supplier-order.ts'
export { raiseForSupplier, supplierLine } from './supplier-line.ts'
export { redistribute, type RedistributionRule } from './redistribute.ts'
export { isGone, isMaterial, isStale, inputChanges } from './changes.ts'
export { orderableQuantity } from './orderable.ts'
export { addDays, daysBetween } from './dates.ts'
export {
  dayOfReceipt,
  type LineReceipt,
  measureLines,
  type ReceivedLine,
} from '../inventory/measured-lead-time.ts'
export { urgencyRank } from './urgency.ts'
export type { DemandForecast } from '../inventory/demand.ts'
export type { CostRates } from '../inventory/service-target.ts'
export type { Weekday } from '../inventory/order-days.ts'
export type { InputChange, ProposalState } from './changes.ts'
export type { OrderableAnswer, OrderLimits } from './orderable.ts'
export { URGENCIES } from './types.ts'
export type * from './types.ts'
