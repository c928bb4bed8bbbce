// Prices by quantity as one text, `200=1.95,600=1.94`: how a rule stores them, and how people enter them.
import type * as Model from '#cds-models/restock'
import { ABC_CLASSES, type AbcClass } from '../../../../engine/index.ts'
import type { UnmetDemand } from '../../../../engine/proposal/index.ts'
import type { Row } from '../../../base/database/entities.ts'
import { toDecimal, toNumber } from '../../../base/database/rows.ts'
import { Refusal } from '../../../base/errors.ts'

export interface PriceBreakOfRule {
  fromQuantity: number
  /** Decimal string. */
  unitCost: string
}

export const MOST_PRICE_BREAKS = 20

export const writePriceBreaks = (breaks: PriceBreakOfRule[]): string =>
  breaks.map(({ fromQuantity, unitCost }) => `${fromQuantity}=${unitCost}`).join(',')

/** @throws Refusal invalid_parameter for another text */
export function parsePriceBreaks(text: string): PriceBreakOfRule[] {
  const parts = text.split(/[,;\s]+/).filter(Boolean)
  return parts.map((part) => {
    const [, from, unitCost] =
      /^(\d{1,13}(?:\.\d{1,6})?)=(\d{1,13}(?:\.\d{1,4})?)$/.exec(part) ?? []
    if (from && unitCost) return { fromQuantity: Number(from), unitCost }
    const message = 'priceBreaks: must be quantities with their price, such as 200=1.95,600=1.94'
    const sentence = { key: 'invalid_price_breaks', args: {} }
    throw new Refusal('invalid_parameter', message, { target: 'priceBreaks', sentence })
  })
}

// The levels of ordering rules, and the values that a rule may set.

/** Most specific first. */
export const POLICY_LEVELS = [
  'sku+location',
  'sku',
  'supplier+location',
  'supplier',
  'group',
  'class_a',
  'class_b',
  'class_c',
  'location',
  'default',
] as const
export type PolicyLevel = (typeof POLICY_LEVELS)[number]

/** The level of the rule for each ABC class. */
export const CLASS_LEVELS = {
  A: 'class_a',
  B: 'class_b',
  C: 'class_c',
} as const satisfies Record<AbcClass, PolicyLevel>

/** The class that a level is for; null for other levels. */
export const classOf = (level: PolicyLevel) =>
  ABC_CLASSES.find((abcClass) => CLASS_LEVELS[abcClass] === level) ?? null

/** What rules of ABC classes may set: which service its demand is worth. */
export const CLASS_VALUES = [
  ...(['stockoutCostShare', 'carryingCostSharePerYear'] as const),
  ...(['unmetDemand', 'targetQuantile'] as const),
]

/** The names that a rule of each level must have. */
export const POLICY_KEYS = {
  'sku+location': ['sku', 'location'],
  sku: ['sku'],
  'supplier+location': ['supplier', 'location'],
  supplier: ['supplier'],
  group: ['skuGroup'],
  class_a: [],
  class_b: [],
  class_c: [],
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
export const POLICY_AMOUNTS = [
  ...(['minimumOrderValue', 'freeFreightFrom', 'freightCost'] as const),
  'orderCost',
] as const
type PolicyAmount = (typeof POLICY_AMOUNTS)[number]

/** People whom a rule names, by their ids. They are no part of a calculation. */
export const POLICY_PEOPLE = ['responsible', 'teamLead'] as const
type PolicyPerson = (typeof POLICY_PEOPLE)[number]

/** Values of a supplier's order as a whole: only rules of the levels that name a supplier may set them. */
export const SUPPLIER_VALUES = [
  ...POLICY_AMOUNTS,
  'minimumOrderQuantity',
  'containerUnits',
  'orderDays',
] as const

/** What becomes of demand that finds no stock. */
export const UNMET_DEMANDS = ['backordered', 'lost'] as const satisfies readonly UnmetDemand[]

/** Weekdays of ISO 8601: 1 is Monday. */
export const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7] as const

/** A rule as a door passes it on; null and absent both mean that the rule does not set the value. */
export type PolicyRule = { level: PolicyLevel } & Partial<Record<PolicyKeyName, string | null>> &
  Partial<Record<PolicyNumber, number | null>> &
  Partial<Record<PolicyAmount | PolicyPerson, string | null>> & {
    unmetDemand?: UnmetDemand | null
    orderDays?: number[] | null
    ordersByLocation?: boolean | null
    priceBreaks?: PriceBreakOfRule[] | null
  }

