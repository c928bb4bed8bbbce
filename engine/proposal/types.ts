import type { CostRates } from '../inventory/target-quantile.ts'
import type { DemandQuantiles } from '../inventory/demand.ts'
import type { Days, Level, Units } from '../types.ts'

/** Everything that decides about a proposal for one SKU at one location. */
export interface ProposalInput {
  /** The first day that is forecast, `YYYY-MM-DD`. */
  asOf: string
  forecast: DemandQuantiles
  position: {
    /** Null where the ERP names no stock: that blocks, it is not 0. */
    onHand: Units | null
    onOrder: Units
    /** Quantities of the pair's other open and approved proposals. */
    openProposals: Units
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
  }
  policy: ReplenishmentPolicy
}

/** What holds where the ERP says nothing of its own. */
export interface ReplenishmentPolicy {
  reviewPeriodDays: Days
  /** Costs that decide the target quantile, or the quantile itself; kept to P50..P90 either way. */
  target: CostRates | { quantile: Level }
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
  | 'open_orders'
  | 'open_proposals'
  | 'moq_applied'
  | 'pack_rounding'
  | 'horizon_capped'

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
  /** 0 where nothing is needed. */
  quantity: Units
  drivers: ProposalDriver[]
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
      /** `YYYY-MM-DD`, never before `asOf`. */
      orderBy: string
      drivers: ProposalDriver[]
      rationale: string
    }
  | { kind: 'none'; calculation: Calculation }
  | { kind: 'blocked'; missing: Missing[] }
