import {
  type Calculation,
  inventoryPosition,
  orderQuantity,
  type ProposalResult,
  smallestOrder,
} from '../../../../engine/proposal/index.ts'
import { insertRows, selectRows } from '../../../base/database/native/bulk.ts'
import { oneOf, oneOfOrBetween } from '../../../base/database/rows.ts'
import type { Facts } from '../../../base/texts/sentences.ts'
import { openStatuses } from '../stored/flow.ts'
import { isCounted, NOT_COUNTED } from '../terms/erp-orders.ts'
import type { PairInputs } from '../terms/pair-inputs.ts'
import {
  type CalculationColumn,
  calculationColumnNames,
  type Proposal,
  type ProposalRow,
  toProposal,
} from '../to-proposal.ts'
import type { PairMessage } from './exceptions.ts'

const PROPOSALS = 'restock.Proposals'

/** The columns that a run reads of every proposal. Proposals that may change are read whole afterwards. */
const COLUMNS = [
  ...(['ID', 'version', 'series', 'kind', 'status', 'touched', 'flag', 'decidedAt'] as const),
  ...(['quantity', 'urgency', 'orderBy', 'unitCost', 'currency', 'openKey', 'reason'] as const),
]
export type KnownProposal = Pick<Proposal, (typeof COLUMNS)[number]> &
  Pick<ProposalRow, CalculationColumn>

/** Reasons to cancel that say, as a rejection does, that the order is not wanted; with others it is wanted otherwise. */
const UNWANTED = ['not_needed', 'too_much', 'too_early', 'discontinued']

/** The statuses of what is not wanted; of cancelled proposals those alone count whose reason says so. */
export const REFUSED: readonly string[] = ['rejected', 'cancelled']

/** The proposals that a newer calculation of a pair has to take into account. */
export interface PairProposals {
  /** Open and refused proposals, including transfers to the pair. */
  known: KnownProposal[]
  /** Approved units, including transfers, for which no order of the ERP was found yet. */
  approved: number
  /** Approved proposals that no longer count as supply, since no order of the ERP was found in time. */
  unmatched: KnownProposal[]
  /** The day of the data that the pair's last purchase was calculated from; undefined if it had none. */
  lastOrder: string | undefined
}

const NOTHING: PairProposals = { known: [], approved: 0, unmatched: [], lastOrder: undefined }

/** Reads the open, approved and refused proposals of these pairs, by series. A cancelled one counts until there is a newer one. */
export async function readPairProposals(
  series: number[],
): Promise<(series: number) => PairProposals> {
  // The expression keeps SQLite from using the index on the status, which nearly all proposals share: it searches by series
  // instead.
  const rows = await selectRows<KnownProposal>(
    PROPOSALS,
    SELECT.from(PROPOSALS)
      .columns(...COLUMNS, ...calculationColumnNames())
      .where({ series: oneOfOrBetween(series), lapsed: null })
      .where`status || '' in ${[...openStatuses(), ...REFUSED, 'approved']}`.orderBy('ID'),
  )
  const unwanted = await unwantedOf(rows)
  const byPair = new Map<number, PairProposals>()
  for (const row of rows) {
    if (row.status === 'cancelled' && !unwanted.has(row.ID)) continue
    const of = byPair.get(Number(row.series)) ?? { ...NOTHING, known: [], unmatched: [] }
    byPair.set(Number(row.series), of)
    if (isCounted(row)) of.approved += Number(row.quantity)
    else if (row.status === 'approved') of.unmatched.push(row)
    else of.known.push(row)
  }
  const lastOrders = await readLastOrders(series)
  return (of) => ({ ...(byPair.get(of) ?? NOTHING), lastOrder: lastOrders.get(of) })
}

