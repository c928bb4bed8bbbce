// Decided proposals, each with what came of its quantity and of the proposed one: both are replayed against the demand that came.
import {
  type AbcClass,
  byText,
  type DemandHistory,
  toDate,
  toEpochDay,
} from '../../../../engine/index.ts'
import type { Calculation } from '../../../../engine/proposal/index.ts'
import { loadHistories } from '../../../base/database/demand/histories.ts'
import { PairPlanning, readAs, Sources } from '../../../base/database/entities.ts'
import { settings } from '../../../base/settings/config.ts'
import { beginningOf, dayOf } from '../../../base/time/days.ts'
import type { Predicate, User } from '../../authority/index.ts'
import { ledBy } from '../assigned/responsible.ts'
import { PolicyBook } from '../policy/planning.ts'
import { type Proposal, type ProposalRow, toProposal } from '../to-proposal.ts'

const CHUNK = 200
const DECIDED = ['approved', 'ordered', 'rejected', 'cancelled']

/** The outcome of a quantity over its days. */
export interface Outcome {
  /** Days with less stock than demand. */
  stockoutDays: number
  unitsShort: number
  /** Units at the end of the day. */
  averageStock: number
}

export interface Range {
  /** Days where the setting `timeZone` is, `YYYY-MM-DD`; `to` inclusive. */
  from: string
  to: string
}

export interface Decided {
  proposal: Proposal
  /** Approved as calculated, with another quantity, or rejected or cancelled: nothing was ordered. */
  what: 'unchanged' | 'edited' | 'rejected'
  /** Null of what is unchanged, and of a decision whose days have not all passed. */
  outcome: { system: Outcome; buyer: Outcome } | null
}

/** The decisions of these days, a chunk at a time. @param source null for all */
export async function* decisionsOf(
  range: Range,
  visible: Predicate | null,
  source: number | null = null,
): AsyncGenerator<Decided[]> {
  const knownUntil = await demandEnds()
  for (let after = 0; ;) {
    const chunk = await nextDecided(range, after, visible, source)
    if (!chunk.length) return
    after = chunk.at(-1)!.ID
    const changed = chunk.filter((proposal) => whatOf(proposal) !== 'unchanged').map(toDifference)
    const outcomes = await outcomesOf(
      changed.filter(({ proposal, end }) => end <= (knownUntil.get(proposal.source) ?? '')),
    )
    yield chunk.map((proposal) => ({
      ...{ proposal, what: whatOf(proposal) },
      outcome: outcomes.get(proposal.ID) ?? null,
    }))
  }
}

const orderedUnits = ({ status, quantity }: Proposal) =>
  status === 'approved' || status === 'ordered' ? quantity : 0

function whatOf(proposal: Proposal): Decided['what'] {
  const units = orderedUnits(proposal)
  if (units === proposal.calculation.quantity) return 'unchanged'
  return units ? 'edited' : 'rejected'
}

/** A decision that differs from the proposal, with the days that the order was to cover. */
interface Difference {
  proposal: Proposal
  start: string
  end: string
}

function toDifference(proposal: Proposal): Difference {
  const start = dayOf(proposal.decidedAt!)
  return { proposal, start, end: addDays(start, proposal.calculation.horizonDays) }
}

const addDays = (day: string, days: number) => toDate(toEpochDay(day) + days)

async function nextDecided(
  { from, to }: Range,
  after: number,
  visible: Predicate | null,
  source: number | null,
): Promise<Proposal[]> {
  const query = SELECT.from('restock.Proposals').where({
    ID: { '>': after },
    status: { in: DECIDED },
    ...(source !== null && { source_ID: source }),
  }).where`decidedAt >= ${beginningOf(from)} and decidedAt < ${beginningOf(addDays(to, 1))}`
  if (visible) query.where(visible)
  const rows = (await query.orderBy('ID').limit(CHUNK)) as ProposalRow[]
  return rows.map(toProposal)
}

/** The day up to which (exclusive) the demand of each source is complete. */
async function demandEnds(): Promise<Map<number, string>> {
  const rows = await SELECT.from(Sources).columns('ID', 'dataAsOf')
  return new Map(rows.map(({ ID, dataAsOf }) => [ID, dataAsOf ?? '']))
}