/** The key of a rule; a name that its level does not use is empty. */
export interface PolicyKey {
  level: PolicyLevel
  skuGroup: string
  supplier: string
  sku: string
  location: string
}

type Named = { level: PolicyLevel } & Partial<Record<keyof PolicyKey, string | null>>

export function keyOf(rule: Named): PolicyKey {
  const named: readonly string[] = POLICY_KEYS[rule.level]
  const part = (name: (typeof POLICY_KEY_NAMES)[number]) =>
    named.includes(name) ? (rule[name] ?? '') : ''
  return {
    level: rule.level,
    skuGroup: part('skuGroup'),
    supplier: part('supplier'),
    sku: part('sku'),
    location: part('location'),
  }
}

/** `sku A-100 at L1`, `supplier S-7`, `class A`, `default`: how a rule is named in answers and in the audit log. */
export function nameOf({ level, skuGroup, supplier, sku, location }: PolicyKey): string {
  if (level === 'sku+location') return `sku ${sku} at ${location}`
  if (level === 'supplier+location') return `supplier ${supplier} at ${location}`
  const named = skuGroup || supplier || sku || location
  const abcClass = classOf(level)
  if (abcClass) return `class ${abcClass}`
  return named ? `${level} ${named}` : level
}

/** A rule as it is stored and answered; null means that the rule does not set the value. */
export interface Policy
  extends
    PolicyKey,
    Record<PolicyNumber, number | null>,
    Record<PolicyAmount | PolicyPerson, string | null> {
  unmetDemand: UnmetDemand | null
  orderDays: number[] | null
  ordersByLocation: boolean | null
  /** Ascending. */
  priceBreaks: PriceBreakOfRule[] | null
}

export interface StoredPolicy extends Policy {
  updatedAt: string
  updatedBy: string
}

/** A row of restock.Policies: decimals as texts. */
export type PolicyRow = Row<Model.Policy>

const NUMBERS = Object.keys(POLICY_NUMBERS) as PolicyNumber[]

const numbersOf = (values: Partial<Record<PolicyNumber, unknown>>) =>
  Object.fromEntries(NUMBERS.map((name) => [name, toNumber(values[name])])) as Record<
    PolicyNumber,
    number | null
  >

const amountsOf = (valueOf: (name: PolicyAmount) => string | null) =>
  Object.fromEntries(POLICY_AMOUNTS.map((name) => [name, valueOf(name)])) as Record<
    PolicyAmount,
    string | null
  >

/** Completes a rule: every absent value becomes null. */
export const toPolicy = (rule: PolicyRule): Policy => ({
  ...keyOf(rule),
  ...numbersOf(rule),
  ...amountsOf((name) => rule[name] ?? null),
  responsible: rule.responsible || null,
  teamLead: rule.teamLead || null,
  unmetDemand: rule.unmetDemand ?? null,
  orderDays: rule.orderDays?.length ? [...new Set(rule.orderDays)].sort() : null,
  ordersByLocation: rule.ordersByLocation ?? null,
  priceBreaks: rule.priceBreaks?.length
    ? rule.priceBreaks
        .map(({ fromQuantity, unitCost }) => ({ fromQuantity, unitCost }))
        .sort((a, b) => a.fromQuantity - b.fromQuantity)
    : null,
})

/** The columns of a rule. */
export const toRow = (policy: Policy) => ({
  ...policy,
  priceBreaks: policy.priceBreaks && writePriceBreaks(policy.priceBreaks),
})

export const fromRow = (row: PolicyRow): StoredPolicy => ({
  ...keyOf({ ...row, level: row.level as PolicyLevel }),
  ...numbersOf(row),
  ...amountsOf((name) => toDecimal(row[name], 2)),
  responsible: row.responsible,
  teamLead: row.teamLead,
  unmetDemand: row.unmetDemand as UnmetDemand | null,
  orderDays: row.orderDays,
  ordersByLocation: row.ordersByLocation,
  priceBreaks: row.priceBreaks ? parsePriceBreaks(row.priceBreaks) : null,
  updatedAt: String(row.updatedAt),
  updatedBy: String(row.updatedBy),
})

/** The values that a rule sets. */
export const valuesOf = (policy: Policy | ReturnType<typeof toRow>) =>
  Object.fromEntries(
    Object.entries(policy).filter(([name, value]) => value !== null && !IS_NO_VALUE.has(name)),
  )

const IS_NO_VALUE = new Set<string>(['level', ...POLICY_KEY_NAMES, 'updatedAt', 'updatedBy'])