/** The cancelled proposals that are not wanted and that none of their pair has followed, by number. */
async function unwantedOf(rows: KnownProposal[]): Promise<Set<number>> {
  const unwanted = rows.filter(
    ({ status, reason }) => status === 'cancelled' && UNWANTED.includes(reason ?? ''),
  )
  if (!unwanted.length) return new Set()
  const newest = (await SELECT.from(PROPOSALS)
    .columns('max(ID) as ID')
    .where({ series: { in: unwanted.map(({ series }) => series) }, kind: 'purchase' })
    .groupBy('series')) as { ID: number }[]
  const last = new Set(newest.map(({ ID }) => Number(ID)))
  return new Set(unwanted.flatMap(({ ID }) => (last.has(ID) ? ID : [])))
}

/** The proposals of a pair that a calculation may change. */
export interface ChangeableProposals {
  open: Proposal[]
  /** Open transfers to the pair. */
  transfers: Proposal[]
  lastRejected: Proposal | undefined
}

export const NO_PROPOSALS: ChangeableProposals = {
  open: [],
  transfers: [],
  lastRejected: undefined,
}

/** Reads whole proposals, by series. If one was decided in the meantime, its version keeps it from being overwritten. */
export async function readChangeable(
  known: KnownProposal[],
): Promise<(series: number) => ChangeableProposals> {
  if (!known.length) return () => NO_PROPOSALS
  const before = new Map(known.map((row) => [row.ID, row]))
  const rows = await selectRows<ProposalRow>(
    PROPOSALS,
    SELECT.from(PROPOSALS)
      .where({ ID: { in: [...before.keys()] } })
      .orderBy('ID'),
  )
  const byPair = new Map<number, ChangeableProposals>()
  for (const row of rows) {
    const { version, status, touched, openKey } = before.get(row.ID)!
    const proposal = toProposal({ ...row, version, status, touched, openKey: openKey ?? null })
    const of = byPair.get(proposal.series) ?? { ...NO_PROPOSALS, open: [], transfers: [] }
    byPair.set(proposal.series, of)
    const isTransfer = proposal.kind === 'transfer'
    if (REFUSED.includes(proposal.status)) of.lastRejected = isTransfer ? of.lastRejected : proposal
    else if (isTransfer) of.transfers.push(proposal)
    else of.open.push(proposal)
  }
  return (of) => byPair.get(of) ?? NO_PROPOSALS
}

async function readLastOrders(series: number[]): Promise<Map<number, string>> {
  const rows = (await SELECT.from('restock.Proposals')
    .columns('series', 'max(asOf) as asOf')
    .where({ series: oneOfOrBetween(series), kind: 'purchase', flag: { '!=': NOT_COUNTED } })
    .where`status || '' in ${['approved', 'ordered']}`.groupBy('series')) as {
    series: number
    asOf: string | null
  }[]
  return new Map(rows.flatMap(({ series, asOf }) => (asOf ? [[series, asOf]] : [])))
}

/** Why a pair cannot be proposed: a code and a sentence. */
interface Obstacle {
  missing: string
  reason: string
  /** The source that leads the pair. */
  ledBy?: number | null
  /** The values of the sentence, to tell it in another language. */
  facts?: string
}

export interface Blocked {
  pair: PairInputs
  missing: Obstacle[]
}

/** Stores which of these pairs are blocked, replacing what was stored before. */
export async function replaceBlocked(series: number[], blocked: Blocked[]) {
  await DELETE.from('restock.BlockedPairs').where({
    series: oneOf(series),
  })
  const entries = blocked.flatMap(({ pair, missing }) =>
    missing.map(({ missing: what, reason, ledBy = null, facts = null }) => ({
      series: pair.series,
      source_ID: pair.source,
      sku: pair.sku,
      location: pair.location,
      missing: what,
      reason,
      ledBy,
      facts,
    })),
  )
  await insertRows('restock.BlockedPairs', entries)
}

// Ordering rules that reduce an order below the need, or to nothing.

