// What a rule of a policy is for, and what it may say.
import type { PriceBreakOfRule } from './price-breaks.ts'

/** Most specific first. */
export const POLICY_LEVELS = [
  'sku+location',
  'sku',
  'supplier+location',
  'supplier',
  'group',
  'location',
  'default',
] as const
export type PolicyLevel = (typeof POLICY_LEVELS)[number]

/** What each level names. */
export const POLICY_KEYS = {
  'sku+location': ['sku', 'location'],
  sku: ['sku'],
  'supplier+location': ['supplier', 'location'],
  supplier: ['supplier'],
  group: ['skuGroup'],
  location: ['location'],
  default: [],
} as const satisfies Record<PolicyLevel, readonly PolicyKeyName[]>

export const POLICY_KEY_NAMES = ['skuGroup', 'supplier', 'sku', 'location'] as const
export type PolicyKeyName = (typeof POLICY_KEY_NAMES)[number]

interface Range {
  least: number
  most: number
  whole?: true
}

export const MOST_UNITS = 1e12
export const LEAST_STEP = 0.001

/** The numbers that a rule may set, and their ranges, both ends included. */
export const POLICY_NUMBERS = {
  reviewPeriodDays: { least: 1, most: 365, whole: true },
  stockoutCostShare: { least: 0, most: 100 },
  carryingCostSharePerYear: { least: 0, most: 100 },
  targetQuantile: { least: 0.5, most: 0.99 },
  leadTimeDays: { least: 0, most: 3650, whole: true },
  leadTimeDeviationDays: { least: 0, most: 365 },
  moq: { least: 0, most: MOST_UNITS },
  lotSize: { least: LEAST_STEP, most: MOST_UNITS },
  maximumOrder: { least: 1, most: MOST_UNITS },
  maximumStock: { least: 0, most: MOST_UNITS },
  shelfLifeDays: { least: 1, most: 3650, whole: true },
  minimumOrderQuantity: { least: 0, most: MOST_UNITS },
  containerUnits: { least: LEAST_STEP, most: MOST_UNITS },
} as const satisfies Record<string, Range>
export type PolicyNumber = keyof typeof POLICY_NUMBERS

/** Amounts of money, as decimal strings in the currency of a supplier's lines. */
export const POLICY_AMOUNTS = ['minimumOrderValue', 'freeFreightFrom', 'freightCost'] as const
export type PolicyAmount = (typeof POLICY_AMOUNTS)[number]

/** Values of a supplier's order as a whole: only rules of the levels that name a supplier may set them. */
export const SUPPLIER_VALUES = [
  ...POLICY_AMOUNTS,
  'minimumOrderQuantity',
  'containerUnits',
  'orderDays',
] as const

/** Weekdays of ISO 8601: 1 is Monday. */
export const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7] as const

/** A rule as ProposalsService takes and answers it; null or absent says nothing. */
export type PolicyRule = { level: PolicyLevel } & Partial<Record<PolicyKeyName, string | null>> &
  Partial<Record<PolicyNumber, number | null>> &
  Partial<Record<PolicyAmount, string | null>> & {
    orderDays?: number[] | null
    ordersByLocation?: boolean | null
    priceBreaks?: PriceBreakOfRule[] | null
  }
