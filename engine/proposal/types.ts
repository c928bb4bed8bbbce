import type { CostRates } from '../inventory/service-target.ts'
import type { DemandForecast } from '../inventory/demand.ts'
import type { Weekday } from '../inventory/order-days.ts'
import type { Days, Level, Units } from '../types.ts'

/** An order of the ERP that is still to arrive. */
export interface Receipt {
  /** `YYYY-MM-DD` as promised; null counts as there, an earlier day than today's as overdue. */
  date: string | null
  quantity: Units
  /** The ERP's number of the order. */
  document?: string
}

/** A customer's order, or a line of it, that is not delivered. */
export interface CustomerOrder {
  /** `YYYY-MM-DD` on which the customer wants it; null counts as due. */
  date: string | null
  quantity: Units
}

/** Everything that decides about a proposal for one SKU at one location. */
export interface ProposalInput {
  /** The first day that is forecast, `YYYY-MM-DD`. */
  asOf: string
  forecast: DemandForecast
  /** Days since this pair was last ordered; absent or null: it never was, or long ago. */
  daysSinceOrder?: Days | null
  /** `YYYY-MM-DD` of demand and stock where they are too old to order by; absent or null: they are not. */
  staleSince?: string | null
  position: {
    /** Null where the ERP names no stock: that blocks, it is not 0. */
    onHand: Units | null
    /** Not read where `receipts` are given. */
    onOrder: Units
    /** Quantities of the pair's other open and approved proposals. */
    openProposals: Units
    /** Delivered beyond what was there, where the ERP books that as negative stock and `onHand` is 0. */
    backorders?: Units | null
    /** Customer orders that are not delivered, in any order. */
    customerOrders?: readonly CustomerOrder[] | null
    /** Promised to what is in no forecast, such as a transfer to another location. */
    reserved?: Units | null
    /** In quality inspection. */
    inInspection?: Units | null
    /** Open orders by date, in any order; absent or null: `onOrder` counts as there in time. */
    receipts?: readonly Receipt[] | null
  }
  planning: {
    leadTimeDays: Days | null
    /** Null takes the policy's. */
    reviewPeriodDays: Days | null
    /** Null or 0 means 1. */
    moq: Units | null
    /** Null or 0 means 1. */
    lotSize: Units | null
    supplier: string | null
    /** Standard deviation of the lead time; null or 0: it is always kept. */
    leadTimeDeviationDays?: Days | null
    /** The planned lead time, where receipts say something beside it. */
    plannedLeadTimeDays?: Days | null
    measuredLeadTime?: MeasuredLeadTime | null
    /** The most of one order. */
    maximumOrder?: Units | null
    /** The most that stock, orders and proposals together may be once this one is ordered. */
    maximumStock?: Units | null
    /** `YYYY-MM-DD` from which on there is no demand, which the forecast knows as `until`. */
    phaseOutOn?: string | null
    /** Days that a unit can be used after its arrival. */
    shelfLifeDays?: Days | null
    /** Weekdays on which the supplier takes orders; they decide the review period. */
    orderDays?: readonly Weekday[] | null
    /** Of one unit; null where it is not known, absent where nobody asked. */
    unitCost?: number | null
  }
  policy: ReplenishmentPolicy
  /** Which rule gave a value, by the value's name: handed through to the calculation. */
  rules?: Record<string, string>
}

/** What receipts say about a lead time. */
export interface MeasuredLeadTime {
  /** Of the supplier and the SKU, or of the supplier: then the planned days and the usual delay. */
  of: 'sku' | 'supplier'
  /** Median from order to receipt. */
  days: Days
  /** Standard deviation of the normal distribution with the same P10 and P90. */
  deviationDays: Days
  /** Order lines behind it. */
  receipts: number
  /** 0..1, of the lines with a promised day; null where none has one. */
  shareLate: number | null
  /** Median delay of the late ones. */
  lateDays: Days | null
}

/** What holds where the ERP says nothing of its own. */
export interface ReplenishmentPolicy {
  reviewPeriodDays: Days
  /** Costs that decide the target quantile, or the quantile itself; kept to P50..P99 either way. */
  target: CostRates | { quantile: Level }
  /** Costs that a proposal is worth by; those of the target where they are absent. */
  costs?: CostRates
  /** Of one order line, in the currency of the unit cost: it lengthens the review period of what is cheap and slow. */
  orderLineCost?: number
  /** Whether a pair without a supplier is blocked, or proposed without one. */
  supplierRequired: boolean
}

/** Most pressing first; the index is the rank. */
export const URGENCIES = ['stocked_out', 'stockout_before_arrival', 'due', 'ahead'] as const
export type Urgency = (typeof URGENCIES)[number]

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
  | 'open_orders'
  | 'open_proposals'
  | 'moq_applied'
  | 'pack_rounding'
  | 'max_order_cap'
  | 'max_stock_cap'
  | 'shelf_life_cap'
  | 'supplier_minimum'

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

