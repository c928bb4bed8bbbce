import cds from '@sap/cds'
import { takeNumbers } from '../../store/counters.ts'
import { initialStatus, statusAfter, statusesBefore } from '../../store/proposal-flow.ts'
import { expiry } from '../lifecycle/expiry.ts'
import type { Step } from './reconcile.ts'
import { lockAsRead, recordEvents, withdraw } from '../lifecycle/transition.ts'
import { wakeEarly } from '../lifecycle/early-wake.ts'
import type { Proposal, ProposalColumns } from '../to-proposal.ts'

const { INSERT, UPDATE, UPSERT } = cds.ql

const PROPOSALS = 'restock.Proposals'
type Of<What extends Step['do']> = Extract<Step, { do: What }>

/** Carries out what a calculation asks for; a proposal that somebody decides at this moment is left alone. */
export async function apply(steps: Step[]) {
  const all = <What extends Step['do']>(what: What) =>
    steps.filter((step): step is Of<What> => step.do === what)
  await create(all('create').map(({ columns }) => columns))
  await confirm(all('confirm').map(({ proposal }) => proposal.ID))
  await update(all('update'))
  await annotate(all('annotate'))
  for (const { proposal, urgency, columns } of all('wake')) {
    await wakeEarly(proposal, urgency, { ...columns, expiresAt: expiry() }).catch(ifDecided)
  }
  await withdraw(all('supersede').map(({ proposal }) => proposal))
  for (const { proposal } of all('lapse')) await lapse(proposal)
}

async function create(drafts: ProposalColumns[]) {
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
  await INSERT.into(PROPOSALS).entries(entries)
  await recordEvents(entries as Proposal[], 'created')
}

async function confirm(ids: number[]) {
  if (!ids.length) return
  await UPDATE.entity(PROPOSALS)
    .set({ expiresAt: expiry() })
    .where({ ID: { in: ids }, status: { in: statusesBefore('supersede') } })
}

async function update(steps: Of<'update'>[]) {
  const isAsRead = await lockAsRead(steps.map(({ proposal }) => proposal))
  const asRead = steps.filter(({ proposal }) => isAsRead(proposal))
  if (!asRead.length) return
  const stamps = { updatedAt: new Date().toISOString(), expiresAt: expiry() }
  const changesTo = ({ proposal: { ID, version }, columns }: Of<'update'>) => {
    return { ID, ...columns, version: version + 1, ...stamps }
  }
  await UPSERT.into(PROPOSALS).entries(asRead.map(changesTo))
  const updated = asRead.map((step) => ({ ...step.proposal, ...changesTo(step) }) as Proposal)
  await recordEvents(updated, 'updated')
}

/** No new version: what the person has seen and decided about is as it was. */
async function annotate(steps: Of<'annotate'>[]) {
  for (const { proposal, newer } of steps) {
    const { ID, version } = proposal
    const at = new Date().toISOString()
    await UPDATE.entity(PROPOSALS)
      .set({ newer: newer && JSON.stringify({ ...newer, at }), updatedAt: at })
      .where({ ID, version })
  }
}

async function lapse({ ID, series }: Proposal) {
  await UPDATE.entity(PROPOSALS)
    .set({ lapsed: true })
    .where({ series, status: statusAfter('decline'), lapsed: null, ID: { '<=': ID } })
}

function ifDecided(error: unknown) {
  if ((error as { code?: string }).code !== 'proposal_already_decided') throw error
}
