// The decisions beside approving (approve.ts): whoever may approve may take them, at their locations.
import { assertMayDecide, currentDecider } from '../../authority/index.ts'
import { toDecimal } from '../../store/numbers.ts'
import { statusAfter } from '../../store/proposal-flow.ts'
import { isExpired } from '../lifecycle/states.ts'
import { actor, alreadyDecided, lockProposal, transition } from '../lifecycle/transition.ts'
import type { Proposal } from '../to-proposal.ts'

type Action = 'reject' | 'snooze' | 'cancel'

/** The proposal, locked, for somebody who may decide about it. */
async function open(ID: number, action: Action): Promise<Proposal & { onBehalfOf: string | null }> {
  const decider = await currentDecider()
  const proposal = await lockProposal(ID)
  const { quantity, value } = proposal
  const { inNameOf } = await assertMayDecide({ action, decider, proposal, quantity, value })
  if (isExpired(proposal)) throw alreadyDecided({ ID, status: statusAfter('expire') })
  return { ...proposal, onBehalfOf: inNameOf }
}

/** In hundredths; the column has no room for more. */
const LARGEST_VALUE = 10n ** 19n

/** Decimal string, exact; null where the cost is not known, or the value is larger than any order's. */
export function valueOf(unitCost: string | null, quantity: number): string | null {
  if (unitCost === null) return null
  const cost = BigInt(toDecimal(unitCost, 4)!.replace('.', ''))
  const cents = (cost * BigInt(quantity) + 50n) / 100n
  if (cents >= LARGEST_VALUE) return null
  return `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`
}

export interface Rejection {
  ID: number
  reason?: string | null
  comment?: string | null
}

/** Rejects; rejecting again changes nothing. */
export async function reject({ ID, reason, comment }: Rejection) {
  const { onBehalfOf, ...proposal } = await open(ID, 'reject')
  if (proposal.status === statusAfter('decline')) return proposal
  const set = { ...decision(), reason: reason ?? null }
  const change = { step: 'decline', comment: comment ?? reason, onBehalfOf } as const
  return transition(proposal, { ...change, set })
}

export async function snooze({ ID, until }: { ID: number; until: string }) {
  const { onBehalfOf, ...proposal } = await open(ID, 'snooze')
  const set = { snoozedUntil: new Date(until).toISOString(), touched: true }
  const change = { step: 'snooze', comment: until, onBehalfOf } as const
  return transition(proposal, { ...change, set })
}

export interface Cancellation {
  ID: number
  reason: string
  comment?: string | null
}

/** Takes an approval back, as long as the ERP has no order of it. */
export async function cancel({ ID, reason, comment }: Cancellation) {
  const { onBehalfOf, ...proposal } = await open(ID, 'cancel')
  const set = { ...decision(), reason, flag: null }
  const change = { step: 'cancel', comment, onBehalfOf } as const
  return transition(proposal, { ...change, set })
}

const decision = () => ({
  touched: true,
  decidedBy: actor().id,
  decidedAt: new Date().toISOString(),
})
