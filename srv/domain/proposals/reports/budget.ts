import { byNaturalKey, byText } from '../../../../engine/index.ts'
import { type Calculation, fillBudget } from '../../../../engine/proposal/index.ts'
import type { Predicate } from '../../authority/index.ts'
import { Refusal } from '../../../base/errors.ts'
import { Proposals } from '../../../base/database/entities.ts'
import { indexOrder } from '../../../base/database/rows.ts'
import { inTransaction } from '../../../base/cap/context.ts'
import { settings } from '../../../base/settings/config.ts'
import { rowsOfReader } from '../readers.ts'

interface BudgetQuery {
  supplier?: string | null
  location?: string | null
  currency?: string | null
  /** Decimal string. */
  budget?: string | null
  units?: number | null
}

/** The part of a proposal that a budget pays for, or the part that it does not. */
export interface BudgetLine {
  ID: number
  /** The version of the proposal. */
  version: number
  source: number | null
  supplier: string | null
  orderBy: string | null
  sku: string
  location: string
  quantity: number
  proposedQuantity: number
  value: string
  /** In proportion to the quantity; null if it is unknown. */
  valueAtRisk: string | null
}

export interface Budget {
  data: BudgetLine[]
  /** The lines that the budget does not pay for, by the cost of waiting, highest first; at most 200. */
  rest: BudgetLine[]
  value: string
  units: number
  /** Null if no line has a currency. */
  currency: string | null
  /** Null without a budget. */
  leftValue: string | null
  leftUnits: number | null
  /** Sums of all that the budget does not pay for; `lines` counts lines of which nothing is paid. */
  notTaken: { lines: number; value: string; valueAtRisk: string }
  /** Lines that could not be weighed. */
  leftOut: { otherCurrency: number; withoutCost: number }
}

const MOST_LINES = 10_000
/** The most unpaid lines in an answer. */
const MOST_REST = 200

/**
 * Finds the pending purchases of the user on which a budget is best spent.
 * @throws Refusal invalid_parameter if there are more than 10,000, or several currencies and none is asked for
 */
export const fillBudgetOf = (query: BudgetQuery) => inTransaction(() => fillLines(query))

async function fillLines(query: BudgetQuery): Promise<Budget> {
  const visible = await rowsOfReader()
  const lines = (await readLines(query, visible)).sort(byUrgency)
  const costed = lines.filter(({ unitCost }) => unitCost !== null)
  const currency = query.currency ?? onlyCurrencyOf(costed)
  const weighed = costed.filter((line) => line.currency === currency)
  const prices = await readPrices(query, visible)
  const { taken, value, units, left, notTaken } = fillBudget(
    weighed.map((row) => toBudgetLine(row, prices.get(row.ID))),
    {
      money: query.budget == null ? null : Number(query.budget),
      ...{ units: query.units ?? null, leastProtected: settings().lineWorth },
    },
  )
  return {
    data: taken.map(({ line: { row }, ...part }) => toAnswer(row, part)),
    rest: restOf(weighed, taken),
    ...{ value: value.toFixed(2), units, currency },
    leftValue: left.money?.toFixed(2) ?? null,
    leftUnits: left.units,
    notTaken: {
      lines: notTaken.lines,
      value: notTaken.value.toFixed(2),
      valueAtRisk: notTaken.valueAtRisk.toFixed(2),
    },
    leftOut: {
      otherCurrency: costed.length - weighed.length,
      withoutCost: lines.length - costed.length,
    },
  }
}

const weighedIn = ({ supplier, location }: BudgetQuery) => ({
  ...{ status: 'pending' as const, kind: { '!=': 'transfer' as const } },
  ...(supplier != null && { supplier }),
  ...(location != null && { location }),
})

