import {
  assertMayDecide,
  currentDecider,
  isHeldByDay,
  lockApprovals,
  recordApproval,
} from '../../authority/index.ts'
import { assertFresh } from './freshness.ts'
import { assertOrderable } from './orderable.ts'
import { allowsStep, statusAfter } from '../../store/proposal-flow.ts'
import { isExpired } from '../lifecycle/states.ts'
import { alreadyDecided, lockProposal, readProposal, transition } from '../lifecycle/transition.ts'
import { valueOf } from './decisions.ts'
import { unitCostOf } from '../unit-cost.ts'
import { assertAsSeen, hasMoved, type Seen } from './seen.ts'

export interface Approval extends Seen {
  ID: number
  quantity?: number | null
  comment?: string | null
}

/** Approves a proposal. The checks are in the order that /v1 documents; the first that fails is thrown. */
export async function approveProposal({ ID, quantity, comment, ...seen }: Approval) {
  const decider = await currentDecider()
  const found = await readProposal(ID)
  if (isHeldByDay(decider)) await lockApprovals(found)
  const proposal = await lockProposal(found)
  const ordered = quantity ?? proposal.quantity
  const isSame = ordered === proposal.quantity && !hasMoved(proposal, seen)
  if (proposal.status === statusAfter('approve') && isSame) return proposal
  if (isExpired(proposal)) throw alreadyDecided({ ID, status: statusAfter('expire') })
  if (!allowsStep(proposal.status, 'approve')) throw alreadyDecided(proposal)
  assertAsSeen(proposal, seen)
  await assertFresh(proposal, ordered)
  assertOrderable(proposal, ordered)
  const unitCost = unitCostOf(proposal.unitCost, proposal.calculation, ordered)
  const value = valueOf(unitCost, ordered)
  const question = { action: 'approve', decider, proposal, quantity: ordered, value } as const
  const { inNameOf: onBehalfOf, approval } = await assertMayDecide(question)
  const set = { quantity: ordered, unitCost, value, touched: true }
  if (approval === 'first') {
    const first = { firstApprover: decider.id, firstApproverFor: onBehalfOf }
    const change = { step: 'requestSecondApproval', comment, onBehalfOf } as const
    return transition(proposal, { ...change, set: { ...set, ...first } })
  }
  await recordApproval({ decider, proposal, value, inNameOf: onBehalfOf, approval })
  const decision = { decidedBy: decider.id, decidedAt: new Date().toISOString() }
  const change = { step: 'approve', comment, onBehalfOf } as const
  return transition(proposal, { ...change, set: { ...set, ...decision } })
}
