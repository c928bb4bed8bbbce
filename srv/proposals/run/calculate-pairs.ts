import {
  openOrderMessages,
  type ProposalInput,
  type ProposalResult,
} from '../../../engine/proposal/index.ts'
import type { PairInputs } from '../inputs/pair-inputs.ts'
import type { Proposal } from '../to-proposal.ts'
import type { TransferPlan } from '../transfers/plan.ts'
import { proposeTransfer } from '../transfers/propose-transfer.ts'
import { applyChanges } from './apply-changes.ts'
import { type Blocked, replaceBlocked } from './blocked-pairs.ts'
import { type PairMessages, updateExceptions } from './exceptions.ts'
import { blockedByLead, endLed, readLeaders } from './led-pairs.ts'
import { readChangeable, readPairProposals } from './pair-proposals.ts'
import {
  isConfirmed,
  transferKeyOf,
  reconcile,
  reconcileTransfer,
  type ProposalChange,
  supersedeUntouched,
} from './reconcile.ts'
import { ruleConflictsOf } from './rule-conflicts.ts'
import { unmatchedApproval } from './unmatched-approval.ts'

/** Null for a pair whose quantity is calculated later, with its supplier's order. */
export type ResultOf = (pair: PairInputs, input: ProposalInput) => ProposalResult | null

/** Calculates pairs and applies the changes to their proposals, in the caller's transaction. */
export async function calculatePairs(pairs: PairInputs[], plan: TransferPlan, resultOf: ResultOf) {
  const proposalsOf = await readPairProposals(pairs.map(({ series }) => series))
  const calculated = pairs.map((pair) => {
    const { known, approved, lastOrder } = proposalsOf(pair.series)
    const input = pair.input?.(approved + plan.incoming(pair), plan.outgoing(pair), lastOrder)
    const result = input && resultOf(pair, input)
    const confirmed = result && isConfirmed(pair, result, known) ? known[0] : undefined
    return { pair, input, result, confirmed }
  })
  const changeable = await readChangeable(
    calculated.flatMap(({ pair, confirmed }) => (confirmed ? [] : proposalsOf(pair.series).known)),
  )
  const leaders = await readLeaders(pairs)
  const changes: ProposalChange[] = []
  const blocked: Blocked[] = []
  const found: PairMessages[] = []
  for (const { pair, input, result, confirmed } of calculated) {
    const { approved, unmatched } = proposalsOf(pair.series)
    const { open, transfers, lastRejected } = changeable(pair.series)
    const approvals = unmatched.map(unmatchedApproval)
    if (!input) {
      if (pair.ledBy === null) changes.push(...supersedeUntouched([...open, ...transfers]))
      else {
        blocked.push(blockedByLead(pair, leaders))
        changes.push(...endLed(pair, [...open, ...transfers]))
      }
      found.push({ pair, messages: approvals })
      continue
    }
    if (result?.kind === 'blocked') blocked.push({ pair, missing: result.missing })
    if (!result) continue
    // What old data say of open orders and stock is not news.
    if (!input.staleSince) {
      found.push({ pair, messages: [...messagesOf(input, result), ...approvals] })
    }
    changes.push(...transferChanges(pair, plan, approved, transfers))
    if (confirmed) changes.push({ do: 'confirm', proposal: confirmed })
    else changes.push(...reconcile({ pair, input, result, open, lastRejected }))
  }
  await applyChanges(changes)
  await replaceBlocked(pairs, blocked)
  await updateExceptions(found)
  const proposed = changes.filter((change) => !ENDINGS.has(change.do)).length
  return { proposed, blocked: blocked.length }
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
