import {
  openOrderMessages,
  type ProposalInput,
  type ProposalResult,
} from '../../../engine/proposal/index.ts'
import { type PairInputs, type PlanningRow, toInputs } from '../inputs/pair-inputs.ts'
import type { Setting } from '../inputs/setting.ts'
import type { Proposal } from '../to-proposal.ts'
import type { TransferPlan } from '../transfers/plan.ts'
import { proposeTransfer } from '../transfers/propose-transfer.ts'
import { applyChanges } from './apply-changes.ts'
import { type Blocked, replaceBlocked } from './blocked-pairs.ts'
import { exceptionsOf, updateExceptions } from './exceptions.ts'
import { blockedByLead, endLed, readLeaders } from './led-pairs.ts'
import {
  type ChangeableProposals,
  NO_PROPOSALS,
  type PairProposals,
  readChangeable,
  readPairProposals,
} from './pair-proposals.ts'
import {
  isConfirmed,
  transferKeyOf,
  reconcile,
  reconcileTransfer,
  type ProposalChange,
  supersedeUntouched,
} from './reconcile.ts'
import { ruleConflictsOf } from './rule-conflicts.ts'
import type { ExceptionColumns } from './stored-exceptions.ts'
import { unmatchedApproval } from './unmatched-approval.ts'

/** Null for a pair whose quantity is calculated later, with its supplier's order. */
export type ResultOf = (pair: PairInputs, input: ProposalInput) => ProposalResult | null

interface Work {
  setting: Setting
  plan: TransferPlan
  resultOf: ResultOf
}

/** What a pair's calculation changes. */
interface Outcome {
  changes: ProposalChange[]
  blocked?: Blocked
  /** All that hold now; absent where nothing new is known of them. */
  exceptions?: ExceptionColumns[]
}

/**
 * Calculates pairs and applies the changes to their proposals, in the caller's transaction. What a pair was calculated
 * from is let go of before the next one: kept for all of them it would be copied by every small garbage collection.
 */
export async function calculatePairs(rows: PlanningRow[], work: Work) {
  const series = rows.map(({ ID }) => ID)
  const proposalsOf = await readPairProposals(series)
  const leaders = await readLeaders(rows)
  const outcomes: Outcome[] = []
  const waiting = new Map<number, ReturnType<typeof calculatePair>>()
  for (const [at, row] of rows.entries()) {
    const pair = toInputs(row, work.setting)
    const calculated = calculatePair(pair, proposalsOf(pair.series), work, leaders)
    if (calculated.changeable.length) waiting.set(at, calculated)
    else outcomes[at] = calculated.outcome(NO_PROPOSALS)
  }
  const known = [...waiting.values()].flatMap(({ changeable }) => changeable)
  const wholeOf = await readChangeable(known)
  for (const [at, { outcome }] of waiting) outcomes[at] = outcome(wholeOf(series[at]!))
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

/** @returns the proposals that may change, and what changes once they are read whole */
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
      const exceptions = exceptionsOf(pair, approvals)
      const all = [...open, ...transfers]
      if (pair.ledBy === null) return { changes: supersedeUntouched(all), exceptions }
      return { changes: endLed(pair, all), exceptions, blocked: blockedByLead(pair, leaders) }
    }
    if (!result) return { changes: [] }
    const changes = transferChanges(pair, plan, approved, transfers)
    if (isSame) changes.push({ do: 'confirm', proposal: known[0]! })
    else changes.push(...reconcile({ pair, input, result, open, lastRejected }))
    return {
      changes,
      ...(result.kind === 'blocked' && { blocked: { pair, missing: result.missing } }),
      // What old data say of open orders and stock is not news.
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
      ]

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
