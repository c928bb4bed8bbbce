import { type Urgency, urgencyRank } from '../../../engine/proposal/index.ts'
import { allowsStep } from '../../store/proposal-flow.ts'
import { transition } from './transition.ts'
import type { Proposal, ProposalColumns } from '../to-proposal.ts'

/** Whether a snoozed proposal must not wait any longer: it has become more urgent than when it was put off. */
export const wakesEarly = ({ status, urgency }: Proposal, now: Urgency) =>
  allowsStep(status, 'wake') && urgencyRank(now) < urgencyRank(urgency)

/** @param columns the numbers of now, for the buyer to decide about */
export function wakeEarly(proposal: Proposal, now: Urgency, columns: ProposalColumns) {
  const plain = (urgency: Urgency) => urgency.replaceAll('_', ' ')
  return transition(proposal, {
    step: 'wake',
    set: { ...columns, touched: false, snoozedUntil: null },
    comment: `The risk has grown: ${plain(now)}, ${plain(proposal.urgency)} when it was put off.`,
  })
}