/** Sorted by urgency, which decides between lines that protect equally. */
async function readLines(asked: BudgetQuery, visible: Predicate | null) {
  const query = SELECT.from(Proposals)
    .columns(
      ...(['ID', 'version', 'source_ID', 'supplier', 'sku', 'location'] as const),
      ...(['quantity', 'value', 'unitCost', 'currency', 'valueAtRisk'] as const),
      ...(['calculation_moq', 'calculation_lotSize', 'urgencyRank', 'orderBy'] as const),
    )
    .where(weighedIn(asked))
    .orderBy(...indexOrder(['urgencyRank', 'orderBy', 'ID']))
    .limit(MOST_LINES + 1)
  const lines = await (visible ? query.where(visible) : query)
  if (lines.length > MOST_LINES) {
    const target = asked.supplier == null ? 'supplier' : 'location'
    const message = `More than 10,000 proposals are pending: name a ${target}.`
    throw new Refusal('invalid_parameter', message, {
      target,
      sentence: { key: 'budget_lines', args: {} },
    })
  }
  return lines
}

type Line = Awaited<ReturnType<typeof readLines>>[number]

/** The price breaks by proposal, if its unit cost depends on the quantity. */
async function readPrices(asked: BudgetQuery, visible: Predicate | null) {
  const query = SELECT.from(Proposals)
    .columns('ID', 'calculation_further')
    .where({ ...weighedIn(asked), calculation_further: { like: '%"prices":[%' } })
  const rows = await (visible ? query.where(visible) : query)
  return new Map(
    rows.map(({ ID, calculation_further: further }) => [
      ID,
      (JSON.parse(further!) as Pick<Calculation, 'prices'>).prices,
    ]),
  )
}

type Weighed = Pick<
  Line,
  'quantity' | 'unitCost' | 'valueAtRisk' | 'calculation_moq' | 'calculation_lotSize'
>

/** A stored proposal as the engine weighs it. */
export const toBudgetLine = <Row extends Weighed>(row: Row, prices?: Calculation['prices']) => ({
  row,
  prices,
  quantity: Number(row.quantity),
  unitCost: Number(row.unitCost),
  valueAtRisk: Number(row.valueAtRisk),
  moq: Number(row.calculation_moq),
  lotSize: Number(row.calculation_lotSize),
})

interface Part {
  quantity: number
  value: number
  valueAtRisk: number
}

type Taken = Part & { line: { row: Line }; rest: number }

const toAnswer = (row: Line, { quantity, value, valueAtRisk }: Part): BudgetLine => ({
  ...{ ID: row.ID, version: Number(row.version), source: row.source_ID ?? null },
  ...{ sku: row.sku!, location: row.location!, supplier: row.supplier ?? null },
  ...{ orderBy: row.orderBy ?? null, quantity, proposedQuantity: Number(row.quantity) },
  value: value.toFixed(2),
  valueAtRisk: row.valueAtRisk === null ? null : valueAtRisk.toFixed(2),
})

/** The lines, or parts of lines, that the budget does not pay for. */
function restOf(weighed: Line[], taken: Taken[]) {
  const takenOf = new Map(taken.map(({ line, ...part }) => [line.row, part]))
  return weighed
    .map((row) => {
      const part = takenOf.get(row) ?? { quantity: 0, valueAtRisk: 0, rest: Number(row.value) }
      const valueAtRisk = Number(row.valueAtRisk) - part.valueAtRisk
      const quantity = Number(row.quantity) - part.quantity
      return { row, quantity, value: part.rest, valueAtRisk }
    })
    .filter(({ quantity }) => quantity > 0)
    .sort((a, b) => b.valueAtRisk - a.valueAtRisk)
    .slice(0, MOST_REST)
    .map(({ row, ...part }) => toAnswer(row, part))
}

const byUrgency = (a: Line, b: Line) =>
  Number(a.urgencyRank) - Number(b.urgencyRank) ||
  byText(a.orderBy ?? '', b.orderBy ?? '') ||
  byNaturalKey(pairOf(a), pairOf(b))

const pairOf = ({ sku, location }: Line) => ({ sku: sku!, location: location! })

/** Money of several currencies is never added up. */
function onlyCurrencyOf(lines: Line[]): string | null {
  const [currency = null, ...others] = new Set(lines.map((line) => line.currency))
  if (!others.length) return currency
  const names = [currency, ...others]
    .map((name) => name ?? 'none')
    .sort()
    .join(', ')
  const message = `The proposals are in several currencies (${names}): name one.`
  const sentence = { key: 'budget_currencies', args: { names } }
  throw new Refusal('invalid_parameter', message, { target: 'currency', sentence })
}
