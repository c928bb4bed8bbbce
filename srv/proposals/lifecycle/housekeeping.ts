import cds from '@sap/cds'
import { removeFormerApprovals } from '../../authority/index.ts'
import { statusesBefore, type Step } from '../../store/proposal-flow.ts'
import { expiry } from './expiry.ts'
import { alreadyDecided, transition } from './transition.ts'
import { type ProposalRow, toProposal } from '../to-proposal.ts'

/** Expires proposals, and wakes snoozed ones, whose time has come. */
export async function runHousekeeping() {
  const now = new Date().toISOString()
  await transitionAll('expire', { expiresAt: { '<=': now } })
  const set = { touched: false, snoozedUntil: null, expiresAt: expiry() }
  await transitionAll('wake', { snoozedUntil: { '<=': now } }, set)
  await removeFormerApprovals()
}

async function transitionAll(step: Step, where: object, set: object = {}) {
  const status = { in: statusesBefore(step) }
  const rows = (await SELECT.from('restock.Proposals').where({ status, ...where })) as ProposalRow[]
  const due = rows.map(toProposal)
  for (const proposal of due) {
    await cds
      .tx(() => transition(proposal, { step, set }))
      .catch((error: { code?: unknown }) => {
        if (error.code !== alreadyDecided(proposal).code) throw error
      })
  }
}
