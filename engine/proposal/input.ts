import type { ClosedDays } from '../inventory/closures.ts'
import type { CostRates } from '../inventory/service-target.ts'
import type { DemandForecast } from '../inventory/demand.ts'
import type { PriceBreak } from '../inventory/price-breaks.ts'
import type { Weekday } from '../inventory/order-days.ts'
import type { Days, Level, Units } from '../types.ts'

/** An order of the ERP that is still to arrive. */
export interface Receipt {
  /** `YYYY-MM-DD` as promised; null: none is, and an earlier day than today's is overdue. */
  date: string | null
  /** `YYYY-MM-DD`: without a promised day it is expected a lead time later; without both it counts as there. */
  orderedOn?: string | null
  quantity: Units
  /** The ERP's number of the order. */
  document?: string
  /** `YYYY-MM-DD` that was counted on when it was first known; absent: as `date`. */
  countedOn?: string
  /** Ordered beyond `quantity`, and not confirmed: it is not counted as coming. */
  unconfirmed?: Units
  /** False: the supplier has confirmed neither day nor quantity; absent: it has, or nobody knows. */
  isConfirmed?: false
}

/** Stock of one batch. */
export interface ExpiringStock {
  /** `YYYY-MM-DD`, the last day on which it can be sold. */
  expiresOn: string
  quantity: Units
  /** The ERP's name of the batch. */
  batch?: string
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
    /** A sentence of open orders that could not be read: what they bring is not 0. Absent or null: all are known. */
    unreadOrders?: string | null
    /** Quantities of the pair's other open and approved proposals. */
    openProposals: Units
    /** Delivered beyond what was there, where the ERP books that as negative stock and `onHand` is 0. */
    backorders?: Units | null
    /** Customer orders that are not delivered, in any order. */
    customerOrders?: readonly CustomerOrder[] | null
    /** What production and projects have reserved and not withdrawn, in any order. */
    reservations?: readonly CustomerOrder[] | null
    /** Promised to what is in no forecast, such as a transfer to another location. */
    reserved?: Units | null
    /** Of `onHand`: what expires, by the last day on which it can be sold, in any order; absent or null: nothing does. */
    batches?: readonly ExpiringStock[] | null
    /** In quality inspection. */
    inInspection?: Units | null
    /** Requisitions and other drafts of the ERP that count as coming, in any order. */
    drafts?: readonly Receipt[] | null
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
    /** Of a transfer: what the location that gives can spare. */
    spare?: Units | null
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
    /** When the supplier does no work, and when the location receives nothing; absent or null: never. */
    supplierClosed?: ClosedDays | null
    locationClosed?: ClosedDays | null
    /** Of one unit; null where it is not known, absent where nobody asked. */
    unitCost?: number | null
    /** What a unit costs in larger orders, ascending, in the currency of the unit cost. */
    priceBreaks?: readonly PriceBreak[] | null
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
  /** Days of demand beyond its target that an order raised to a price break may last; absent: as far as forecasts reach. */
  priceBreakCoverDays?: Days
  /** Days after which an order that is not confirmed is told of; 0 or absent: never. */
  confirmedWithinDays?: Days
  /** Whether a pair without a supplier is blocked, or proposed without one. */
  supplierRequired: boolean
}