/** If the need is not met, the rule that limits the order and the one that asks for more. */
export function ruleConflictsOf(calculation: Calculation): PairMessage[] {
  const codes = new Set(calculation.exceptions?.map(({ code }) => code))
  const isNothingLeft = codes.has('capped_below_moq')
  if (!isNothingLeft && !codes.has('capped_below_need')) return []
  const { netRequirement, limit = 0 } = calculation
  const possible = isNothingLeft ? 0 : orderQuantity(netRequirement, calculation, limit)
  const facts: Facts = isNothingLeft
    ? {
        text: 'exception_capped_below_moq',
        missing: netRequirement,
        cap: capOf(calculation),
        limit: Math.max(0, limit),
        least: leastOf(calculation),
      }
    : {
        text: 'exception_capped_below_need',
        missing: netRequirement,
        level: Math.round(calculation.targetQuantile * 100),
        from: fromOf(calculation, 'target_quantile', 'stockout_cost'),
        cap: capOf(calculation),
        quantity: possible,
      }
  const quantity = netRequirement - possible
  return [{ kind: 'rule_conflict', document: null, quantity, from: null, to: null, facts }]
}

/**
 * An order that does not pay for all that must be ordered: none, though the shelf is expected to be empty before it could
 * arrive, or one because it is empty.
 */
export function minimumConflictsOf(result: ProposalResult): PairMessage[] {
  const text = minimumConflictOf(result)
  const least = text && result.kind !== 'blocked' && leastBeyondNeed(result.calculation)
  if (!least) return []
  const quantity = result.calculation.netRequirement
  const facts = { text, missing: quantity, least }
  return [{ kind: 'rule_conflict', document: null, quantity, from: null, to: null, facts }]
}

function minimumConflictOf(result: ProposalResult): string | null {
  const { kind } = result
  if (kind === 'none' && result.urgency === 'stockout_before_arrival')
    return 'exception_least_not_worth_it'
  const isOrder = kind === 'order' && result.urgency === 'stocked_out'
  return isOrder && (result.costOfWaiting ?? 0) < 0 ? 'exception_least_though_empty' : null
}

/** The minimum or the lot size by which more must be ordered than is missing; null where no more must be. */
export const leastBeyondNeed = (calculation: Calculation): Facts | null =>
  smallestOrder(calculation) > Math.ceil(calculation.netRequirement) ? leastOf(calculation) : null

/** The tightest of the limits. */
function capOf(calculation: Calculation): Facts {
  const { limit, maximumOrder, maximumStock, shelfLifeDays = 0, onOrderLater = 0 } = calculation
  const is = (value: number) => Math.abs(value - limit!) < 1e-6
  if (maximumOrder !== undefined && is(maximumOrder)) {
    const from = fromOf(calculation, 'maximum_order')
    return { text: 'cap_maximum_order', count: maximumOrder, from }
  }
  const position = inventoryPosition(calculation) + onOrderLater
  if (maximumStock !== undefined && is(maximumStock - position)) {
    const from = fromOf(calculation, 'maximum_stock')
    return { text: 'cap_maximum_stock', count: maximumStock, from }
  }
  const from = fromOf(calculation, 'shelf_life')
  return { text: 'cap_shelf_life', count: shelfLifeDays, from }
}

function leastOf(calculation: Calculation): Facts {
  const { moq, lotSize } = calculation
  return moq >= lotSize
    ? { text: 'least_moq', count: smallestOrder(calculation), from: fromOf(calculation, 'moq') }
    : { text: 'least_lot', count: lotSize, from: fromOf(calculation, 'lot_size') }
}

const RULE = 'policy:'

/** Where a value comes from, by the first of these names that is known. */
function fromOf({ rules }: Calculation, ...names: string[]): Facts {
  const origin = names.map((name) => rules?.[name]).find(Boolean)
  if (origin?.startsWith(RULE)) return { text: 'from_rule', rule: origin.slice(RULE.length) }
  return { text: origin === 'erp' ? 'from_erp' : 'from_setting' }
}
