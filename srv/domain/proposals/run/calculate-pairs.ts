import { setImmediate as turn } from 'node:timers/promises'
import type { PairWithoutHistory } from '#cds-models/restock'
import {
  addDays,
  firmOrdersOf,
  openOrderMessages,
  type ProposalInput,
  type ProposalResult,
  propose,
} from '../../../../engine/proposal/index.ts'
import { Planning, type Row, Sources, Syncs } from '../../../base/database/entities.ts'
import { toNumber } from '../../../base/database/rows.ts'
import { type Facts, sentenceOf } from '../../../base/texts/sentences.ts'
import { type PairInputs, type PlanningRow, toInputs } from '../terms/pair-inputs.ts'
import type { SourceInputs } from '../terms/source-inputs.ts'
import type { Proposal } from '../to-proposal.ts'
import { applyChanges, unmatchedApproval } from './apply-changes.ts'
import {
  type ExceptionColumns,
  exceptionsOf,
  type SourceMessage,
  updateExceptions,
  updateSourceExceptions,
} from './exceptions.ts'
import {
  type Blocked,
  type ChangeableProposals,
  minimumConflictsOf,
  NO_PROPOSALS,
  type PairProposals,
  readChangeable,
  readPairProposals,
  replaceBlocked,
  ruleConflictsOf,
} from './pair-proposals.ts'
import { proposeTransfer, type TransferPlan } from './plan-transfers.ts'
import {
  isConfirmed,
  type ProposalChange,
  reconcile,
  reconcileTransfer,
  supersedeUntouched,
  transferKeyOf,
} from './reconcile.ts'

/** Null if the pair's quantity is calculated later, with the order of its supplier. */
export type ResultOf = (pair: PairInputs, input: ProposalInput) => ProposalResult | null

export interface Work {
  sourceInputs: SourceInputs
  plan: TransferPlan
  resultOf: ResultOf
}

interface Outcome {
  changes: ProposalChange[]
  blocked?: Blocked
  /** All current exceptions of the pair; absent if nothing new is known of them. */
  exceptions?: ExceptionColumns[]
}

/** After so many pairs others get a turn: some milliseconds. */
const PAIRS_A_TURN = 16

/**
 * Calculates pairs and applies the changes to their proposals, in the caller's transaction. The inputs of a pair are released
 * before the next one: if all were kept, every small garbage collection would copy them.
 */
export async function calculatePairs(rows: PlanningRow[], work: Work) {
  const series = rows.map(({ ID }) => ID)
  const proposalsOf = await readPairProposals(series)
  const leaders = await readLeaders(rows)
  const outcomes: Outcome[] = []
  const waiting = new Map<number, ReturnType<typeof calculatePair>>()
  for (const [at, row] of rows.entries()) {
    if (at && at % PAIRS_A_TURN === 0) await turn()
    const pair = toInputs(row, work.sourceInputs)
    const calculated = calculatePair(pair, proposalsOf(pair.series), work, leaders)
    if (calculated.changeable.length) waiting.set(at, calculated)
    else outcomes[at] = calculated.outcome(NO_PROPOSALS)
  }
  const known = [...waiting.values()].flatMap(({ changeable }) => changeable)
  const wholeOf = await readChangeable(known)
  for (const [place, [at, { outcome }]] of [...waiting].entries()) {
    if (place && place % PAIRS_A_TURN === 0) await turn()
    outcomes[at] = outcome(wholeOf(series[at]!))
  }
  const changes = outcomes.flatMap((one) => one.changes)
  await applyChanges(changes)
  const blocked = outcomes.flatMap((one) => one.blocked ?? [])
  await replaceBlocked(series, blocked)
  const told = series.filter((_, at) => outcomes[at]!.exceptions)
  await updateExceptions(
    told,
    outcomes.flatMap(({ exceptions }) => exceptions ?? []),
  )
  const proposed = changes.filter((change) => !ENDINGS.has(change.do)).length
  return { proposed, blocked: blocked.length }
}

/** @returns the proposals that may change, and a function of these proposals, read whole, that gives the changes */
function calculatePair(
  pair: PairInputs,
  { known, approved, unmatched, lastOrder }: PairProposals,
  { plan, resultOf }: Work,
  leaders: Map<number, string>,
) {
  const input = pair.input?.(approved + plan.incoming(pair), plan.outgoing(pair), lastOrder)
  const result = input && resultOf(pair, input)
  const isSame = result ? isConfirmed(pair, result, known) : result === null
  const approvals = unmatched.map(unmatchedApproval)
  const outcome = ({ open, transfers, lastRejected }: ChangeableProposals): Outcome => {
    if (!input) {
      const exceptions = exceptionsOf(pair, [...leftOver(pair, approved), ...approvals])
      const all = [...open, ...transfers]
      if (pair.ledBy === null) return { changes: supersedeUntouched(all), exceptions }
      return {
        changes: endProposalsOfLedPair(pair, all),
        exceptions,
        blocked: blockedByLead(pair, leaders),
      }
    }
    if (!result) return { changes: [] }
    const changes = transferChanges(pair, plan, approved, transfers)
    if (isSame) changes.push({ do: 'confirm', proposal: known[0]! })
    else changes.push(...reconcile({ pair, input, result, open, lastRejected }))
    return {
      changes,
      ...(result.kind === 'blocked' && { blocked: { pair, missing: result.missing } }),
      // Outdated data lead to no exceptions about open orders and stock.
      ...(!input.staleSince && {
        exceptions: exceptionsOf(pair, [...messagesOf(input, result), ...approvals]),
      }),
    }
  }
  return { changeable: isSame ? [] : known, outcome }
}

