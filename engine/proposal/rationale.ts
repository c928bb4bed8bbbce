import { inventoryPosition } from '../inventory/position.ts'
import { orderQuantity } from '../inventory/limits.ts'
import { MAX_HORIZON_DAYS } from '../horizon.ts'
import { plain } from './plain.ts'
import type { Calculation } from './types.ts'

/** One sentence for the buyer; its numbers are those of the calculation, in plain digits. */
export function rationaleOf(calculation: Calculation): string {
  const parts = [
    `Expected demand (P50) is ${plain(calculation.p50)} over the next ${days(calculation.horizonDays)}`,
    coverageOf(calculation),
    `supplier lead time ${leadTimeOf(calculation)}`,
    ...roundingOf(calculation),
    ...limitsOf(calculation),
    ...supplierMinimumOf(calculation),
  ]
  return `${parts.join('; ')}.`
}

function coverageOf(calculation: Calculation): string {
  const { p50, netRequirement } = calculation
  const supply = supplyOf(calculation)
  const target = `the target of ${targetOf(calculation)}`
  if (netRequirement === 0) return `${supply} cover that and ${target}`
  const covered = inventoryPosition(calculation) >= p50
  const missing = plain(netRequirement)
  return covered
    ? `${supply} cover that but are ${missing} short of ${target}`
    : `${supply} do not cover that and are ${missing} short of ${target}`
}

function supplyOf({ onHand, onOrder, openProposals }: Calculation): string {
  const supply = [`${plain(onHand)} on hand`]
  if (onOrder !== 0 || openProposals === 0) supply.push(`${plain(onOrder)} on order`)
  if (openProposals !== 0) supply.push(`${plain(openProposals)} in open proposals`)
  return listed(supply)
}

function targetOf(calculation: Calculation): string {
  const { targetStock, targetQuantile, leadTimeSafety, beyondHorizon, backorders } = calculation
  const { coveredLater } = calculation
  const terms = [`${plain(targetStock)} (P${Math.round(targetQuantile * 100)})`]
  if (beyondHorizon) {
    const further = calculation.leadTimeDays + calculation.reviewPeriodDays - MAX_HORIZON_DAYS
    terms.push(`${plain(beyondHorizon)} for the ${days(further)} after that`)
  }
  if (leadTimeSafety) terms.push(`${plain(leadTimeSafety)} for an uncertain lead time`)
  if (backorders) terms.push(`${plain(backorders)} on backorder`)
  const sum = terms.length === 1 ? terms[0]! : `${terms[0]} plus ${listed(terms.slice(1))}`
  return coveredLater ? `${sum} less ${plain(coveredLater)} that later receipts cover` : sum
}

function leadTimeOf({ leadTimeDays, leadTimeDeviationDays }: Calculation): string {
  if (!leadTimeDeviationDays) return days(leadTimeDays)
  return `${days(leadTimeDays)} ± ${plain(leadTimeDeviationDays)}`
}

function roundingOf({ netRequirement, moq, lotSize, ...rest }: Calculation): string[] {
  const rounded = orderQuantity(netRequirement, { moq, lotSize })
  if (rounded === netRequirement || rest.quantity < netRequirement) return []
  const rules: string[] = []
  if (moq > netRequirement) rules.push(`the minimum order of ${plain(moq)}`)
  if (lotSize !== 1) rules.push(`lots of ${plain(lotSize)}`)
  if (rules.length === 0) rules.push('whole units')
  return [`rounded up to ${plain(rounded)} for ${rules.join(' and ')}`]
}

const LIMITS = {
  max_order_cap: ({ maximumOrder }: Calculation) => `the maximum order of ${plain(maximumOrder!)}`,
  max_stock_cap: ({ maximumStock }: Calculation) => `the maximum stock of ${plain(maximumStock!)}`,
  shelf_life_cap: ({ shelfLifeDays }: Calculation) => `the shelf life of ${days(shelfLifeDays!)}`,
}

function limitsOf(calculation: Calculation): string[] {
  const rules = Object.entries(LIMITS)
    .filter(([driver]) => calculation.drivers.includes(driver as keyof typeof LIMITS))
    .map(([, text]) => text(calculation))
  if (rules.length === 0) return []
  const quantity = calculation.quantity - (calculation.supplierMinimum ?? 0)
  return [`cut to ${plain(quantity)} for ${listed(rules)}`]
}

function supplierMinimumOf({ supplierMinimum, quantity }: Calculation): string[] {
  if (!supplierMinimum) return []
  return [`${plain(supplierMinimum)} more, ${plain(quantity)}, for the supplier's minimum`]
}

function days(count: number): string {
  return count === 1 ? '1 day' : `${plain(count)} days`
}

/** a, b and c */
function listed(parts: string[]): string {
  return [parts.slice(0, -1).join(', '), parts.at(-1)].filter(Boolean).join(' and ')
}