export interface ProposalException {
  code: ExceptionCode
  /** One sentence. */
  message: string
}

/** Every number that was used; docs/guides/proposals.md redoes the sum by hand. */
export interface Calculation {
  horizonDays: Days
  leadTimeDays: Days
  reviewPeriodDays: Days
  p10: Units
  p50: Units
  p90: Units
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
  /** + in the sum: due to customers and not delivered; this and the next six only where they are not 0. */
  backorders?: Units
  /** + in the sum: promised beyond what the forecast expects. */
  reserved?: Units
  /** − in the sum: in quality inspection. */
  inInspection?: Units
  /** + in the sum: what an uncertain lead time adds to the target stock. */
  leadTimeSafety?: Units
  /** + in the sum: the days of lead time and review period after the 90th. */
  beyondHorizon?: Units
  /** − in the sum: demand of the last days, which receipts within them cover. */
  coveredLater?: Units
  /** Ordered, but due only after the days that this order must cover: not in the sum. */
  onOrderLater?: Units
  /** + on the rounded quantity: what the minimum of the supplier's whole order added. */
  supplierMinimum?: Units
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

export type MissingInput = 'lead_time' | 'stock' | 'supplier' | 'unit_conversion' | 'cost'

export interface Missing {
  missing: MissingInput
  /** One sentence that says what to maintain. */
  reason: string
}

export type ProposalResult =
  | {
      kind: 'order'
      quantity: Units
      calculation: Calculation
      urgency: Urgency
      /** `YYYY-MM-DD`, never before `asOf`; an order day where the supplier has some. Null for old data. */
      orderBy: string | null
      drivers: ProposalDriver[]
      rationale: string
      /** Of one unit, times this: what it costs to wait until the next review; null where no costs are known. */
      costOfWaiting: Units | null
    }
  | { kind: 'none'; calculation: Calculation }
  | { kind: 'blocked'; missing: Missing[] }

/** What a quantity means for a pair. */
export interface Risk {
  quantity: Units
  /** 0..1, before the order of the next review could arrive. Never grows with the quantity. */
  stockoutProbability: number
  /** `YYYY-MM-DD` on which the median demand has used up the supply; null: not within a year. */
  stockoutDay: string | null
  /** How long all supply lasts at the median and at the P90 of demand; at most 365. */
  daysOfSupplyP50: Days
  daysOfSupplyP90: Days
  /** quantity · unit cost, to two decimals; null without a cost. */
  value: number | null
}

/** A pair in an order to one supplier; `supplierLine` makes one of a result. */
export interface SupplierLine {
  key: string
  /** As proposed; 0 where the pair needs nothing yet. */
  quantity: Units
  moq: Units
  lotSize: Units
  /** The most that this line may be raised to; null: no limit. */
  most: Units | null
  /** Days of supply above the target stock before any order; below 0 where it is short. */
  daysAboveTarget: Days
  /** Median demand a day; a line without demand is never raised. */
  dailyDemand: Units
  unitCost: number | null
  /** Null where the pair needs nothing yet. */
  urgency: Urgency | null
  orderBy: string | null
}

export interface SupplierLimits {
  /** In the currency of the lines' costs. */
  minimumValue?: number | null
  minimumQuantity?: Units | null
  /** The order fills whole containers of so many units. */
  containerUnits?: Units | null
  /** Days of demand beyond its target stock that no line is raised above; absent: no limit. */
  coverDays?: Days | null
}

export interface SupplierOrder {
  /** `below_minimum`: it cannot go out as it is. */
  status: 'complete' | 'raised' | 'below_minimum'
  /** In the order given. */
  lines: { key: string; quantity: Units; raisedBy: Units }[]
  quantity: Units
  /** Of the lines with a cost. */
  value: number
  /** What still lacks to each limit, where any does. */
  missing: { value: number; quantity: Units } | null
  /** Where nothing presses: the last day on which all lines are still in time. */
  waitUntil: string | null
  /** Where a line presses and the minimum cannot be reached: the `coverDays` that would do; null: none would. */
  coverItTakes?: Days | null
  message: string
}

/** A pair as redistribution sees it: its input and what was proposed for it. */
export interface RedistributionPair {
  location: string
  input: ProposalInput
  result: ProposalResult
}

export interface Transfer {
  from: string
  to: string
  quantity: Units
}

/** What no proposal can mend; the codes are those of `/v1/exceptions`. */
export interface OpenOrderMessage {
  kind: 'expedite' | 'postpone' | 'cancel_order' | 'overdue_order' | 'overstock' | 'dead_stock'
  /** The ERP's number of the order; null where there is none. */
  document: string | null
  quantity: Units
  /** The day that is promised, and the one that is wanted, `YYYY-MM-DD`. */
  from: string | null
  to: string | null
  /** One sentence. */
  message: string
}
