// Number types of the engine. All of it is pure: no clock, no randomness, no I/O.

/** Whole calendar days. */
export type Days = number
/** Days since 1970-01-01, so that calendar arithmetic is integer arithmetic. */
export type EpochDay = number
/** A quantity in the SKU's base unit. */
export type Units = number
/** A probability level strictly between 0 and 1. */
export type Level = number

export type Confidence = 'high' | 'medium' | 'low'

/** Demand of one SKU at one location, one entry for each day with a row, days ascending and unique. */
export interface DemandHistory {
  days: Int32Array
  /** Units sold on that day, ≥ 0. */
  quantities: Float64Array
  /** 1 where a promotion ran on that day; absent where the source does not say. */
  promo?: Uint8Array
  /** Days with a promotion by the plan, past ones and those to come, ascending; absent where no plan is known. */
  plan?: Int32Array
  /** The day after the last one of which the plan knows whether a promotion runs; absent: it knows all. */
  plannedUntil?: EpochDay
  /** What else is planned; absent for nothing. */
  effects?: readonly PlannedEffect[]
  /** Absent where the source does not say. */
  stock?: StockHistory
}

/** What raises or lowers demand on known days. */
export type PlanKind = 'promotion' | 'price' | 'event' | 'closure' | 'holiday'

/** What happens on all days from the first to the last. */
export interface PlannedEffect {
  kind: PlanKind
  from: EpochDay
  to: EpochDay
  /** Demand over that of the same day without it: 0 for a closure. */
  factor: number
}

/** On which days there was anything to sell. */
export interface StockHistory {
  /** Days on which the source's stock was read, ascending. */
  seen: Int32Array
  /** The first and the last day of each stockout, one after the other; ascending. */
  empty: Int32Array
}

/** Of the total demand over a horizon: ordered, ≥ 0; whole in a forecast. */
export interface Quantiles {
  p10: Units
  p50: Units
  p90: Units
}

export interface ForecastAnswer extends Quantiles {
  confidence: Confidence
  drivers: string[]
  /** Share of the past year's days without stock, which say nothing of demand. */
  censoredShare: number
  /** Which data would have made it surer. */
  missing: MissingData[]
}

/**
 * What a forecast had too little of: `demand_history` (so many more `days` of it), `second_sale` (it sold on fewer than two
 * days), `stock_history` (days without stock cannot be told from days without demand), `measured_past` (too few past
 * forecasts to measure how often they held what came). The list is open.
 */
export interface MissingData {
  code: 'demand_history' | 'second_sale' | 'stock_history' | 'measured_past'
  /** Null but for `demand_history`. */
  days: Days | null
}
