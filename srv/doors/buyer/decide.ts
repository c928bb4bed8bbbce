// The four decisions of the app, as the present user.
import cds, { type Request } from '@sap/cds'
import { ownTurn } from '../../base/cap/batches.ts'
import { toDatabaseRefusal } from '../../base/database/database-faults.ts'
import { toNumber } from '../../base/database/rows.ts'
import { isRefusal } from '../../base/errors.ts'
import { sentenceOf } from '../../base/texts/sentences.ts'
import { message, writtenMoney } from '../../base/texts/texts.ts'
import { readLocalDays } from '../../base/time/days.ts'
import { startOfDay } from '../../base/time/time-zone.ts'
import { withReadCache } from '../../domain/authority/index.ts'
import {
  approve,
  cancel,
  decline,
  faultIn,
  lookBefore,
  type Proposal,
  recalculateProposal,
  snooze,
  statusAfter,
  withReadAhead,
} from '../../domain/proposals/index.ts'
import {
  findVisibleProposal,
  notFound,
  ofProposal,
  proposalIdOf,
  rejectParameter,
  toODataRefusal,
} from './visible-proposal.ts'

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
interface Decision {
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
function assertValidInput(req: Request, { event, data }: Decision, entered: DecisionInput) {
  const given = data(entered)
  const fault = 'reason' in given && !given.reason ? REASON_MISSING : faultIn(event, given)
  if (!fault) return
  const target = fault.target === 'seenVersion' ? 'version' : fault.target
  rejectParameter(req, target, message(fault.message))
}

const REASON_MISSING = { target: 'reason', message: 'reason_invalid' }

/** The proposal is read for the text of a refusal only if there is one. */
async function applyDecision(
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

// One decision about many proposals: each in its own transaction, so that a refused one does not undo the others.

const MAX_PROPOSALS = 1000
const SELECTED_PROPOSAL = /^([1-9]\d{0,8})(?:@([1-9]\d{0,8}))?(?::(.*))?$/s
const POSITIVE_INTEGER = /^0*[1-9]\d{0,14}$/

/** A decision about a list of proposals. */
export interface MassDecisionInput extends DecisionInput {
  /** Numbers, each with the version shown and a quantity, both optional: `12@7,13@1:48`. */
  proposals?: string | null
}

interface SelectedProposal {
  ID: number
  version: number | null
  /** As entered, not yet checked. */
  quantity?: string
}

interface DecisionFault {
  code?: string
  status?: number
  message: string
  /** The proposal, as a path of the service: `/Proposals(12)`. */
  target?: string
}

/** Adds a warning for each refused proposal. @returns how many were decided */
export async function decideMany(
  service: cds.ApplicationService,
  req: Request<MassDecisionInput>,
  decision: Decision,
) {
  const selection = parseSelection(req, String(req.data.proposals ?? ''))
  assertValidInput(req, decision, req.data)
  const decided: Proposal[] = []
  const IDs = selection.map(({ ID }) => ID)
  await withReadAhead(IDs, () =>
    withReadCache(async () => {
      for (const selected of selection) {
        await ownTurn()
        const answer = await decideOne(service, req, decision, selected)
        if ('version' in answer) decided.push(answer)
        else req.warn(answer)
      }
    }),
  )
  tellDecided(req, decision, decided, selection.length)
  return decided.length
}

/** What is to be known before a decision about many. */
export async function readLookBefore(req: Request<MassDecisionInput>) {
  const chosen = parseSelection(req, String(req.data.proposals ?? '')).map(toChosen)
  const { refusal, ...counts } = await lookBefore(chosen)
  return { ...counts, refusal: refusal && sentenceOf(refusal) }
}

/** An invalid quantity counts as the proposed one here, and is refused at the approval. */
export const toChosen = ({ ID, quantity }: { ID: number; quantity?: string }) => {
  const units = Number(quantity)
  return { ID, quantity: Number.isSafeInteger(units) && units > 0 ? units : null }
}

/** If a number is repeated, the last one counts. */
export function parseSelection(req: Request<object>, text: string): SelectedProposal[] {
  const parts = text.split(',')
  const selection = new Map<number, SelectedProposal>()
  for (const part of parts) {
    const [, ID, version, quantity] = SELECTED_PROPOSAL.exec(part) ?? []
    if (ID) selection.set(Number(ID), { ID: Number(ID), version: toNumber(version), quantity })
  }
  if (selection.size === parts.length && selection.size <= MAX_PROPOSALS) {
    return [...selection.values()]
  }
  return rejectParameter(req, 'proposals', message('proposals_invalid', { most: MAX_PROPOSALS }))
}

/** @returns the decided proposal, or the refusal or error */
async function decideOne(
  service: cds.ApplicationService,
  req: Request<MassDecisionInput>,
  decision: Decision,
  { ID, version, quantity }: SelectedProposal,
): Promise<Proposal | DecisionFault> {
  const { user, locale } = cds.context!
  const target = `/Proposals(${ID})`
  const given = { ...req.data, version, quantity: quantity && Number(quantity) }
  try {
    return await cds.tx<Promise<Proposal>>({ user, locale }, async () => {
      if (quantity === undefined || POSITIVE_INTEGER.test(quantity))
        return applyDecision(service, ID, decision, given)
      const proposal = await findVisibleProposal(service, ID)
      if (!proposal) throw notFound()
      const text = ofProposal(proposal, message('quantity_invalid'))
      throw Object.assign(new Error(text), { code: 'invalid_parameter', status: 400 })
    })
  } catch (error) {
    const { code, status, message: text } = error as DecisionFault
    if (status && status < 500) return { code, message: text, target }
    cds.log('buyer').error(`prop_${ID} could not be decided:`, error)
    const told = toDatabaseRefusal(error)
    const [kind, sentence] = isRefusal(told)
      ? [told.code, told.code]
      : ['internal_error', 'not_decided']
    return { code: kind, message: message(sentence), target }
  }
}
