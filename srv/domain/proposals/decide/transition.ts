import { randomUUID } from 'node:crypto'
import cds from '@sap/cds'
import { type Urgency, urgencyRank } from '../../../../engine/proposal/index.ts'
import { updateRows } from '../../../base/cap/prepared.ts'
import {
  EVENT_TYPES,
  type EventType,
  type NewEvent,
  publishEvents,
} from '../../../base/database/events.ts'
import { Proposals, readAs } from '../../../base/database/entities.ts'
import { insertRows } from '../../../base/database/native/bulk.ts'
import { markSeries, markSeriesOf } from '../../../base/database/proposal-marks.ts'
import { Refusal } from '../../../base/errors.ts'
import { settings } from '../../../base/settings/config.ts'
import { DAY_MS } from '../../../base/time/days.ts'
import { noSuchProposal, type Predicate } from '../../authority/index.ts'
import { allowsStep, isOpen, statusAfter, statusesBefore, type Step } from '../stored/flow.ts'
import { evidenceOf, sealedContent } from '../stored/proposal.ts'
import { formerTermsAfter } from '../stored/terms.ts'
import {
  costOf,
  type Proposal,
  type ProposalColumns,
  type ProposalRow,
  toProposal,
} from '../to-proposal.ts'

/** Whether no person has changed or decided it, so that a run may update or supersede it. */
export const isUntouched = ({ status, touched }: Pick<Proposal, 'status' | 'touched'>) =>
  allowsStep(status, 'supersede') && !touched

/** Whether a person has changed or decided it, so that a run must not update it. */
export const isKept = (proposal: Pick<Proposal, 'status' | 'touched'>) =>
  isOpen(proposal.status) && !isUntouched(proposal)

/** Whether the proposal's time has passed, even if housekeeping has not expired it yet. */
export const isExpired = ({ status, expiresAt }: Pick<Proposal, 'status' | 'expiresAt'>) =>
  allowsStep(status, 'expire') && expiresAt <= new Date().toISOString()

/** When a proposal that is made now expires. */
export const expiry = () =>
  new Date(Date.now() + settings().proposalExpiryDays * DAY_MS).toISOString()

// The events about proposals that other systems receive.

/** Steps that have no type of their own are updates; `status` tells them apart. */
function typeOf(event: string): EventType {
  const type = `proposal.${event}`
  return EVENT_TYPES.find((known) => known === type) ?? 'proposal.updated'
}

const publicEvents = (proposals: Changed[], event: string): NewEvent[] =>
  proposals.map(({ ID, sku, location, status, quantity, version }) => ({
    type: typeOf(event),
    data: { id: `prop_${ID}`, sku, location, status, quantity, version },
  }))

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

interface Actor {
  id: string
  via: string
}

/** The user of the current request, and the channel that it came through. */
export function actor(): Actor {
  const user = cds.context?.user
  return { id: user?.id ?? 'system', via: (user?.attr as { via?: string })?.via ?? 'system' }
}

interface Reading {
  /** Locks the row until the transaction ends. */
  isLocked?: boolean
  /** A condition on what the user sees; null for all rows. */
  visible?: Predicate | null
}

/** @throws Refusal proposal_not_found */
export async function readProposal(
  ID: number,
  { isLocked = false, visible = null }: Reading = {},
): Promise<Proposal> {
  const query = SELECT.one.from(Proposals).where({ ID })
  if (visible) void query.where(visible)
  const row = await readAs<ProposalRow>(isLocked ? query.forUpdate() : query)
  if (!row) throw noSuchProposal(ID)
  return toProposal(row)
}

/**
 * Locks the proposal until the transaction ends, so that its checks and its decision see one state.
 * Its pair is locked first, as a run does, so that the two cannot block each other.
 */
export async function lockProposal(ID: number, visible: Predicate | null) {
  await markSeriesOf(ID)
  const proposal = await readProposal(ID, { isLocked: true, visible })
  locked.add(proposal)
  return proposal
}

/** Proposals whose pair this transaction has already locked. */
const locked = new WeakSet<Proposal>()

/** The refusal (409), with the current status, of a step that this status does not allow. */
export const alreadyDecided = ({ ID, status }: Pick<Proposal, 'ID' | 'status'>) =>
  new Refusal(
    'proposal_already_decided',
    `prop_${ID} is ${status}: this is not possible any more.`,
    {
      members: { current_status: status },
    },
  )

interface Change {
  step: Step
  set?: ProposalColumns
  comment?: string | null
  /** The absent person, if a deputy decides. */
  onBehalfOf?: string | null
}

/** Steps that are not decisions of a person, so that no evidence is stored. */
const WITHOUT_EVIDENCE: Step[] = ['supersede', 'expire', 'wake']

