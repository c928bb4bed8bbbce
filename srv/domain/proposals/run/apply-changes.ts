import { takeNumbers } from '../../../base/database/counters.ts'
import { insertRows, upsertRows } from '../../../base/database/native/bulk.ts'
import { oneOf } from '../../../base/database/rows.ts'
import { dayOf } from '../../../base/time/days.ts'
import {
  expiry,
  lockAsRead,
  recordEvents,
  supersedeProposals,
  transition,
  wakeEarly,
} from '../decide/transition.ts'
import { allowsStep, initialStatus, statusesBefore } from '../stored/flow.ts'
import { formerTermsAfter, numbersBeforeChange } from '../stored/terms.ts'
import type { Proposal, ProposalColumns } from '../to-proposal.ts'
import type { PairMessage } from './exceptions.ts'
import { type KnownProposal, REFUSED } from './pair-proposals.ts'
import type { ProposalChange } from './reconcile.ts'

const PROPOSALS = 'restock.Proposals'
type Of<What extends ProposalChange['do']> = Extract<ProposalChange, { do: What }>

/** Applies the changes that a calculation asks for; a proposal that somebody decides at the same moment is skipped. */
export async function applyChanges(changes: ProposalChange[]) {
  const all = <What extends ProposalChange['do']>(what: What) =>
    changes.filter((change): change is Of<What> => change.do === what)
  await createProposals(all('create').map(({ columns }) => columns))
  await confirmProposals(all('confirm').map(({ proposal }) => proposal.ID))
  await updateProposals(all('update'))
  await annotateProposals(all('annotate'))
  for (const { proposal, urgency, columns } of all('wake')) {
    const numbersBefore = numbersBeforeChange(proposal, new Date().toISOString())
    const set = { ...columns, numbersBefore, expiresAt: expiry() }
    await wakeEarly(proposal, urgency, set).catch(ifDecided)
  }
  await supersedeProposals(all('supersede').map(({ proposal }) => proposal))
  await endProposals(all('end'))
  for (const { proposal } of all('lapse')) await lapseRejections(proposal)
}

async function createProposals(drafts: ProposalColumns[]) {
  if (!drafts.length) return
  const first = await takeNumbers('proposal', drafts.length)
  const createdAt = new Date().toISOString()
  const stamps = { createdAt, updatedAt: createdAt, expiresAt: expiry(), version: 1 }
  const entries = drafts.map((columns, index) => ({
    ID: first + index,
    status: initialStatus(),
    touched: false,
    ...stamps,
    ...columns,
  }))
  await insertRows(PROPOSALS, entries)
  await recordEvents(entries as Proposal[], 'created')
}

async function confirmProposals(ids: number[]) {
  if (!ids.length) return
  await UPDATE.entity(PROPOSALS)
    .set({ expiresAt: expiry() })
    .where({ ID: oneOf(ids), status: { in: statusesBefore('supersede') } })
}

async function updateProposals(changes: Of<'update'>[]) {
  const isAsRead = await lockAsRead(changes.map(({ proposal }) => proposal))
  const asRead = changes.filter(({ proposal }) => isAsRead(proposal))
  if (!asRead.length) return
  const stamps = { updatedAt: new Date().toISOString(), expiresAt: expiry() }
  const changesTo = ({ proposal, columns }: Of<'update'>) => {
    const { ID, version } = proposal
    const formerTerms = formerTermsAfter(proposal, columns)
    const numbersBefore = numbersBeforeChange(proposal, stamps.updatedAt)
    return { ID, ...columns, formerTerms, numbersBefore, version: version + 1, ...stamps }
  }
  await upsertRows(PROPOSALS, ['ID'], asRead.map(changesTo))
  const updated = asRead.map((change) => ({ ...change.proposal, ...changesTo(change) }) as Proposal)
  await recordEvents(updated, 'updated')
}

/** Stores the newer calculation; the version stays, because what the person has decided is unchanged. */
async function annotateProposals(changes: Of<'annotate'>[]) {
  for (const { proposal, newer } of changes) {
    const { ID, version } = proposal
    const at = new Date().toISOString()
    await UPDATE.entity(PROPOSALS)
      .set({ newer: newer && JSON.stringify({ ...newer, at }), updatedAt: at })
      .where({ ID, version })
  }
}

async function lapseRejections({ ID, series }: Proposal) {
  await UPDATE.entity(PROPOSALS)
    .set({ lapsed: true })
    .where({ series, status: { in: REFUSED }, lapsed: null, ID: { '<=': ID } })
}

/** Ends proposals in any status: a snoozed one is woken first, one that awaits a second approval expires. */
async function endProposals(changes: Of<'end'>[]) {
  const isPending = ({ proposal }: Of<'end'>) => allowsStep(proposal.status, 'supersede')
  for (const [comment, those] of Map.groupBy(changes.filter(isPending), (one) => one.comment)) {
    await supersedeProposals(
      those.map(({ proposal }) => proposal),
      comment,
    )
  }
  for (const { proposal, comment } of changes.filter((change) => !isPending(change))) {
    await endTouched(proposal, comment).catch(ifDecided)
  }
}

async function endTouched(proposal: Proposal, comment: string) {
  if (!allowsStep(proposal.status, 'wake')) return transition(proposal, { step: 'expire', comment })
  const pending = await transition(proposal, { step: 'wake', set: { snoozedUntil: null } })
  return transition(pending, { step: 'supersede', comment })
}

function ifDecided(error: unknown) {
  if ((error as { code?: string }).code !== 'proposal_already_decided') throw error
}

/** The message about an approved proposal that counts no longer, since the ERP has no order for it. */
export function unmatchedApproval({ ID, quantity: units, decidedAt }: KnownProposal): PairMessage {
  const quantity = Number(units)
  const document = `prop_${ID}`
  const day = decidedAt ? dayOf(decidedAt) : null
  return {
    kind: 'unmatched_approval',
    document,
    quantity,
    from: null,
    to: null,
    message: `${document} for ${quantity} was approved on ${day}, and the ERP has no order of it: it counts as supply no longer. Cancel it, or name it in the order.`,
  }
}
