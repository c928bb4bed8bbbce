// The four decisions: each is one call of the state machine, as the user and through this door.
import type cds from '@sap/cds'
import type { Request } from '@sap/cds'
import { faultIn } from '../store/decision-faults.ts'
import { decideProposal, type Step } from '../store/proposal-flow.ts'
import { toODataError } from './refusals.ts'
import { message } from '../texts.ts'
import { type Visible, visibleProposal } from './visible.ts'

/** What the dialogs send: values as somebody typed them. */
export interface Entered {
  quantity?: unknown
  comment?: unknown
  reason?: unknown
  until?: unknown
}

/** The event of ProposalsService and its data. */
export interface Decision {
  event: Step
  data?: (data: Entered) => Entered
}

/** A day put off to begins when it begins in UTC. */
const startOf = (day: unknown) => `${String(day)}T00:00:00.000Z`

/** Fiori elements sends a number that was left empty as 0 or as an empty text. */
const isEmpty = (quantity: unknown) => quantity == null || Number(quantity) === 0

const numberOf = (quantity: unknown) => (isEmpty(quantity) ? null : Number(quantity))

/** A comment that was left empty comes as an empty text. */
const withReason = ({ reason, comment }: Entered) => ({ reason, comment: comment || null })

export const DECISIONS: Record<'approve' | 'decline' | 'snooze' | 'cancel', Decision> = {
  approve: {
    event: 'approve',
    data: ({ quantity, comment }) => ({ quantity: numberOf(quantity), comment: comment || null }),
  },
  decline: { event: 'decline', data: withReason },
  snooze: { event: 'snooze', data: ({ until }) => ({ until: startOf(until) }) },
  cancel: { event: 'cancel', data: withReason },
}

/** Decides about the proposal that the request is bound to. @returns its number */
export async function decide(
  service: cds.ApplicationService,
  req: Request<Entered>,
  decision: Decision,
) {
  const proposal = await visibleProposal(service, req)
  assertSound(req, decision, req.data)
  await decideAbout(proposal, decision, req.data)
  return proposal.ID
}

/** Refuses what was entered wrongly, whatever it is about: what the service would refuse, and a missing reason. */
export function assertSound(req: Request, { event, data = asEntered }: Decision, entered: Entered) {
  const given = data(entered)
  const fault = 'reason' in given && !given.reason ? NO_REASON : faultIn(event, given)
  if (!fault) return
  const { target } = fault
  req.reject({
    status: 400,
    code: 'invalid_parameter',
    target,
    message: message(fault.message),
  } as never)
}

const NO_REASON = { target: 'reason', message: 'reason_invalid' }
const asEntered = (entered: Entered) => entered

export async function decideAbout(proposal: Visible, decision: Decision, given: Entered) {
  const { event, data = asEntered } = decision
  try {
    await decideProposal(event, proposal.ID, data(given))
  } catch (error) {
    throw await toODataError(error, proposal, numberOf(given.quantity))
  }
}
