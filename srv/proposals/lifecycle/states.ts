// The state machine: from which status a proposal may go to which other.
import type { ProposalStatus } from '../to-proposal.ts'

const TRANSITIONS: Record<ProposalStatus, readonly ProposalStatus[]> = {
  pending: ['approved', 'rejected', 'snoozed', 'superseded', 'expired', 'awaiting_second_approval'],
  awaiting_second_approval: ['approved', 'rejected', 'expired'],
  snoozed: ['pending', 'rejected'],
  approved: ['ordered', 'cancelled'],
  rejected: [],
  superseded: [],
  expired: [],
  ordered: [],
  cancelled: [],
}

export const OPEN_STATUSES: readonly ProposalStatus[] = [
  'pending',
  'snoozed',
  'awaiting_second_approval',
]

export const canGo = (from: ProposalStatus, to: ProposalStatus) => TRANSITIONS[from].includes(to)
export const isOpen = (status: ProposalStatus) => OPEN_STATUSES.includes(status)

/** Whether a person's word stands: it is not recomputed. */
export const isKept = ({ status, touched }: { status: ProposalStatus; touched: boolean }) =>
  isOpen(status) && (touched || status !== 'pending')

const EXPIRING: readonly ProposalStatus[] = ['pending', 'awaiting_second_approval']

/** Whether its time is over, though nobody has noted it yet. */
export const isExpired = ({ status, expiresAt }: { status: ProposalStatus; expiresAt: string }) =>
  EXPIRING.includes(status) && expiresAt <= new Date().toISOString()