/** An event has the name of the status that it leads to, except waking, which leads back to pending. */
const eventOf = (step: Step) => (step === 'wake' ? 'woken' : statusAfter(step))

/**
 * Changes the status of one proposal: one conditional update, its event and its evidence in the
 * caller's transaction. Of several concurrent changes exactly one succeeds, the others get 409.
 */
export async function transition(proposal: Proposal, change: Change) {
  const { step, set = {}, comment = null, onBehalfOf = null } = change
  if (!allowsStep(proposal.status, step)) throw alreadyDecided(proposal)
  const { ID, status, version } = proposal
  const at = new Date().toISOString()
  const to = statusAfter(step)
  const changes = {
    status: to,
    version: version + 1,
    updatedAt: at,
    openKey: isOpen(to) ? proposal.openKey : null,
    formerTerms: formerTermsAfter(proposal, set),
    // Somebody has decided, or there is nothing to decide any more.
    recommendation: null,
    ...set,
  }
  if (!locked.has(proposal)) await markSeries(proposal.series)
  const changed = await updateRows('restock.Proposals', changes, { ID, status, version })
  if (changed !== 1) throw alreadyDecided(await readProposal(ID))
  const after = hasOtherNumbers(set) ? await readProposal(ID) : changedBy(proposal, changes)
  const entry: EventEntry = { ID: randomUUID(), at, event: eventOf(step), comment, onBehalfOf }
  if (!WITHOUT_EVIDENCE.includes(step)) entry.evidence = await storeEvidence(proposal, after, entry)
  await insertEvents([after], entry)
  return after
}

/** Whether the change replaces the calculation; otherwise the changed row need not be read. */
const hasOtherNumbers = (set: ProposalColumns) => set.calculation_p50 !== undefined
const changedBy = (proposal: Proposal, changes: ProposalColumns) =>
  ({ ...proposal, ...changes, unitCost: costOf(changes.unitCost ?? proposal.unitCost) }) as Proposal

/** Supersedes many proposals, except those that somebody has changed since they were read. */
export async function supersedeProposals(proposals: Proposal[], comment: string | null = null) {
  const isAsRead = await lockAsRead(proposals)
  const asRead = proposals.filter(isAsRead)
  if (!asRead.length) return
  const status = statusAfter('supersede')
  const updatedAt = new Date().toISOString()
  await UPDATE.entity('restock.Proposals')
    .set({ status, updatedAt, openKey: null, recommendation: null, version: { '+=': 1 } })
    .where({ ID: { in: asRead.map(({ ID }) => ID) } })
  const superseded = asRead.map((proposal) => {
    return { ...proposal, status, version: proposal.version + 1 }
  })
  await recordEvents(superseded, status, comment)
}

/** Locks the proposals that may be superseded. @returns whether one is still at the version that was read */
export async function lockAsRead(proposals: Proposal[]): Promise<(proposal: Proposal) => boolean> {
  if (!proposals.length) return () => false
  const rows = (await SELECT.from('restock.Proposals')
    .columns('ID', 'version')
    .where({
      ID: { in: proposals.map(({ ID }) => ID) },
      status: { in: statusesBefore('supersede') },
    })
    .orderBy('ID')
    .forUpdate()) as Pick<Proposal, 'ID' | 'version'>[]
  const versions = new Map(rows.map(({ ID, version }) => [ID, version]))
  return ({ ID, version }) => versions.get(ID) === version
}

interface EventEntry {
  ID?: string
  at: string
  event: string
  comment: string | null
  onBehalfOf: string | null
  evidence?: string
}

/** @returns the digest of the stored evidence */
async function storeEvidence(before: Proposal, after: Proposal, entry: EventEntry) {
  const { ID: event, ...decision } = entry
  const { id: by, via } = actor()
  const content = evidenceOf({ before, after, ...decision, by, via })
  const { text, digest } = sealedContent(content)
  const row = { event, proposal: after.ID, version: after.version, content: text }
  await insertRows('restock.Evidence', [row])
  return digest
}

type Changed = Pick<Proposal, 'ID' | 'version' | 'quantity' | 'sku' | 'location' | 'status'>

/** Appends events, in the transaction of the change. */
export async function recordEvents(
  proposals: Changed[],
  event: string,
  comment: string | null = null,
) {
  if (!proposals.length) return
  const at = new Date().toISOString()
  await insertEvents(proposals, { at, event, comment, onBehalfOf: null })
}

async function insertEvents(proposals: Changed[], entry: EventEntry) {
  const { id, via } = actor()
  await insertRows(
    'restock.ProposalEvents',
    proposals.map(({ ID, version, quantity }) => ({
      ID: randomUUID(),
      proposal: ID,
      version,
      actor: id,
      via,
      quantity,
      ...entry,
    })),
  )
  await publishEvents(publicEvents(proposals, entry.event))
}
