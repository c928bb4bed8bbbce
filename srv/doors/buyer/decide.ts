// The four decisions of the app, as the present user.
import cds, { type Request } from '@sap/cds'
import { isRefusal } from '../../base/errors.ts'
import { message, writtenMoney } from '../../base/texts/texts.ts'
import { readLocalDays } from '../../base/time/days.ts'
import { startOfDay } from '../../base/time/time-zone.ts'
import {
  approve,
  cancel,
  decline,
  faultIn,
  type Proposal,
  recalculateProposal,
  snooze,
  statusAfter,
} from '../../domain/proposals/index.ts'
import { rejectParameter, toODataRefusal } from './refusals.ts'
import { findVisibleProposal, notFound, proposalIdOf } from './visible-proposal.ts'

/** Values as the dialogs send them, not yet checked. */
export interface DecisionInput {
  quantity?: unknown
  comment?: unknown
  reason?: unknown
  until?: unknown
  /** The version that the list or the page showed. */
  version?: unknown
}

const STEPS = { approve, decline, snooze, cancel }
type Step = keyof typeof STEPS

/** A decision, and how its parameters follow from the input. */
export interface Decision {
  event: Step
  data: (data: DecisionInput, timeZone?: string) => DecisionData
}

interface DecisionData extends Omit<DecisionInput, 'version'> {
  seenVersion: unknown
}

/** A snooze ends when its day begins at the location. An invalid day is passed on, to be refused. */
const endOfSnooze = (day: unknown, timeZone: string) =>
  Number.isNaN(Date.parse(`${String(day)}T00:00:00Z`))
    ? `${String(day)}T00:00:00.000Z`
    : startOfDay(timeZone, String(day)).toISOString()

/** Fiori elements sends an empty number as 0 or as an empty text. */
const isEmpty = (quantity: unknown) => quantity == null || Number(quantity) === 0

const quantityOf = (quantity: unknown) => (isEmpty(quantity) ? null : Number(quantity))

/** Fiori elements sends an empty value as an empty text. */
const withReason = ({ reason, comment, version }: DecisionInput) => ({
  ...{ reason, comment: comment || null, seenVersion: version || null },
})

export const DECISIONS: Record<Step, Decision> = {
  approve: {
    event: 'approve',
    data: ({ quantity, comment, version }) => ({
      ...{ quantity: quantityOf(quantity), comment: comment || null, seenVersion: version || null },
    }),
  },
  decline: { event: 'decline', data: withReason },
  snooze: {
    event: 'snooze',
    data: ({ until, version }, timeZone = 'UTC') => ({
      ...{ until: endOfSnooze(until, timeZone), seenVersion: version || null },
    }),
  },
  cancel: { event: 'cancel', data: withReason },
}

/** Decides the proposal that the request is bound to. */
export async function decideProposalOf(
  service: cds.ApplicationService,
  req: Request<DecisionInput>,
  decision: Decision,
) {
  assertValidInput(req, decision, req.data)
  return applyDecision(service, proposalIdOf(req)!, decision, req.data)
}

/** Refuses invalid values before a proposal is read, and a rejection without a reason. @throws 400 invalid_parameter */
export function assertValidInput(req: Request, { event, data }: Decision, entered: DecisionInput) {
  const given = data(entered)
  const fault = 'reason' in given && !given.reason ? REASON_MISSING : faultIn(event, given)
  if (!fault) return
  const target = fault.target === 'seenVersion' ? 'version' : fault.target
  rejectParameter(req, target, message(fault.message))
}

const REASON_MISSING = { target: 'reason', message: 'reason_invalid' }

/** The proposal is read for the text of a refusal only if there is one. */
export async function applyDecision(
  service: cds.ApplicationService,
  ID: number,
  { event, data }: Decision,
  given: DecisionInput,
): Promise<Proposal> {
  try {
    const timeZone = event === 'snooze' ? await timeZoneOf(service, ID) : undefined
    // The entered values may have any type; the domain refuses invalid ones.
    return await STEPS[event]({ ID, ...data(given, timeZone) } as never)
  } catch (error) {
    if (!isRefusal(error)) throw error
    if (error.code === 'proposal_stale') recalculateAfterwards(ID)
    const proposal = await findVisibleProposal(service, ID)
    throw proposal ? await toODataRefusal(error, proposal, quantityOf(given.quantity)) : notFound()
  }
}

/** The time zone of the location, in which the snooze ends. */
async function timeZoneOf(service: cds.ApplicationService, ID: number) {
  const proposal = await findVisibleProposal(service, ID)
  if (!proposal) throw notFound()
  return (await readLocalDays(proposal.source)).zoneOf(proposal.location)
}

/** Recalculates after the refused decision has ended, so that the person finds the new numbers. */
function recalculateAfterwards(ID: number) {
  // CAP waits for it before it answers.
  // eslint-disable-next-line @typescript-eslint/no-misused-promises
  ;(cds.context as Request).on('done', () =>
    recalculateProposal(ID).catch((error) =>
      cds.log('buyer').error(`prop_${ID} could not be calculated anew:`, error),
    ),
  )
}

// An action takes its parameters only from a JSON body: others would be ignored, so they are refused.

const PARAMETERS = ['quantity', 'comment', 'reason', 'until', 'version', 'proposals']

interface Call {
  headers: Record<string, string | undefined>
  query?: object
}

/** @throws 415 for another type of body, 400 for parameters in the address */
export function assertHeard(req: Request) {
  const { headers = {}, query = {} } = (req.http?.req ?? {}) as Partial<Call>
  const hasBody = Number(headers['content-length']) > 0 || 'transfer-encoding' in headers
  const isRead = /json|multipart/i.test(headers['content-type'] ?? '')
  const text = message('parameters_unheard')
  if (hasBody && !isRead) req.reject({ status: 415, code: 'unsupported_media_type', message: text })
  const target = PARAMETERS.find((name) => name in query)
  if (target) rejectParameter(req, target, text)
}

// Tells the result of a decision: `3 orders approved, 1,234.00 EUR.`

/** @param all the number of chosen proposals, including refused ones */
export function tellDecided(
  req: Request,
  { event }: Decision,
  decided: Proposal[],
  all = decided.length,
) {
  const second = event === 'approve' && statusAfter('requestSecondApproval')
  const waiting = decided.filter(({ status }) => status === second)
  const done = decided.filter((proposal) => !waiting.includes(proposal))
  const count = done.length
  const texts: string[] = []
  if (count || !waiting.length) {
    const orders = message(keyOf(count, all), { count, all })
    texts.push(message(`decided_${event}`, { orders, sum: sumText(done) }))
  }
  if (waiting.length) {
    const orders = message(keyOf(waiting.length, all), { count: waiting.length, all })
    texts.push(message('decided_second', { orders, sum: sumText(waiting) }))
  }
  req.notify({ code: 'decided', message: texts.join(' ') })
}

const keyOf = (count: number, all: number) =>
  count < all ? 'orders_part' : count === 1 ? 'orders_one' : 'orders'

/** The value of orders in each currency; empty for none. */
function sumText(orders: Proposal[]): string {
  const byCurrency = Map.groupBy(orders, ({ currency }) => currency ?? '')
  const sums = [...byCurrency].map(([currency, those]) => {
    const total = those.reduce((sum, { value }) => sum + Number(value), 0)
    return `${writtenMoney(total)} ${currency}`.trim()
  })
  return sums.length ? `, ${sums.join(' + ')}` : ''
}
