import { Refusal } from '../errors.ts'
import { approvalLimitOf, needsSecondApprover } from './limits.ts'
import { assertFresh } from './stale.ts'
import { assertOrderable } from './orderable.ts'
import { actor, alreadyDecided, lockProposal, transition } from './transition.ts'
import type { Proposal } from './to-proposal.ts'

interface Approval {
  ID: number
  quantity?: number | null
  comment?: string | null
  expectedVersion?: number | null
}

/** The checks stand in the contract's order; the first that fails is the answer. */
export async function approve({ ID, quantity, comment, expectedVersion }: Approval) {
  const proposal = await lockProposal(ID)
  const ordered = quantity ?? proposal.quantity
  if (proposal.status === 'approved' && ordered === proposal.quantity) return proposal
  if (isExpired(proposal)) throw alreadyDecided({ ...proposal, status: 'expired' })
  if (!['pending', 'awaiting_second_approval'].includes(proposal.status)) {
    throw alreadyDecided(proposal)
  }
  if (expectedVersion != null && expectedVersion !== proposal.version) {
    throw new Refusal('version_mismatch', `prop_${ID} is at version ${proposal.version}.`, {
      target: 'expected_version',
      members: { current_version: proposal.version },
    })
  }
  await assertFresh(proposal)
  assertOrderable(proposal, ordered)
  const value = valueOf(proposal.unitCost, ordered)
  const set = { quantity: ordered, value, touched: true }
  const { id } = actor()
  if (proposal.status === 'awaiting_second_approval' && proposal.firstApprover === id) {
    throw new Refusal('four_eyes_required', 'The second approval must be another person’s.')
  }
  const limit = approvalLimitOf()
  if (limit !== null && (value === null || Number(value) > limit)) {
    throw new Refusal('approval_limit_exceeded', overLimit(proposal, value, limit))
  }
  if (proposal.status === 'pending' && needsSecondApprover(value)) {
    const waiting = { ...set, firstApprover: id }
    const event = 'awaiting_second_approval'
    return transition(proposal, { to: event, event, set: waiting, comment })
  }
  const decided = { ...set, decidedBy: id, decidedAt: new Date().toISOString() }
  return transition(proposal, { to: 'approved', event: 'approved', set: decided, comment })
}

const overLimit = ({ currency }: Proposal, value: string | null, limit: number) =>
  value === null
    ? 'The value of this order is not known, so it cannot be held against your limit.'
    : `The order is worth ${value} ${currency ?? ''}; your limit is ${limit.toFixed(2)}.`

export const isExpired = ({ status, expiresAt }: Proposal) =>
  status === 'pending' && expiresAt <= new Date().toISOString()

export const valueOf = (unitCost: string | null, quantity: number) =>
  unitCost === null ? null : (Number(unitCost) * quantity).toFixed(2)

/** Rejects; rejecting again changes nothing. */
export async function reject({ ID, reason }: { ID: number; reason?: string | null }) {
  const proposal = await lockProposal(ID)
  if (proposal.status === 'rejected') return proposal
  return transition(proposal, {
    to: 'rejected',
    event: 'rejected',
    set: { ...decision(), reason: reason ?? null },
    comment: reason,
  })
}

export async function snooze({ ID, until }: { ID: number; until: string }) {
  const set = { snoozedUntil: new Date(until).toISOString(), touched: true }
  return transition(await lockProposal(ID), {
    to: 'snoozed',
    event: 'snoozed',
    set,
    comment: until,
  })
}

interface Cancellation {
  ID: number
  reason: string
  comment?: string | null
}

/** Takes an approval back, as long as the ERP has no order of it. */
export async function cancel({ ID, reason, comment }: Cancellation) {
  const set = { ...decision(), reason }
  return transition(await lockProposal(ID), { to: 'cancelled', event: 'cancelled', set, comment })
}

const decision = () => ({
  touched: true,
  decidedBy: actor().id,
  decidedAt: new Date().toISOString(),
})
