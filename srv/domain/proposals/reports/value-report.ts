// What buyers' edits and rejections were worth: both quantities are replayed against the demand that came.
import { runDetached } from '../../../base/cap/context.ts'
import type { Predicate } from '../../authority/index.ts'
import { totalOf } from '../../money/index.ts'
import { rowsOfReader } from '../readers.ts'
import { type Decided, decisionsOf, type Outcome, type Range } from './decided.ts'

export interface ValueReport {
  from: string
  to: string
  decided: number
  /** Approved as calculated: system and buyer agree. */
  unchanged: number
  edited: number
  /** Rejected or cancelled: nothing was ordered. */
  rejected: number
  /** Edits and rejections with complete demand for all their days. */
  evaluated: number
  /** Edits and rejections whose days have not all passed. */
  tooRecent: number
  system: Outcome
  buyer: Outcome
  /** Average stock times unit cost; decimal strings. */
  workingCapital: { currency: string; system: string; buyer: string; difference: string }[]
}

/** Value of the average stock, by currency. */
type Capital = Map<string, { system: number; buyer: number }>

/** Reports on the decisions of these days. It must be called outside of any transaction. */
export async function valueReport(range: Range): Promise<ValueReport> {
  const visible = await rowsOfReader()
  return runDetached('report', () => evaluateDecisions(range, visible))
}

async function evaluateDecisions(
  { from, to }: Range,
  visible: Predicate | null,
): Promise<ValueReport> {
  const report = emptyReport(from, to)
  const capital: Capital = new Map()
  for await (const chunk of decisionsOf({ from, to }, visible))
    for (const decided of chunk) count(report, capital, decided)
  return { ...rounded(report), workingCapital: capitalOf(capital) }
}

function count(report: ValueReport, capital: Capital, { proposal, what, outcome }: Decided) {
  report.decided++
  report[what]++
  if (what === 'unchanged') return
  if (!outcome) return void report.tooRecent++
  const { system, buyer } = outcome
  add(report.system, system)
  add(report.buyer, buyer)
  report.evaluated++
  const { unitCost, currency } = proposal
  if (unitCost === null) return
  const sum = capital.get(currency ?? '') ?? { system: 0, buyer: 0 }
  sum.system += system.averageStock * Number(unitCost)
  sum.buyer += buyer.averageStock * Number(unitCost)
  capital.set(currency ?? '', sum)
}

const none = (): Outcome => ({ stockoutDays: 0, unitsShort: 0, averageStock: 0 })

function emptyReport(from: string, to: string): ValueReport {
  const counts = { decided: 0, unchanged: 0, edited: 0, rejected: 0, evaluated: 0, tooRecent: 0 }
  return { from, to, ...counts, system: none(), buyer: none(), workingCapital: [] }
}

function add(sum: Outcome, { stockoutDays, unitsShort, averageStock }: Outcome) {
  sum.stockoutDays += stockoutDays
  sum.unitsShort += unitsShort
  sum.averageStock += averageStock
}

function rounded(report: ValueReport): ValueReport {
  const round = (outcome: Outcome): Outcome => ({
    stockoutDays: outcome.stockoutDays,
    unitsShort: Math.round(outcome.unitsShort * 1000) / 1000,
    averageStock: Math.round(outcome.averageStock * 1000) / 1000,
  })
  return { ...report, system: round(report.system), buyer: round(report.buyer) }
}

const capitalOf = (capital: Capital) =>
  [...capital]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, { system, buyer }]) => ({
      currency,
      system: system.toFixed(2),
      buyer: buyer.toFixed(2),
      difference: (buyer - system).toFixed(2),
    }))

/** Money of one currency; null where its lines name none. */
export type Amount = Awaited<ReturnType<typeof totalOf>>[number]

/** Limits a query to the rows that the user sees. */
export const within = <Query extends { where(condition: object): unknown }>(
  query: Query,
  visible: Predicate | null,
) => (visible ? query.where(visible) : query) as Query

/** The total of a column; groups where it is null or 0 need no currency. */
export const amountOf = <Name extends string>(
  groups: ({ currency: string | null } & Record<Name, number | string | null>)[],
  name: Name,
) =>
  totalOf(
    groups
      .filter((group) => Number(group[name]) !== 0)
      .map((group) => ({ value: Number(group[name]).toFixed(2), currency: group.currency })),
  )
