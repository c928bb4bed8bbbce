import { allowsStep, isOpen } from '../../store/proposal-flow.ts'
import type { Proposal } from '../to-proposal.ts'

/** Nobody has seen to it: a run may change or withdraw it. */
export const isUntouched = ({ status, touched }: Pick<Proposal, 'status' | 'touched'>) =>
  allowsStep(status, 'supersede') && !touched

/** Whether a person's word stands: it is not recomputed. */
export const isKept = (proposal: Pick<Proposal, 'status' | 'touched'>) =>
  isOpen(proposal.status) && !isUntouched(proposal)

/** Whether its time is over, though nobody has noted it yet. */
export const isExpired = ({ status, expiresAt }: Pick<Proposal, 'status' | 'expiresAt'>) =>
  allowsStep(status, 'expire') && expiresAt <= new Date().toISOString()
