import cds from '@sap/cds'
import { takeNumbers } from '../store/counters.ts'
import type { Step } from './reconcile.ts'
import { recordEvents, transition } from './transition.ts'
import type { Proposal } from './to-proposal.ts'

const { INSERT, UPDATE } = cds.ql

const DAY_MS = 86_400_000

const expiry = () =>
  new Date(Date.now() + cds.env.restock.proposalExpiryDays * DAY_MS).toISOString()

/** Carries out what a calculation asks for; a proposal that somebody decides at this moment is left alone. */
export async function apply(steps: Step[]) {
  await create(steps.flatMap((step) => (step.do === 'create' ? [step.columns] : [])))
  const confirmed = steps.flatMap((step) => (step.do === 'confirm' ? [step.proposal.ID] : []))
  if (confirmed.length) {
    await UPDATE.entity('restock.Proposals')
      .set({ expiresAt: expiry() })
      .where({ ID: { in: confirmed }, status: 'pending' })
  }
  for (const step of steps) {
    if (step.do === 'update') await update(step.proposal, step.columns)
    if (step.do === 'supersede') {
      await transition(step.proposal, { to: 'superseded', event: 'superseded' }).catch(ifDecided)
    }
  }
}

async function create(drafts: Record<string, unknown>[]) {
  if (!drafts.length) return
  const first = await takeNumbers('proposal', drafts.length)
  const createdAt = new Date().toISOString()
  const stamps = { createdAt, updatedAt: createdAt, expiresAt: expiry(), version: 1 }
  const entries = drafts.map((columns, index) => ({
    ID: first + index,
    status: 'pending',
    touched: false,
    ...stamps,
    ...columns,
  }))
  await INSERT.into('restock.Proposals').entries(entries)
  await recordEvents(entries as unknown as Proposal[], 'created')
}

async function update(proposal: Proposal, columns: Record<string, unknown>) {
  const { ID, version } = proposal
  const next = { ...columns, version: version + 1, updatedAt: new Date().toISOString() }
  const changed = await UPDATE.entity('restock.Proposals')
    .set({ ...next, expiresAt: expiry() })
    .where({ ID, version, status: 'pending' })
  if (changed === 1) await recordEvents([{ ...proposal, ...next } as Proposal], 'updated')
}

function ifDecided(error: unknown) {
  if ((error as { code?: string }).code !== 'proposal_already_decided') throw error
}
