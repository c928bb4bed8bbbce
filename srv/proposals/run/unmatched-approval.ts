import { dayOf } from '../../store/today.ts'
import type { KnownProposal } from './pair-proposals.ts'
import type { PairMessage } from './exceptions.ts'

/** An approved proposal that counts no longer, since no order of the ERP was found: a person decides what it is. */
export function unmatchedApproval({ ID, quantity: units, decidedAt }: KnownProposal): PairMessage {
  const quantity = Number(units)
  const document = `prop_${ID}`
  const day = decidedAt ? dayOf(decidedAt) : null
  return {
    kind: 'unmatched_approval',
    document,
    quantity,
    from: null,
    to: null,
    message: `${document} for ${quantity} was approved on ${day}, and the ERP has no order of it: it counts as supply no longer. Cancel it, or name it in the order.`,
  }
}
