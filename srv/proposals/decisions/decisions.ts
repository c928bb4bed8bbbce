// Rejecting, snoozing and cancelling: open to whoever may approve, at their locations.
import { assertMayDecide, currentDecider, removeApproval } from '../../authority/index.ts'
import { toDecimal } from '../../store/numbers.ts'
import { allowsStep, statusAfter, type Step } from '../../store/proposal-flow.ts'
import { isExpired } from '../lifecycle/states.ts'
import {
  actor,
  alreadyDecided,
  lockProposal,
  readProposal,
  transition,
} from '../lifecycle/transition.ts'
import type { Proposal } from '../to-proposal.ts'
import { assertAsSeen, type Seen } from './seen.ts'

type Action = 'reject' | 'snooze' | 'cancel'

/** Locks a proposal and asserts that the current user may decide about it. */
async function lockForDecision(
  ID: number,
  action: Action,
): Promise<{ proposal: Proposal; onBehalfOf: string | null }> {
  const decider = await currentDecider()
  const proposal = await lockProposal(await readProposal(ID))
  const { quantity, value } = proposal
  const { inNameOf } = await assertMayDecide({ action, decider, proposal, quantity, value })
  if (isExpired(proposal)) throw alreadyDecided({ ID, status: statusAfter('expire') })
  return { proposal, onBehalfOf: inNameOf }
}

/** What is decided already is told before what has moved. */
function assertAllowed(proposal: Proposal, step: Step, seen: Seen) {
  if (!allowsStep(proposal.status, step)) throw alreadyDecided(proposal)
  assertAsSeen(proposal, seen)
}

/** In hundredths of the currency; the largest value that the column can store. */
const LARGEST_VALUE = 10n ** 19n

/** The exact value as a decimal string; null where the cost is unknown or the value too large to store. */
export function valueOf(unitCost: string | null, quantity: number): string | null {
  if (unitCost === null) return null
  const cost = BigInt(toDecimal(unitCost, 4)!.replace('.', ''))
  const cents = (cost * BigInt(quantity) + 50n) / 100n
  if (cents >= LARGEST_VALUE) return null
  return `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`
}

export interface Rejection extends Seen {
  ID: number
  reason?: string | null
  comment?: string | null
}

/** Rejects a proposal. Rejecting it twice changes nothing. */
export async function rejectProposal({ ID, reason, comment, ...seen }: Rejection) {
  const { onBehalfOf, proposal } = await lockForDecision(ID, 'reject')
  if (proposal.status === statusAfter('decline')) return proposal
  assertAllowed(proposal, 'decline', seen)
  const set = { ...decision(), reason: reason ?? null }
  const change = { step: 'decline', comment: comment ?? reason, onBehalfOf } as const
  return transition(proposal, { ...change, set })
}

export interface Snoozing extends Seen {
  ID: number
  until: string
}

export async function snoozeProposal({ ID, until, ...seen }: Snoozing) {
  const { onBehalfOf, proposal } = await lockForDecision(ID, 'snooze')
  assertAllowed(proposal, 'snooze', seen)
  const set = { snoozedUntil: new Date(until).toISOString(), touched: true }
  const change = { step: 'snooze', comment: until, onBehalfOf } as const
  return transition(proposal, { ...change, set })
}

export interface Cancellation extends Seen {
  ID: number
  reason: string
  comment?: string | null
}

/** Cancels an approved proposal that the ERP has no order for yet. */
export async function cancelProposal({ ID, reason, comment, ...seen }: Cancellation) {
  const { onBehalfOf, proposal } = await lockForDecision(ID, 'cancel')
  assertAllowed(proposal, 'cancel', seen)
  await removeApproval(ID)
  const set = { ...decision(), reason, flag: null }
  const change = { step: 'cancel', comment, onBehalfOf } as const
  return transition(proposal, { ...change, set })
}

const decision = () => ({
  touched: true,
  decidedBy: actor().id,
  decidedAt: new Date().toISOString(),
})
