import { assertMayDecide, currentDecider } from '../../authority/index.ts'
import { Refusal } from '../../errors.ts'
import { assertFresh } from './freshness.ts'
import { assertOrderable } from './orderable.ts'
import { allowsStep, statusAfter } from '../../store/proposal-flow.ts'
import { isExpired } from '../lifecycle/states.ts'
import { alreadyDecided, lockProposal, transition } from '../lifecycle/transition.ts'
import { valueOf } from './decisions.ts'

export interface Approval {
  ID: number
  quantity?: number | null
  comment?: string | null
  expectedVersion?: number | null
}

/** Approves a proposal. The checks are in the order that /v1 documents; the first that fails is thrown. */
export async function approveProposal({ ID, quantity, comment, expectedVersion }: Approval) {
  const decider = await currentDecider()
  const proposal = await lockProposal(ID)
  const ordered = quantity ?? proposal.quantity
  if (proposal.status === statusAfter('approve') && ordered === proposal.quantity) return proposal
  if (isExpired(proposal)) throw alreadyDecided({ ID, status: statusAfter('expire') })
  if (!allowsStep(proposal.status, 'approve')) throw alreadyDecided(proposal)
  if (expectedVersion != null && expectedVersion !== proposal.version) {
    throw new Refusal('version_mismatch', `prop_${ID} is at version ${proposal.version}.`, {
      target: 'expected_version',
      members: { current_version: proposal.version },
    })
  }
  await assertFresh(proposal)
  assertOrderable(proposal, ordered)
  const value = valueOf(proposal.unitCost, ordered)
  const question = { action: 'approve', decider, proposal, quantity: ordered, value } as const
  const { inNameOf: onBehalfOf, approval } = await assertMayDecide(question)
  const set = { quantity: ordered, value, touched: true }
  if (approval === 'first') {
    const first = { firstApprover: decider.id, firstApproverFor: onBehalfOf }
    const change = { step: 'requestSecondApproval', comment, onBehalfOf } as const
    return transition(proposal, { ...change, set: { ...set, ...first } })
  }
  const decision = { decidedBy: decider.id, decidedAt: new Date().toISOString() }
  const change = { step: 'approve', comment, onBehalfOf } as const
  return transition(proposal, { ...change, set: { ...set, ...decision } })
}
