// Decided proposals, each with what came of its quantity and of the proposed one: both are replayed against the demand that came.
import { type DemandHistory, toDate, toEpochDay } from '../../../../engine/index.ts'
import type { Calculation } from '../../../../engine/proposal/index.ts'
import { loadHistories } from '../../../base/database/demand/histories.ts'
import { Sources } from '../../../base/database/entities.ts'
import type { Predicate } from '../../authority/index.ts'
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
  /** Days in UTC, `YYYY-MM-DD`; `to` inclusive. */
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
  const start = proposal.decidedAt!.slice(0, 10)
  return { proposal, start, end: addDays(start, proposal.calculation.horizonDays) }
}

const addDays = (day: string, days: number) => toDate(toEpochDay(day) + days)

async function nextDecided(
  { from, to }: Range,
  after: number,
  visible: Predicate | null,
  source: number | null,
): Promise<Proposal[]> {
  const before = `${addDays(to, 1)}T00:00:00.000Z`
  const query = SELECT.from('restock.Proposals').where({
    ID: { '>': after },
    status: { in: DECIDED },
    ...(source !== null && { source_ID: source }),
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
