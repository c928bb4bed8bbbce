import { allowsStep, isOpen } from '../../store/proposal-flow.ts'
import type { Proposal } from '../to-proposal.ts'

/** Whether no person has changed or decided it, so that a run may update or supersede it. */
export const isUntouched = ({ status, touched }: Pick<Proposal, 'status' | 'touched'>) =>
  allowsStep(status, 'supersede') && !touched

/** Whether a person has changed or decided it, so that a run must not update it. */
export const isKept = (proposal: Pick<Proposal, 'status' | 'touched'>) =>
  isOpen(proposal.status) && !isUntouched(proposal)

/** Whether its time has passed, although housekeeping may not have expired it yet. */
export const isExpired = ({ status, expiresAt }: Pick<Proposal, 'status' | 'expiresAt'>) =>
  allowsStep(status, 'expire') && expiresAt <= new Date().toISOString()
