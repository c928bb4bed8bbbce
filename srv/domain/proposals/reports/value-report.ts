// What buyers' edits and rejections were worth: both quantities are replayed against the demand that came.
import { type DemandHistory, toDate, toEpochDay } from '../../../../engine/index.ts'
import type { Calculation } from '../../../../engine/proposal/index.ts'
import { loadHistories } from '../../../base/database/demand/histories.ts'
import { Sources } from '../../../base/database/entities.ts'
import { runDetached } from '../../../base/cap/context.ts'
import type { Predicate } from '../../authority/index.ts'
import { totalOf } from '../../money/index.ts'
import { rowsOfReader } from '../readers.ts'
import { type Proposal, type ProposalRow, toProposal } from '../to-proposal.ts'

const CHUNK = 200
const DECIDED = ['approved', 'ordered', 'rejected', 'cancelled']

/** The outcome of a quantity over its days. */
interface Outcome {
  /** Days with less stock than demand. */
  stockoutDays: number
  unitsShort: number
  /** Units at the end of the day. */
  averageStock: number
}

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

export interface Range {
  /** Days in UTC, `YYYY-MM-DD`; `to` inclusive. */
  from: string
  to: string
}

/** Value of the average stock, by currency. */
type Capital = Map<string, { system: number; buyer: number }>

/** A decision that differs from the proposal, with the days that the order was to cover. */
interface Difference {
  proposal: Proposal
  start: string
  end: string
}

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
  const knownUntil = await demandEnds()
  for (let after = 0; ;) {
    const chunk = await nextDecided({ from, to }, after, visible)
    if (!chunk.length) break
    after = chunk.at(-1)!.ID
    const passed = chunk.filter((each) => count(report, each)).map(toDifference)
    const ready = passed.filter(
      ({ proposal, end }) => end <= (knownUntil.get(proposal.source) ?? ''),
    )
    report.tooRecent += passed.length - ready.length
    await evaluate(ready, report, capital)
  }
  return { ...rounded(report), workingCapital: capitalOf(capital) }
}

const orderedUnits = ({ status, quantity }: Proposal) =>
  status === 'approved' || status === 'ordered' ? quantity : 0

/** Counts a decision. @returns whether it differs from the proposal */
function count(report: ValueReport, proposal: Proposal): boolean {
  report.decided++
  const units = orderedUnits(proposal)
  if (units === proposal.calculation.quantity) report.unchanged++
  else if (units) report.edited++
  else report.rejected++
  return units !== proposal.calculation.quantity
}

function toDifference(proposal: Proposal): Difference {
  const start = proposal.decidedAt!.slice(0, 10)
  return { proposal, start, end: addDays(start, proposal.calculation.horizonDays) }
}

const addDays = (day: string, days: number) => toDate(toEpochDay(day) + days)

async function nextDecided(
  { from, to }: Range,
  after: number,
  visible: Predicate | null,
): Promise<Proposal[]> {
  const before = `${addDays(to, 1)}T00:00:00.000Z`
  const query = SELECT.from('restock.Proposals').where({
    ID: { '>': after },
    status: { in: DECIDED },
  }).where`decidedAt >= ${`${from}T00:00:00.000Z`} and decidedAt < ${before}`
  if (visible) query.where(visible)
  const rows = (await query.orderBy('ID').limit(CHUNK)) as ProposalRow[]
  return rows.map(toProposal)
}

/** The day up to which (exclusive) the demand of each source is complete. */
async function demandEnds(): Promise<Map<number, string>> {
  const rows = await SELECT.from(Sources).columns('ID', 'dataAsOf')
  return new Map(rows.map(({ ID, dataAsOf }) => [ID, dataAsOf ?? '']))
}

async function evaluate(ready: Difference[], report: ValueReport, capital: Capital) {
  if (!ready.length) return
  const demand = await demandOf(ready)
  for (const { proposal, start } of ready) {
    const { calculation, unitCost, currency } = proposal
    const days = daysFrom(demand.get(proposal.series), start, calculation.horizonDays)
    const system = replayDemand(calculation, calculation.quantity, days)
    const buyer = replayDemand(calculation, orderedUnits(proposal), days)
    add(report.system, system)
    add(report.buyer, buyer)
    report.evaluated++
    if (unitCost === null) continue
    const sum = capital.get(currency ?? '') ?? { system: 0, buyer: 0 }
    sum.system += system.averageStock * Number(unitCost)
    sum.buyer += buyer.averageStock * Number(unitCost)
    capital.set(currency ?? '', sum)
  }
}

async function demandOf(ready: Difference[]): Promise<Map<number, DemandHistory>> {
  const series = [...new Set(ready.map(({ proposal }) => proposal.series))]
  const [start] = ready.map(({ start }) => start).sort()
  const end = ready
    .map(({ end }) => end)
    .sort()
    .at(-1)!
  return loadHistories(series, end, { historyDays: toEpochDay(end) - toEpochDay(start!) })
}

/** The demand of each day, in units. */
function daysFrom(history: DemandHistory | undefined, start: string, count: number): number[] {
  const units = Array<number>(count).fill(0)
  const first = toEpochDay(start)
  history?.days.forEach((day, at) => {
    if (day >= first && day < first + count) units[day - first]! += history.quantities[at]!
  })
  return units
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

/**
 * Replays the days that an order had to cover on the demand that came. The stock on hand and on order is there from the first
 * day, without what is to expire unsold, the ordered quantity from the end of the lead time, and demand that exceeds the stock
 * is lost. Reserved units are part of the demand.
 * @param demand by day from the decision on, one entry for each day of the horizon
 */
export function replayDemand(
  calculation: Calculation,
  quantity: number,
  demand: number[],
): Outcome {
  const { leadTimeDays } = calculation
  const outcome = { stockoutDays: 0, unitsShort: 0, averageStock: 0 }
  let stock = Math.max(0, unitsBefore(calculation))
  demand.forEach((wanted, day) => {
    if (day === Math.round(leadTimeDays)) stock += quantity
    const served = Math.min(stock, Math.max(0, wanted))
    const short = Math.max(0, wanted) - served
    if (short > 0) outcome.stockoutDays++
    outcome.unitsShort += short
    stock -= served
    outcome.averageStock += stock / demand.length
  })
  return outcome
}

/** Units that are there or come without the order, as its calculation counted them; below 0 where customers wait. */
const unitsBefore = ({ onHand, onOrder, openProposals, ...terms }: Calculation) =>
  onHand +
  onOrder +
  openProposals +
  (terms.drafts ?? 0) +
  (terms.inInspection ?? 0) -
  (terms.expiring ?? 0) -
  (terms.backorders ?? 0)

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
