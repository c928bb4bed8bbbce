import { type Urgency, urgencyRank } from '../../../engine/proposal/index.ts'
import { allowsStep } from '../../store/proposal-flow.ts'
import { transition } from './transition.ts'
import type { Proposal, ProposalColumns } from '../to-proposal.ts'

/** Whether a snoozed proposal is more urgent than when it was snoozed, and must return to the buyer. */
export const hasBecomeMoreUrgent = ({ status, urgency }: Proposal, now: Urgency) =>
  allowsStep(status, 'wake') && urgencyRank(now) < urgencyRank(urgency)

/** Ends the snooze of a proposal. @param columns the current numbers, which the buyer decides about */
export function wakeEarly(proposal: Proposal, now: Urgency, columns: ProposalColumns) {
  const plain = (urgency: Urgency) => urgency.replaceAll('_', ' ')
  return transition(proposal, {
    step: 'wake',
    set: { ...columns, touched: false, snoozedUntil: null },
    comment: `The risk has grown: ${plain(now)}, ${plain(proposal.urgency)} when it was snoozed.`,
  })
}
