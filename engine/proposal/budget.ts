import { smallestOrder } from '../inventory/limits.ts'
import { type LotRule, wholeStep } from '../inventory/lots.ts'
import { type PriceBreak, unitCostAt } from '../inventory/price-breaks.ts'
import type { Units } from '../types.ts'

/** Hundredths of the currency, whole. */
type Cents = number

export interface BudgetLine extends LotRule {
  quantity: Units
  /** Of the whole line; money, to four decimals. */
  unitCost: number
  /** What a unit costs from a quantity on, ascending, where a part may have another price. */
  prices?: readonly PriceBreak[]
  /** What it costs to wait with the whole line, in money; below 0 where waiting is the cheaper. */
  valueAtRisk: number
}

/** What there is to spend; null: as much as wanted. */
export interface Budget {
  money: number | null
  units: Units | null
}

export interface BudgetPart<Line> {
  line: Line
  /** No more than the line's own. */
  quantity: Units
  /** At the price of that quantity. */
  value: number
  /** In proportion to the quantity. */
  valueAtRisk: number
  /** What of the line is not taken, at the price of the whole line. */
  rest: number
}

export interface FilledBudget<Line> {
  /** What protects most for its money first. */
  taken: BudgetPart<Line>[]
  value: number
  units: Units
  left: Budget
  /** `lines`: of which nothing is taken; the money is all that is not taken, the rest of lines that are cut included. */
  notTaken: { lines: number; value: number; valueAtRisk: number }
}

/**
 * Fills a budget with the lines whose waiting costs most per unit of what is scarce: of money where that is limited,
 * else of units. A line that does not fit is cut to whole lots, no less than its minimum, or passed over for the next
 * that fits. Equal ones are taken in the order given.
 *
 * It is the greedy heuristic of the knapsack problem: with one limit it is optimal where lines may be cut anywhere, and
 * otherwise worse by less than one line. The value at risk of a part is in proportion; the first units of a line protect
 * most, so that a part protects no less than this. From the first
 * line on that does not fit, nothing is taken that protects less than `leastProtected`.
 *
 * Source: Dantzig, Discrete-Variable Extremum Problems, Operations Research 5, 1957.
 */
export function fillBudget<Line extends BudgetLine>(
  lines: readonly Line[],
  { money, units, leastProtected = -Infinity }: Budget & { leastProtected?: number },
): FilledBudget<Line> {
  const left = { cents: money === null ? Infinity : wholeCents(money), units: units ?? Infinity }
  const taken: BudgetPart<Line>[] = []
  let isScarce = false
  const spent = { cents: 0, units: 0 }
  const notTaken = { cents: 0, risk: 0 }
  for (const line of inOrder(lines, money !== null)) {
    const most = mostOf(line, left.cents - spent.cents, left.units - spent.units)
    const protects = toCents((line.valueAtRisk * most) / line.quantity)
    isScarce ||= most < line.quantity
    const isTaken = !isScarce || protects >= leastProtected * 100
    const [quantity, risk] = isTaken ? [most, protects] : [0, 0]
    const rest = costOf(line.quantity, line.unitCost) - costOf(quantity, line.unitCost)
    notTaken.cents += rest
    notTaken.risk += toCents(line.valueAtRisk) - risk
    if (quantity === 0) continue
    const cents = costOf(quantity, priceOf(line, quantity))
    taken.push({
      ...{ line, quantity, value: cents / 100 },
      ...{ valueAtRisk: risk / 100, rest: rest / 100 },
    })
    spent.cents += cents
    spent.units += quantity
  }
  return {
    taken,
    value: spent.cents / 100,
    units: spent.units,
    left: {
      money: money === null ? null : (left.cents - spent.cents) / 100,
      units: units === null ? null : units - spent.units,
    },
    notTaken: {
      lines: lines.length - taken.length,
      value: notTaken.cents / 100,
      valueAtRisk: notTaken.risk / 100,
    },
  }
}

function inOrder<Line extends BudgetLine>(lines: readonly Line[], isMoneyScarce: boolean): Line[] {
  const rated = lines.map((line) => {
    const needed = isMoneyScarce ? costOf(line.quantity, line.unitCost) : line.quantity
    // What needs none of it and protects nothing is 0 / 0.
    return { line, rate: line.valueAtRisk === 0 ? 0 : line.valueAtRisk / needed }
  })
  return rated
    .sort((a, b) => (a.rate === b.rate ? 0 : a.rate > b.rate ? -1 : 1))
    .map(({ line }) => line)
}

/** The most of a line that fits; the whole line is taken as it is, whatever its lots. */
function mostOf(line: BudgetLine, cents: Cents, units: Units): Units {
  const { quantity, unitCost, lotSize } = line
  if (quantity <= units && costOf(quantity, unitCost) <= cents) return quantity
  const lot = wholeStep(lotSize) ?? 1
  let most = Math.min(quantity, units)
  // From one break to the next all have one price; a part whose price is not known is not taken.
  for (const { from, unitCost: price } of pricesOf(line).toReversed()) {
    const cost = tenThousandths(price)
    const affordable = cost === 0 ? Infinity : Math.floor((cents * 100) / cost)
    const fits = Math.min(most, affordable)
    const whole = fits - (fits % lot)
    if (whole >= Math.max(from, smallestOrder(line))) return whole
    most = Math.min(most, Math.ceil(from) - 1)
  }
  return 0
}

const pricesOf = ({ prices, unitCost }: BudgetLine) => prices ?? [{ from: 0, unitCost }]

const priceOf = (line: BudgetLine, quantity: Units) =>
  quantity === line.quantity
    ? line.unitCost
    : unitCostAt(quantity, { unitCost: null, breaks: pricesOf(line) })!

// Whole numbers, so that sums of money are exact.
const tenThousandths = (cost: number) => Math.round(cost * 1e4)
const costOf = (quantity: Units, unitCost: number): Cents =>
  Math.floor((tenThousandths(unitCost) * quantity + 50) / 100)
const toCents = (money: number): Cents => Math.round(money * 100)
/** What is less than a cent buys nothing; a millionth of one is noise. */
const wholeCents = (money: number): Cents => Math.floor(money * 100 + 1e-6)
