import type { UnmetDemand } from './service-target.ts'

/** Costs as a planner says them; percents as people write them: 30 is 30 %. */
export interface StatedCosts {
  unmetDemand?: UnmetDemand | null
  /** Of the price: what is earned with a unit. Where demand is lost, it is lost with it. */
  marginPercent?: number | null
  /** Of the price: what a unit costs that a customer waits for. */
  latePercent?: number | null
  /** In money, instead of the two: what a unit costs that finds no stock. */
  shortPerUnit?: number | null
  /** Instead of all three: a unit short costs as much as carrying one for so many weeks. */
  weeks?: number | null
  /** A year, of the unit cost. */
  storagePercent?: number | null
  interestPercent?: number | null
  /** So much of the unit cost is written off of what lies so many days. */
  writeOffPercent?: number | null
  writeOffAfterDays?: number | null
}

/** The costs that the engine calculates with. */
export interface CostsInForce {
  stockoutCostShare: number
  carryingCostSharePerYear: number
  unmetDemand: UnmetDemand
}

/** A line of the arithmetic from words to costs. */
export interface CostStep {
  term: 'stockout_cost_share' | 'carrying_cost_share_per_year' | 'weeks'
  /** `30 / (100 − 30)`; empty where nobody said anything and it stays as it is. */
  formula: string
  value: number
}

/** What is said of costs and cannot be: the member, and what is needed. */
export class CostFault extends Error {
  readonly member: keyof StatedCosts

  constructor(member: keyof StatedCosts, message: string) {
    super(message)
    this.member = member
  }
}

const WEEKS_A_YEAR = 365 / 7

/** How many weeks one may carry a unit for what a unit short costs; null where carrying costs nothing. */
export const weeksOf = (costs: CostsInForce): number | null => {
  const { stockoutCostShare: short, carryingCostSharePerYear: carrying } = costs
  return carrying > 0 ? (short / carrying) * WEEKS_A_YEAR : null
}

/**
 * Costs in shares of the unit cost from what a planner says, with the arithmetic. With m the margin in percent of the price, the
 * price is 100 / (100 − m) unit costs: a unit that is lost costs m / (100 − m) of the unit cost, one that is late its percent / (100 − m).
 *
 * @param before what stays where nothing is said
 * @param unitCost of the unit that is wanted on average, where a cost in money is said; null: not known
 * @throws CostFault
 */
export function costsOfWords(words: StatedCosts, before: CostsInForce, unitCost: number | null) {
  const unmetDemand = words.unmetDemand ?? before.unmetDemand
  const carrying = carryingOf(words, before.carryingCostSharePerYear)
  const stockout = stockoutOf(words, {
    ...{ before: before.stockoutCostShare, unmetDemand, unitCost },
    carrying: carrying.value,
  })
  const costs: CostsInForce = {
    ...{ stockoutCostShare: stockout.value, carryingCostSharePerYear: carrying.value },
    unmetDemand,
  }
  const weeks = weeksOf(costs)
  const steps: CostStep[] = [
    { term: 'stockout_cost_share', ...stockout },
    { term: 'carrying_cost_share_per_year', ...carrying },
  ]
  if (weeks !== null) {
    const formula = `${stockout.value} / ${carrying.value} · 365 / 7`
    steps.push({ term: 'weeks', formula, value: Math.round(weeks * 10) / 10 })
  }
  return { costs, steps }
}

interface Line {
  formula: string
  value: number
}

interface Known {
  before: number
  unmetDemand: UnmetDemand
  unitCost: number | null
  carrying: number
}

function stockoutOf(words: StatedCosts, { before, unmetDemand, unitCost, carrying }: Known): Line {
  const { marginPercent: margin, latePercent: late, shortPerUnit: amount, weeks } = words
  const ways = [margin ?? late, amount, weeks].filter((each) => each != null)
  if (!ways.length) return { formula: '', value: before }
  if (ways.length > 1) {
    const member = weeks != null ? 'weeks' : 'shortPerUnit'
    throw new CostFault(
      member,
      'a unit short is said in one way alone: by percents, amount or weeks',
    )
  }
  if (weeks != null) {
    return {
      formula: `${weeks} · 7 / 365 · ${carrying}`,
      value: rounded((weeks * carrying) / WEEKS_A_YEAR),
    }
  }
  if (amount != null) {
    if (!unitCost) throw new CostFault('shortPerUnit', 'there is no unit cost to hold it against')
    const cost = rounded(unitCost)
    return { formula: `${amount} / ${cost}`, value: rounded(amount / cost) }
  }
  if (margin == null)
    throw new CostFault('marginPercent', 'is needed beside it: the price follows from it')
  if (unmetDemand === 'lost') {
    if (late != null)
      throw new CostFault('latePercent', 'is for demand that waits: here it is lost')
    return { formula: `${margin} / (100 − ${margin})`, value: rounded(margin / (100 - margin)) }
  }
  if (late == null) throw new CostFault('latePercent', 'is needed where demand waits')
  return { formula: `${late} / (100 − ${margin})`, value: rounded(late / (100 - margin)) }
}

function carryingOf(words: StatedCosts, before: number): Line {
  const { storagePercent, interestPercent, writeOffPercent, writeOffAfterDays } = words
  if ((writeOffPercent == null) !== (writeOffAfterDays == null)) {
    const member = writeOffPercent == null ? 'writeOffPercent' : 'writeOffAfterDays'
    throw new CostFault(member, 'is needed: what is written off, and after how many days')
  }
  const parts = [
    ...(storagePercent == null ? [] : [{ text: `${storagePercent}`, value: storagePercent }]),
    ...(interestPercent == null ? [] : [{ text: `${interestPercent}`, value: interestPercent }]),
    ...(writeOffPercent == null
      ? []
      : [
          {
            text: `${writeOffPercent} · 365 / ${writeOffAfterDays}`,
            value: (writeOffPercent * 365) / writeOffAfterDays!,
          },
        ]),
  ]
  if (!parts.length) return { formula: '', value: before }
  const sum = parts.reduce((total, { value }) => total + value, 0)
  return {
    formula: `(${parts.map(({ text }) => text).join(' + ')}) / 100`,
    value: rounded(sum / 100),
  }
}

/** Four decimals: more than anybody knows of a cost. */
const rounded = (value: number) => Math.round(value * 1e4) / 1e4
