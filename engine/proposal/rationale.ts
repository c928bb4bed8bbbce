import { exceedsHorizon } from '../inventory/protection.ts'
import { inventoryPosition } from '../inventory/position.ts'
import { MAX_HORIZON_DAYS } from '../inventory/demand.ts'
import type { Calculation } from './types.ts'
import type { Units } from '../types.ts'

/** One sentence for the buyer; its numbers are those of the calculation, in plain digits. */
export function rationaleOf(calculation: Calculation): string {
  const parts = [
    `Expected demand (P50) is ${plain(calculation.p50)} over ${horizonOf(calculation)}`,
    coverageOf(calculation),
    `supplier lead time ${days(calculation.leadTimeDays)}`,
    ...roundingOf(calculation),
    ...capOf(calculation),
  ]
  return `${parts.join('; ')}.`
}

function horizonOf({ horizonDays }: Calculation): string {
  return `the next ${days(horizonDays)}`
}

function coverageOf(calculation: Calculation): string {
  const { p50, targetStock, targetQuantile, netRequirement } = calculation
  const covered = inventoryPosition(calculation) >= p50
  const level = `${plain(targetStock)} (P${Math.round(targetQuantile * 100)})`
  const missing = plain(netRequirement)
  return covered
    ? `${supplyOf(calculation)} cover that but are ${missing} short of the target of ${level}`
    : `${supplyOf(calculation)} do not cover that and are ${missing} short of the target of ${level}`
}

function supplyOf({ onHand, onOrder, openProposals }: Calculation): string {
  const supply = [`${plain(onHand)} on hand`]
  if (onOrder !== 0 || openProposals === 0) supply.push(`${plain(onOrder)} on order`)
  if (openProposals !== 0) supply.push(`${plain(openProposals)} in open proposals`)
  const last = supply.pop()
  return `${supply.join(', ')} and ${last}`
}

function roundingOf({ netRequirement, moq, lotSize, quantity }: Calculation): string[] {
  if (quantity === netRequirement) return []
  const rules: string[] = []
  if (moq > netRequirement) rules.push(`the minimum order of ${plain(moq)}`)
  if (lotSize !== 1) rules.push(`lots of ${plain(lotSize)}`)
  if (rules.length === 0) rules.push('whole units')
  return [`rounded up to ${plain(quantity)} for ${rules.join(' and ')}`]
}

function capOf({ leadTimeDays, reviewPeriodDays }: Calculation): string[] {
  if (!exceedsHorizon(leadTimeDays, reviewPeriodDays)) return []
  const needed = days(leadTimeDays + reviewPeriodDays)
  return [`${needed} would have to be covered, but only ${MAX_HORIZON_DAYS} can be forecast`]
}

function days(count: number): string {
  return count === 1 ? '1 day' : `${count} days`
}

/** Plain digits: no thousands separators, no exponent, at most three decimals. */
function plain(units: Units): string {
  return String(Number(units.toFixed(3)))
}