const ENDINGS = new Set(['supersede', 'end'])

const messagesOf = (input: ProposalInput, result: ProposalResult) =>
  result.kind === 'blocked'
    ? []
    : [
        ...openOrderMessages(input, result.calculation.targetQuantile),
        ...ruleConflictsOf(result.calculation),
        ...minimumConflictsOf(result),
      ]

/** What of a SKU that is phased out is still on order or on hand. */
function leftOver({ ended }: PairInputs, approved: number) {
  const input = ended?.(approved)
  return input && !input.staleSince ? messagesOf(input, propose(input)) : []
}

/** Each transfer to a pair counts as supply of the next one. */
function transferChanges(pair: PairInputs, plan: TransferPlan, approved: number, open: Proposal[]) {
  const changes: ProposalChange[] = []
  const keys = new Set<string | null>()
  let incoming = approved + plan.kept(pair)
  for (const transfer of plan.transfersTo(pair)) {
    const input = pair.input!(incoming, plan.outgoing(pair))
    const result = proposeTransfer(input, transfer)
    changes.push(...reconcileTransfer({ pair, input, result, open }, transfer.from))
    keys.add(transferKeyOf(pair, transfer.from))
    incoming += transfer.quantity
  }
  return [...supersedeUntouched(open.filter(({ openKey }) => !keys.has(openKey))), ...changes]
}

// Pairs that the ERP plans and that are not phased out, but have no demand to forecast from.

/** The most of them that are listed for a source: an ERP may hold master data of far more SKUs than are bought. */
const MOST = 1_000

type NewPair = Row<PairWithoutHistory>

/** For how many days a SKU that is new in the catalogue is listed though no location plans it. */
const NEW_DAYS = 90

/** Lists a thousand SKUs without history, those with firm orders and new ones first, and what else they lack for an order. */
export async function updateNoHistory(source: number, sourceInputs: SourceInputs) {
  const isPlanned = await SELECT.one.from(Planning).columns('sku').where({ source_ID: source })
  const view = isPlanned ? PAIRS : SKUS
  const first = await firstSyncEnd(source)
  const added = first ? await readNew(view, source, sourceInputs, first) : []
  const recent = `${addDays(sourceInputs.days.usual, -NEW_DAYS)}T00:00:00Z`
  const since = first && first > recent ? first : recent
  const unplanned = isPlanned && first ? await readUnplanned(source, sourceInputs, since) : []
  const ordered = await readOrdered(view, source, sourceInputs)
  const rows = distinct([...ordered, ...added, ...unplanned])
  if (rows.length < MOST) rows.push(...(await readOthers(view, source, sourceInputs, first)))
  const found = distinct(rows)
    .slice(0, MOST)
    .map((row) => messageOf(row, sourceInputs))
  await updateSourceExceptions(source, 'no_history', found)
}

const PAIRS = 'restock.PairsWithoutHistory'
const SKUS = 'restock.SkusWithoutHistory'

/** The end of the first sync: rows read until then are not new. Null before it. */
async function firstSyncEnd(source: number): Promise<string | null> {
  const row = await SELECT.one
    .from(Syncs)
    .columns('finishedAt')
    .where({ source_ID: source, status: { in: ['succeeded', 'partial'] } })
    .orderBy('finishedAt')
  return row?.finishedAt ? new Date(row.finishedAt).toISOString() : null
}

const distinct = (rows: NewPair[]) => [
  ...new Map(rows.map((row) => [JSON.stringify([row.sku, row.location]), row])).values(),
]

/** What customers have ordered or production has reserved. */
const readOrdered = async (view: string, source: number, { days }: SourceInputs) =>
  (await SELECT.from(`${view} as s`)
    .where`source_ID = ${source} and (phaseOutOn is null or phaseOutOn > ${days.usual}) and (exists (select 1 as one from restock.CurrentCustomerOrders as c where c.source_ID = s.source_ID and c.sku = s.sku and c.location = s.location) or exists (select 1 as one from restock.CurrentReservations as r where r.source_ID = s.source_ID and r.sku = s.sku and r.location = s.location))`
    .orderBy('sku', 'location')
    .limit(MOST)) as NewPair[]