async function outcomesOf(ready: Difference[]) {
  const outcomes = new Map<number, { system: Outcome; buyer: Outcome }>()
  if (!ready.length) return outcomes
  const demand = await demandOf(ready)
  for (const { proposal, start } of ready) {
    const { ID, calculation } = proposal
    const days = daysFrom(demand.get(proposal.series), start, calculation.horizonDays)
    outcomes.set(ID, {
      system: replayDemand(calculation, calculation.quantity, days),
      buyer: replayDemand(calculation, orderedUnits(proposal), days),
    })
  }
  return outcomes
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

// What was decided in a month, by person and reason, and what edits and rejections were worth.

export interface DecisionWorth {
  currency: string
  /** What being short and carrying cost with the proposed quantities, with the decided ones, and the first less the second. */
  asProposed: string
  asDecided: string
  worth: string
}

/** Decisions of a person for a reason. */
export interface DecisionGroup {
  what: Decided['what']
  /** Null for all whose decisions the user sees as a sum alone. */
  person: string | null
  /** Of a rejection, a code; null where none was given. */
  reason: string | null
  lines: number
  /** Of those that differ from the proposal: whose days have passed, and whose have not. */
  evaluated: number
  tooRecent: number
  /** Evaluated ones without a unit cost, which are worth nothing that can be told. */
  withoutCost: number
  worth: DecisionWorth[]
}

/** Whose decisions a user sees person by person: those of all, or the own ones and those of whom the user leads. */
type Seen = ReadonlySet<string> | null

const SEES_ALL = ['ApproverHigh', 'Admin', 'Auditor']

export async function peopleSeen(user: User): Promise<Seen> {
  if (SEES_ALL.some((role) => user.is(role))) return null
  return new Set([user.id, ...(await ledBy(user.id))])
}

type Money = Map<string, { asProposed: number; asDecided: number }>

/** Sorted by person, what and reason; those of others last. */
export async function decisionsOfMonth(
  { source, month }: { source: number; month: string },
  visible: Predicate | null,
  seen: Seen,
): Promise<DecisionGroup[]> {
  const groups = new Map<string, { group: DecisionGroup; money: Money }>()
  const range = { from: `${month}-01`, to: lastDayOf(month) }
  for await (const chunk of decisionsOf(range, visible, source)) {
    const costOf = await costsOfPairs(chunk)
    for (const decided of chunk) {
      const found = groupOf(groups, decided, seen)
      count(found, decided, costOf)
    }
  }
  return [...groups.values()]
    .map(({ group, money }) => ({ ...group, worth: worthOf(money) }))
    .sort(
      (a, b) =>
        Number(a.person === null) - Number(b.person === null) ||
        byText(a.person ?? '', b.person ?? '') ||
        ORDER.indexOf(a.what) - ORDER.indexOf(b.what) ||
        byText(a.reason ?? '', b.reason ?? ''),
    )
}

const ORDER = ['unchanged', 'edited', 'rejected']

function lastDayOf(month: string) {
  const day = new Date(`${month}-01`)
  day.setUTCMonth(day.getUTCMonth() + 1, 0)
  return day.toISOString().slice(0, 10)
}

function groupOf(
  groups: Map<string, { group: DecisionGroup; money: Money }>,
  { proposal, what }: Decided,
  seen: Seen,
) {
  const by = proposal.decidedBy
  const person = by !== null && (!seen || seen.has(by)) ? by : null
  const reason = what === 'rejected' ? proposal.reason : null
  const key = JSON.stringify([what, person, reason])
  const counts = { lines: 0, evaluated: 0, tooRecent: 0, withoutCost: 0, worth: [] }
  const found = groups.get(key) ?? { group: { what, person, reason, ...counts }, money: new Map() }
  groups.set(key, found)
  return found
}

function count(
  { group, money }: { group: DecisionGroup; money: Money },
  { proposal, what, outcome }: Decided,
  costOf: CostOf,
) {
  group.lines++
  if (what === 'unchanged') return
  if (!outcome) return void group.tooRecent++
  group.evaluated++
  if (proposal.unitCost === null) return void group.withoutCost++
  const currency = proposal.currency ?? ''
  const sum = money.get(currency) ?? { asProposed: 0, asDecided: 0 }
  sum.asProposed += costOf(proposal, outcome.system)
  sum.asDecided += costOf(proposal, outcome.buyer)
  money.set(currency, sum)
}

type CostOf = (proposal: Decided['proposal'], outcome: Outcome) => number

/** Units short and stock carried over the days of an order, at the costs in force now. */
async function costsOfPairs(chunk: Decided[]): Promise<CostOf> {
  const changed = chunk.filter(({ outcome }) => outcome).map(({ proposal }) => proposal)
  if (!changed.length) return () => 0
  const rows = await readAs<{ ID: number; skuGroup: string | null; abcClass: AbcClass | null }>(
    SELECT.from(PairPlanning)
      .columns('ID', 'skuGroup', 'abcClass')
      .where({ ID: { in: changed.map(({ series }) => series) } }),
  )
  const rowOf = new Map(rows.map((row) => [Number(row.ID), row]))
  const subjectOf = ({ sku, location, supplier, series }: Decided['proposal']) => ({
    ...{ sku, location, supplier },
    skuGroup: rowOf.get(series)?.skuGroup ?? null,
    abcClass: rowOf.get(series)?.abcClass ?? null,
  })
  const book = await PolicyBook.read(changed.map(subjectOf))
  const { stockoutCostShare, carryingCostSharePerYear } = settings()
  return (proposal, { unitsShort, averageStock }) => {
    const rules = book.of(subjectOf(proposal))
    const short = rules.decide('stockoutCostShare', null, stockoutCostShare).value!
    const carrying = rules.decide('carryingCostSharePerYear', null, carryingCostSharePerYear).value!
    const { horizonDays } = proposal.calculation
    const carried = (averageStock * carrying * horizonDays) / 365
    return Number(proposal.unitCost) * (unitsShort * short + carried)
  }
}

const worthOf = (money: Money): DecisionWorth[] =>
  [...money]
    .sort(([a], [b]) => byText(a, b))
    .map(([currency, { asProposed, asDecided }]) => ({
      currency,
      asProposed: asProposed.toFixed(2),
      asDecided: asDecided.toFixed(2),
      worth: (asProposed - asDecided).toFixed(2),
    }))
