import cds from '@sap/cds'
import { expiry } from './expiry.ts'
import { alreadyDecided, transition } from './transition.ts'
import { type Proposal, type ProposalStatus, toProposal } from '../to-proposal.ts'

const { SELECT } = cds.ql

/** Lets proposals expire and wakes snoozed ones whose time has come. */
export async function keepHouse() {
  const now = new Date().toISOString()
  const expired = {
    status: { in: ['pending', 'awaiting_second_approval'] },
    expiresAt: { '<=': now },
  }
  await moveAll(expired, 'expired', 'expired')
  const awake = { status: 'snoozed', snoozedUntil: { '<=': now } }
  await moveAll(awake, 'pending', 'woken', {
    touched: false,
    snoozedUntil: null,
    expiresAt: expiry(),
  })
}

async function moveAll(
  where: Record<string, unknown>,
  to: ProposalStatus,
  event: string,
  set: Record<string, unknown> = {},
) {
  const due: Proposal[] = (await SELECT.from('restock.Proposals').where(where)).map(toProposal)
  for (const proposal of due) {
    await cds
      .tx(() => transition(proposal, { to, event, set }))
      .catch((error) => {
        if (error.code !== alreadyDecided(proposal).code) throw error
      })
  }
}