const readNew = async (view: string, source: number, { days }: SourceInputs, since: string) =>
  (await SELECT.from(view)
    .where`source_ID = ${source} and (phaseOutOn is null or phaseOutOn > ${days.usual}) and addedAt > ${since}`
    .orderBy('sku', 'location')
    .limit(MOST)) as NewPair[]

/** SKUs that no location plans. */
const readUnplanned = async (source: number, { days }: SourceInputs, since: string) =>
  (await SELECT.from(`${SKUS} as s`)
    .where`source_ID = ${source} and (phaseOutOn is null or phaseOutOn > ${days.usual}) and addedAt > ${since} and not exists (select 1 as one from restock.Planning as p where p.source.ID = s.source_ID and p.sku = s.sku)`
    .orderBy('sku', 'location')
    .limit(MOST)) as NewPair[]

const readOthers = async (
  view: string,
  source: number,
  { days }: SourceInputs,
  until: string | null,
) =>
  (await SELECT.from(view)
    .where`source_ID = ${source} and (phaseOutOn is null or phaseOutOn > ${days.usual}) and (addedAt is null or addedAt <= ${until ?? LATEST})`
    .orderBy('sku', 'location')
    .limit(MOST)) as NewPair[]

const LATEST = '9999-12-31T00:00:00Z'

function messageOf(row: NewPair, sourceInputs: SourceInputs): SourceMessage {
  const { sku, location, supplier, onHand } = row
  const pair = { sku: sku, location: location, supplier, skuGroup: row.skuGroup }
  const leadTime = sourceInputs.policies.of(pair).decide('leadTimeDays', row.leadTimeDays).value
  const missing = [
    ...(onHand === null ? ['missing_stock'] : []),
    ...(leadTime === null ? ['missing_lead_time'] : []),
    ...(sourceInputs.supplierRequired && !supplier ? ['missing_supplier'] : []),
  ].map((text): Facts => ({ text }))
  const [first, ...rest] = missing
  const also = rest.reduce<Facts | undefined>(
    (so, last) => so && { text: 'why_and', first: so, last },
    first,
  )
  const why: Facts = also
    ? { text: 'exception_no_history_nor', missing: also }
    : { text: 'exception_no_history' }
  const { short, ...amounts } = firmOrders(row, sourceInputs)
  return {
    ...{ kind: 'no_history', sku: pair.sku, location: pair.location, supplier, quantity: short },
    facts: short ? { text: 'exception_no_history_short', why, short, ...amounts } : why,
  }
}

function firmOrders({ sku, location, onHand }: NewPair, sourceInputs: SourceInputs) {
  const pair = { sku: sku, location: location }
  const there = toNumber(onHand)
  const { ordered, onOrder, short } = firmOrdersOf(
    {
      onHand: there,
      receipts: sourceInputs.receipts.of(pair),
      orders: [...sourceInputs.customerOrders.of(pair), ...sourceInputs.reservations.of(pair)],
    },
    sourceInputs.days.of(pair.location),
  )
  return { ordered, onHand: there ?? 0, onOrder, short }
}

// Pairs that another source leads are listed as blocked, and their open proposals end.

const LED_BY_ANOTHER_SOURCE = 'led_by_another_source'

/** The names of the sources that lead some of these pairs. */
async function readLeaders(pairs: Pick<PairInputs, 'ledBy'>[]): Promise<Map<number, string>> {
  const IDs = [...new Set(pairs.flatMap(({ ledBy }) => ledBy ?? []))]
  if (!IDs.length) return new Map()
  const rows = await SELECT.from(Sources)
    .columns('ID', 'type', 'account')
    .where({ ID: { in: IDs } })
  return new Map(rows.map(({ ID, type, account }) => [ID, `src_${ID} (${type} ${account})`]))
}

function blockedByLead(pair: PairInputs, leaders: Map<number, string>): Blocked {
  const leader = leaders.get(pair.ledBy!) ?? `src_${pair.ledBy}`
  const facts: Facts = { text: LED_BY_ANOTHER_SOURCE, leader: leader.slice(0, LONGEST_NAME) }
  return {
    pair,
    missing: [
      {
        missing: LED_BY_ANOTHER_SOURCE,
        reason: sentenceOf(facts, 'en'),
        ledBy: pair.ledBy,
        facts: JSON.stringify(facts),
      },
    ],
  }
}

/** The longest name, in characters, that a reason has room for. */
const LONGEST_NAME = 300

/** Ends all open proposals of a pair, even changed ones: there must not be two orders for one need. */
const endProposalsOfLedPair = (pair: PairInputs, open: Proposal[]): ProposalChange[] =>
  open.map((proposal) => ({
    do: 'end',
    proposal,
    comment: `${LED_BY_ANOTHER_SOURCE}: src_${pair.ledBy}`,
  }))
