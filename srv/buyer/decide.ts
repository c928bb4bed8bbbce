// The four decisions: each is one call of the state machine, as the user and through this door.
import type cds from '@sap/cds'
import type { Request } from '@sap/cds'
import { REASON_CODES } from '../reason-codes.ts'
import { decideProposal, type Step } from '../store/proposal-flow.ts'
import { toODataError } from './refusals.ts'
import { message } from '../texts.ts'
import { type Visible, visibleProposal } from './visible.ts'

type Data = Record<string, unknown>
type Check = (data: Data) => { target: string; message: string } | null

/** The event of ProposalsService, its data and what is wrong with what was entered. */
export interface Decision {
  event: Step
  check: Check
  data?: (data: Data) => Data
}

const isReason: Check = ({ reason }) =>
  REASON_CODES.includes(reason as never)
    ? null
    : { target: 'reason', message: message('reason_invalid') }

const isQuantity: Check = ({ quantity }) =>
  isEmpty(quantity) || (Number.isSafeInteger(Number(quantity)) && Number(quantity) > 0)
    ? null
    : { target: 'quantity', message: message('quantity_invalid') }

const isAhead: Check = ({ until }) =>
  until && startOf(until) > new Date().toISOString()
    ? null
    : { target: 'until', message: message('until_invalid') }

/** A day put off to begins when it begins in UTC. */
const startOf = (day: unknown) => `${String(day)}T00:00:00.000Z`

/** Fiori elements sends a number that was left empty as 0 or as an empty text. */
const isEmpty = (quantity: unknown) => quantity == null || Number(quantity) === 0

const numberOf = (quantity: unknown) => (isEmpty(quantity) ? null : Number(quantity))

/** A comment that was left empty comes as an empty text. */
const withReason = ({ reason, comment }: Data) => ({ reason, comment: comment || null })

export const DECISIONS: Record<'approve' | 'decline' | 'snooze' | 'cancel', Decision> = {
  approve: {
    event: 'approve',
    check: isQuantity,
    data: ({ quantity, comment }) => ({ quantity: numberOf(quantity), comment: comment || null }),
  },
  decline: { event: 'decline', check: isReason, data: withReason },
  snooze: { event: 'snooze', check: isAhead, data: ({ until }) => ({ until: startOf(until) }) },
  cancel: { event: 'cancel', check: isReason, data: withReason },
}

/** Decides about the proposal that the request is bound to. @returns its number */
export async function decide(service: cds.ApplicationService, req: Request, decision: Decision) {
  const proposal = await visibleProposal(service, req)
  assertSound(req, decision, req.data)
  await decideAbout(proposal, decision, req.data)
  return proposal.ID
}

/** Refuses what was entered wrongly, whatever it is about. */
export function assertSound(req: Request, { check }: Decision, data: Data) {
  const fault = check(data)
  if (fault) req.reject({ status: 400, code: 'invalid_parameter', ...fault } as never)
}

export async function decideAbout(proposal: Visible, decision: Decision, given: Data) {
  const { event, data = (entered) => entered } = decision
  try {
    await decideProposal(event, proposal.ID, data(given))
  } catch (error) {
    throw await toODataError(error, proposal, numberOf(given.quantity))
  }
}
