import { setTimeout } from 'node:timers/promises'
import cds from '@sap/cds'
import { runDetached } from '../../../base/cap/context.ts'
import { Sources } from '../../../base/database/entities.ts'
import { removeFormerApprovals } from '../../authority/index.ts'
import { recomputeProposals } from '../policy/recompute.ts'
import { escalateOverdue } from '../assigned/escalate.ts'
import { removeFormerNotices } from '../assigned/notices.ts'
import { runProposals } from '../run/run.ts'
import { initialStatus, statusesBefore, type Step } from '../stored/flow.ts'
import { readStaleData } from '../terms/source-inputs.ts'
import { type ProposalRow, toProposal } from '../to-proposal.ts'
import { alreadyDecided, expiry, readProposal, transition } from './transition.ts'

/** Expires proposals, wakes snoozed ones, escalates overdue ones, and recalculates sources whose data have become too old. */
export const housekeepProposals = () =>
  runDetached('housekeeping', async () => {
    await endWaiting()
    await escalateOverdue()
    await removeFormerNotices()
    await calculateStaleSources()
  })

async function endWaiting() {
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

/** How long a refused decision waits for the new numbers. If the whole source must be recalculated, they come later. */
const PATIENCE_MS = 2_000

let isAwaited = false

/**
 * Recalculates a pending proposal whose numbers were refused as stale, even if a person has edited it. One that is no longer
 * needed is superseded. Of many at once only the first is waited for.
 */
export const recalculateProposal = (ID: number) =>
  runDetached(`prop_${ID}`, async () => {
    const { sku, location, status, version } = await readProposal(ID)
    if (status !== initialStatus()) return
    await UPDATE.entity('restock.Proposals').set({ touched: false }).where({ ID, status, version })
    const recomputed = recomputeProposals({ sku, location })
    recomputed.catch((error: unknown) =>
      cds.log('proposals').warn(`prop_${ID} could not be calculated anew:`, error),
    )
    if (isAwaited) return
    isAwaited = true
    try {
      await Promise.race([recomputed, setTimeout(PATIENCE_MS, undefined, { ref: false })])
    } finally {
      isAwaited = false
    }
  })

/** Recalculates sources whose data have become too old; those that cannot be read have no sync to do it. */
async function calculateStaleSources() {
  const rows = await SELECT.from(Sources)
    .columns('ID', 'staleSince')
    .where({ proposedOn: { '!=': null } })
  for (const { ID, staleSince } of rows) {
    const stale = await readStaleData(ID)
    if (stale && stale.since !== staleSince) await runProposals({ source: ID, sync: null })
  }
}
