import type { PriceBreak, PriceBreakTerm } from '../inventory/price-breaks.ts'
import type { MeasuredLeadTime } from './input.ts'
import type { Days, Level, Units } from '../types.ts'

/** An open list. A driver is named only where the quantity would have been another without it. */
export type ProposalDriver =
  | 'low_stock'
  | 'lead_time_demand'
  | 'safety_stock'
  | 'lead_time_uncertainty'
  | 'beyond_horizon'
  | 'backorders'
  | 'reserved'
  | 'in_inspection'
  | 'expiring_stock'
  | 'open_orders'
  | 'open_proposals'
  | 'drafts'
  | 'moq_applied'
  | 'pack_rounding'
  | 'spare_stock_cap'
  | 'max_order_cap'
  | 'max_stock_cap'
  | 'shelf_life_cap'
  | 'price_break'
  | 'supplier_minimum'
  | 'free_freight'
  | 'forecast_override'

/** An open list of what a buyer should know beside the quantity. */
export type ExceptionCode =
  | 'capped_below_moq'
  | 'capped_below_need'
  | 'beyond_horizon'
  | 'long_lead_time'
  | 'late_receipts'
  | 'no_cost'
  | 'stale_data'
  | 'below_supplier_minimum'
  | 'supplier_minimum_not_reached'
  | 'freight_paid'
  | 'order_now'
  | 'order_waits'

export interface ProposalException {
  code: ExceptionCode
  /** One sentence. */
  message: string
}

/** What of a line is brought forward to save the freight of its supplier's order. Money to the cent. */
export interface FreeFreightTerm {
  units: Units
  from: number
  freightCost: number
  carryingCost: number
}

/** Until the next chance to order, with all lines of the supplier. Money to the cent. */
export interface SupplierWaitTerm {
  days: Days
  costOfWaiting: number
  saving: number
}

/** What the last lot of an order buys, by the costs in force. Money to the cent, in the currency of the unit cost. */
export interface LastLotTerm {
  /** By how much the order could have been smaller; the whole of it where it is the least that can be ordered. */
  units: Units
  /** 0..1: that a unit of it is wanted between its arrival and that of the next order. */
  chance: number
  /** 0..1: the part of `days` that a unit of it lies on the shelf, as expected. */
  onShelf: number
  days: Days
  /** Shares of the unit cost: of a unit short, and of a unit kept for a year. */
  stockoutRate: number
  carryingRate: number
  /** units · chance · stockoutRate · unit cost. */
  saving: number
  /** units · onShelf · carryingRate · days / 365 · unit cost. */
  carryingCost: number
}

/** What planners say of the demand of the horizon: what the forecast said, and their changes. */
export interface OverrideTerm {
  p10: Units
  p50: Units
  p90: Units
  changes: ForecastChange[]
}

/** By a percentage or to a number, of all that the override names. */
export interface ForecastChange {
  override: number
  percent: number | null
  units: Units | null
  reason: string
}

/** Every number that was used; docs/guides/proposals.md redoes the sum by hand. */
export interface Calculation {
  horizonDays: Days
  leadTimeDays: Days
  reviewPeriodDays: Days
  /** Days that closures of supplier and location add to the two; only where there are any. */
  closedDays?: Days
  /** Of the review period: by how much they put off the order after this one; only where they do. */
  reviewClosedDays?: Days
  p10: Units
  p50: Units
  p90: Units
  /** Where the three above are not those of the forecast. */
  forecastOverride?: OverrideTerm
  targetQuantile: Level
  targetStock: Units
  onHand: Units
  onOrder: Units
  openProposals: Units
  netRequirement: Units
  moq: Units
  lotSize: Units
  /** 0 where nothing is needed, or nothing can be ordered: then `exceptions` says why. */
  quantity: Units
  drivers: ProposalDriver[]
  /** + in the sum: due to customers and not delivered; this and the next eight only where they are not 0. */
  backorders?: Units
  /** + in the sum: promised beyond what the forecast expects. */
  reserved?: Units
  /** + in the sum: on hand, but expected to expire unsold within the horizon. */
  expiring?: Units
  /** − in the sum: in quality inspection. */
  inInspection?: Units
  /** − in the sum: requisitions and other drafts of the ERP that count as coming in time. */
  drafts?: Units
  /** + in the sum: what an uncertain lead time adds to the target stock. */
  leadTimeSafety?: Units
  /** + in the sum: the days of lead time and review period after the 90th. */
  beyondHorizon?: Units
  /** − in the sum: demand of the last days, which receipts within them cover. */
  coveredLater?: Units
  /** − in the sum: demand that finds no stock before the order arrives, where such demand does not wait. */
  lostBeforeArrival?: Units
  /** Ordered, but due only after the days that this order must cover: not in the sum. */
  onOrderLater?: Units
  /** + on the rounded quantity: what raised it to a price break. */
  priceBreak?: PriceBreakTerm
  /** + on that: what the minimum, the containers or the cost of the supplier's whole order added. */
  supplierMinimum?: Units
  /** + on that: what was brought forward so that the supplier's order has no freight. */
  freeFreight?: FreeFreightTerm
  /** Where the supplier's order waits, since that costs less than an order does. */
  supplierWait?: SupplierWaitTerm
  /** Where something is ordered and a unit cost is known. */
  lastLot?: LastLotTerm
  /** What a unit costs from a quantity on, ascending, where that depends on the quantity. */
  prices?: readonly PriceBreak[]
  /** The inputs behind the terms above and the limits, where given. */
  leadTimeDeviationDays?: Days
  /** The ERP's or a rule's lead time, and what receipts say beside it. */
  leadTimePlannedDays?: Days
  leadTimeMeasured?: MeasuredLeadTime
  maximumOrder?: Units
  maximumStock?: Units
  shelfLifeDays?: Days
  /** The most that the limits allow, where one was given; may be below 0. */
  limit?: Units
  /** `YYYY-MM-DD` from which on there is no demand, where this order would last beyond it otherwise. */
  phaseOutOn?: string
  /** `YYYY-MM-DD` of demand and stock, where they are too old to order by. */
  staleSince?: string
  exceptions?: ProposalException[]
  /** Which rule gave a value, as it came with the input. */
  rules?: Record<string, string>
}
