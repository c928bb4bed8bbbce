import { Refusal } from '../../errors.ts'
import {
  authorities,
  type Authority,
  elsewhere,
  isWithin,
  keyLimit,
  needsSecondApprover,
  reaches,
} from './limits.ts'
import { assertFresh } from './freshness.ts'
import { assertOrderable } from './orderable.ts'
import { isExpired } from '../lifecycle/states.ts'
import { actor, alreadyDecided, lockProposal, transition } from '../lifecycle/transition.ts'
import type { Proposal } from '../to-proposal.ts'
import { valueOf } from './decisions.ts'

interface Approval {
  ID: number
  quantity?: number | null
  comment?: string | null
  expectedVersion?: number | null
}

/** What would be ordered, and by whose rights. */
interface Wish {
  proposal: Proposal
  quantity: number
  /** Decimal string; null where the cost is not known. */
  value: string | null
  /** Those that hold at the proposal's location. */
  rights: Authority[]
}

/** The checks stand in the contract's order; the first that fails is the answer. */
export async function approve({ ID, quantity, comment, expectedVersion }: Approval) {
  const rights = await authorities()
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
  const there = rights.filter((right) => reaches(right, proposal))
  const wish = { proposal, quantity: ordered, value, rights: there }
  if (proposal.status === 'awaiting_second_approval') return approveSecond(wish, comment)
  if (needsSecondApprover(value)) return approveFirst(wish, comment)
  return approveAlone(wish, comment)
}

function approveAlone(wish: Wish, comment?: string | null) {
  assertWithinKey(wish)
  return decide(wish, coveringRight(wish), comment)
}

/** The second approver's limit must reach; the first one's need not. */
function approveFirst(wish: Wish, comment?: string | null) {
  assertWithinKey(wish)
  const { proposal, quantity, value, rights } = wish
  const right = rights.find(({ limit }) => isWithin(limit, value)) ?? rights[0]
  if (!right) throw elsewhere(proposal)
  const { onBehalfOf } = right
  const set = { quantity, value, touched: true, firstApprover: actor().id }
  const event = 'awaiting_second_approval'
  const change = { to: event, event, comment, onBehalfOf } as const
  return transition(proposal, { ...change, set: { ...set, firstApproverFor: onBehalfOf } })
}

/** Two people, and the right of neither used twice. */
function approveSecond(wish: Wish, comment?: string | null) {
  const { proposal, quantity } = wish
  const first = [proposal.firstApprover, proposal.firstApproverFor]
  const isOther = ({ onBehalfOf }: Authority) =>
    !first.includes(actor().id) && (onBehalfOf === null || !first.includes(onBehalfOf))
  const rights = wish.rights.filter(isOther)
  if (wish.rights.length && !rights.length) {
    throw new Refusal('four_eyes_required', 'The second approval must be another person’s.')
  }
  if (quantity > proposal.quantity) {
    const why = `The first approval is of ${proposal.quantity}: no more can be approved on top of it.`
    throw new Refusal('four_eyes_required', why, { target: 'quantity' })
  }
  assertWithinKey(wish)
  return decide(wish, coveringRight({ ...wish, rights }), comment)
}

function decide({ proposal, quantity, value }: Wish, right: Authority, comment?: string | null) {
  const decision = { decidedBy: actor().id, decidedAt: new Date().toISOString() }
  const set = { quantity, value, touched: true, ...decision }
  const { onBehalfOf } = right
  return transition(proposal, { to: 'approved', event: 'approved', set, comment, onBehalfOf })
}

/** The first right that reaches so far: the own one before those of others. */
function coveringRight({ proposal, value, rights }: Wish): Authority {
  const right = rights.find(({ limit }) => isWithin(limit, value))
  if (right) return right
  if (!rights.length) throw elsewhere(proposal)
  throw overLimit(proposal, value, Math.max(...rights.map(({ limit }) => limit ?? 0)))
}

function assertWithinKey({ proposal, value }: Wish) {
  const limit = keyLimit()
  if (!isWithin(limit, value)) throw overLimit(proposal, value, limit!)
}

const overLimit = ({ currency }: Proposal, value: string | null, limit: number) =>
  new Refusal(
    'approval_limit_exceeded',
    value === null
      ? 'The value of this order is not known, so it cannot be held against your limit.'
      : `The order is worth ${value} ${currency ?? ''}; your limit is ${limit.toFixed(2)}.`,
  )
