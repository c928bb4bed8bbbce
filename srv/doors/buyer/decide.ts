// The four decisions of the app: each is one call of ProposalsService as the present user.
import cds, { type Request } from '@sap/cds'
import { runDetached, send } from '../../base/cap/context.ts'
import { Proposals, readAs } from '../../base/database/entities.ts'
import { isRefusal } from '../../base/errors.ts'
import { message, writtenAmount } from '../../base/texts/texts.ts'
import { readLocalDays } from '../../base/time/days.ts'
import { startOfDay } from '../../base/time/time-zone.ts'
import {
  decideProposal,
  faultIn,
  statusAfter,
  type Step,
} from '../../domain/proposals/stored/flow.ts'
import { toODataError } from './refusals.ts'
import { readVisibleProposal, type VisibleProposal } from './visible-proposal.ts'

/** Values as the dialogs send them, not yet checked. */
export interface DecisionInput {
  quantity?: unknown
  comment?: unknown
  reason?: unknown
  until?: unknown
  /** The one that the list or the page showed. */
  version?: unknown
}

/** The event of ProposalsService, and how its data follow from the input. */
export interface Decision {
  event: Step
  data: (data: DecisionInput, timeZone?: string) => DecisionData
}

interface DecisionData extends Omit<DecisionInput, 'version'> {
  seenVersion: unknown
}

/** A snooze ends when its day begins at the location; what is no day is refused as it is. */
const endOfSnooze = (day: unknown, timeZone: string) =>
  Number.isNaN(Date.parse(`${String(day)}T00:00:00Z`))
    ? `${String(day)}T00:00:00.000Z`
    : startOfDay(timeZone, String(day)).toISOString()

/** Fiori elements sends an empty number as 0 or as an empty text. */
const isEmpty = (quantity: unknown) => quantity == null || Number(quantity) === 0

const quantityOf = (quantity: unknown) => (isEmpty(quantity) ? null : Number(quantity))

/** Fiori elements sends what is empty as an empty text. */
const withReason = ({ reason, comment, version }: DecisionInput) => ({
  ...{ reason, comment: comment || null, seenVersion: version || null },
})

export const DECISIONS: Record<'approve' | 'decline' | 'snooze' | 'cancel', Decision> = {
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

/** Decides the proposal that the request is bound to. @returns its number */
export async function decideProposalOf(
  service: cds.ApplicationService,
  req: Request<DecisionInput>,
  decision: Decision,
) {
  const proposal = await readVisibleProposal(service, req)
  assertValidInput(req, decision, req.data)
  await applyDecision(proposal, decision, req.data)
  return proposal.ID
}

/** Refuses invalid values before a proposal is read, and a rejection without a reason. @throws 400 invalid_parameter */
export function assertValidInput(req: Request, { event, data }: Decision, entered: DecisionInput) {
  const given = data(entered)
  const fault = 'reason' in given && !given.reason ? REASON_MISSING : faultIn(event, given)
  if (!fault) return
  const { target } = fault
  req.reject({
    status: 400,
    code: 'invalid_parameter',
    target: target === 'seenVersion' ? 'version' : target,
    message: message(fault.message),
  } as never)
}

const REASON_MISSING = { target: 'reason', message: 'reason_invalid' }

export async function applyDecision(
  proposal: VisibleProposal,
  decision: Decision,
  given: DecisionInput,
) {
  const { event, data } = decision
  try {
    await decideProposal(event, proposal.ID, data(given, await timeZoneOf(event, proposal)))
  } catch (error) {
    if (isRefusal(error) && error.code === 'proposal_stale') recalculateAfterwards(proposal.ID)
    throw await toODataError(error, proposal, quantityOf(given.quantity))
  }
}

/** Only the end of a snooze is a day. */
async function timeZoneOf(event: Step, { source, location }: VisibleProposal) {
  return event === 'snooze' ? (await readLocalDays(source)).zoneOf(location) : undefined
}

/** Once the refused decision is over, so that the person finds the new numbers and decides by them. */
function recalculateAfterwards(ID: number) {
  const recalculate = () => send('ProposalsService', 'recalculate', { ID })
  // CAP waits for it before it answers.
  // eslint-disable-next-line @typescript-eslint/no-misused-promises
  ;(cds.context as unknown as Request).on('done', () =>
    runDetached(`prop_${ID}`, recalculate).catch((error) =>
      cds.log('buyer').error(`prop_${ID} could not be calculated anew:`, error),
    ),
  )
}

// An action takes what it is given from a JSON body alone: what is said elsewhere would not be heard.

const PARAMETERS = ['quantity', 'comment', 'reason', 'until', 'version', 'proposals']

interface Call {
  headers: Record<string, string | undefined>
  query?: object
}

/** @throws 415 for a body that is not read, 400 for parameters in the address */
export function assertHeard(req: Request) {
  const { headers = {}, query = {} } = (req.http?.req ?? {}) as Partial<Call>
  const hasBody = Number(headers['content-length']) > 0 || 'transfer-encoding' in headers
  const isRead = /json|multipart/i.test(headers['content-type'] ?? '')
  const text = message('parameters_unheard')
  if (hasBody && !isRead) {
    req.reject({ status: 415, code: 'unsupported_media_type', message: text } as never)
  }
  const target = PARAMETERS.find((name) => name in query)
  if (target) req.reject({ status: 400, code: 'invalid_parameter', target, message: text } as never)
}

// What a decision did, in a sentence or two: `3 orders approved, 1,234.00 EUR.`

interface Sum {
  status: string
  currency: string | null
  count: number | string
  total: number | string | null
}

/** @param all that were to be decided, the refused ones included */
export async function tellDecided(
  req: Request,
  { event }: Decision,
  decided: number[],
  all = decided.length,
) {
  const sums = event === 'approve' && decided.length ? await readSums(decided) : []
  const second = statusAfter('requestSecondApproval')
  const waiting = sums.filter(({ status }) => status === second)
  const done = sums.filter(({ status }) => status !== second)
  const count = decided.length - countOf(waiting)
  const texts: string[] = []
  if (count || !waiting.length) {
    const orders = message(keyOf(count, all), { count, all })
    texts.push(message(`decided_${event}`, { orders, sum: sumText(done) }))
  }
  if (waiting.length) {
    const orders = message(keyOf(countOf(waiting), all), { count: countOf(waiting), all })
    texts.push(message('decided_second', { orders, sum: sumText(waiting) }))
  }
  req.notify({ code: 'decided', message: texts.join(' ') } as never)
}

const keyOf = (count: number, all: number) =>
  count < all ? 'orders_part' : count === 1 ? 'orders_one' : 'orders'

const countOf = (sums: Sum[]) => sums.reduce((all, { count }) => all + Number(count), 0)

/** In each currency; empty for none. */
const sumText = (sums: Sum[]) =>
  sums.length
    ? `, ${sums
        .map(({ currency, total }) => `${writtenAmount(Number(total))} ${currency ?? ''}`.trim())
        .join(' + ')}`
    : ''

const readSums = (IDs: number[]) =>
  readAs<Sum>(
    SELECT.from(Proposals)
      .columns('status', 'currency', 'count(*) as count', 'sum(value) as total')
      .where({ ID: { in: IDs } })
      .groupBy('status', 'currency'),
  )
