import type * as Model from '#cds-models/restock'
import {
  POLICY_AMOUNTS,
  POLICY_KEY_NAMES,
  POLICY_NUMBERS,
  type PolicyAmount,
  type PolicyLevel,
  type PolicyNumber,
  type PolicyRule,
} from '../../policy-values.ts'
import { parsePriceBreaks, type PriceBreakOfRule, writePriceBreaks } from '../../price-breaks.ts'
import type { Row } from '../../store/entities.ts'
import { toDecimal, toNumber } from '../../store/numbers.ts'
import { keyOf, type PolicyKey } from './levels.ts'

/** A rule as it is stored and answered: everything that it does not say is null. */
export interface Policy
  extends PolicyKey, Record<PolicyNumber, number | null>, Record<PolicyAmount, string | null> {
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

/** A rule as somebody gives it, in its full shape. */
export const toPolicy = (rule: PolicyRule): Policy => ({
  ...keyOf(rule),
  ...numbersOf(rule),
  ...amountsOf((name) => rule[name] ?? null),
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
  orderDays: row.orderDays,
  ordersByLocation: row.ordersByLocation,
  priceBreaks: row.priceBreaks ? parsePriceBreaks(row.priceBreaks) : null,
  updatedAt: String(row.updatedAt),
  updatedBy: String(row.updatedBy),
})

/** What a rule says: its values that are not null. */
export const valuesOf = (policy: Policy | ReturnType<typeof toRow>) =>
  Object.fromEntries(
    Object.entries(policy).filter(([name, value]) => value !== null && !IS_NO_VALUE.has(name)),
  )

const IS_NO_VALUE = new Set<string>(['level', ...POLICY_KEY_NAMES, 'updatedAt', 'updatedBy'])
