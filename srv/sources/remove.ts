import cds from '@sap/cds'
import { detached } from '../detached.ts'
import { Refusal } from '../errors.ts'
import { audit } from '../store/audit.ts'
import { removeDemand } from '../store/demand.ts'
import { removeRecords } from '../store/records.ts'
import { wipeSecrets } from '../store/secrets/vault.ts'
import { readSource } from './read.ts'
import { type Revocation, revokeTokens } from './revoke-tokens.ts'

const { DELETE, SELECT } = cds.ql

const EVIDENCE: Record<Revocation, string> = {
  none: '',
  revoked: 'tokens revoked',
  'not offered': 'the ERP offers no revocation',
  failed: 'tokens could not be revoked',
}

/** Forgets a source and what was read from it; what was decided about its proposals stays as evidence. */
export async function remove(ID: number) {
  const revocation = await detached('remove', async () => {
    await readSource(ID)
    await assertIdle(ID)
    return revokeTokens(ID)
  })
  // A sync begins under the same lock: before this, and it is found, or after, and its source is not.
  await SELECT.one.from('restock.Sources').columns('ID').where({ ID }).forUpdate()
  await assertIdle(ID)
  await removeDemand(ID)
  await removeRecords(ID)
  await wipeSecrets(ID)
  await DELETE.from('restock.Consents').where({ source_ID: ID })
  for (const entity of ['BlockedPairs', 'ForecastScores', 'ForecastReplays']) {
    await DELETE.from(`restock.${entity}`).where({ source_ID: ID })
  }
  await DELETE.from('restock.Schedules').where({
    name: { in: [`src_${ID} full`, `src_${ID} incremental`] },
  })
  await DELETE.from('restock.Sources').where({ ID })
  await audit('source.removed', `src_${ID}`, EVIDENCE[revocation])
  const proposals = await cds.connect.to('ProposalsService')
  await proposals.send('abandon', { source: ID })
}

async function assertIdle(ID: number) {
  const running = await SELECT.one.from('restock.Syncs').columns('ID').where({ activeFor: ID })
  if (!running) return
  throw new Refusal('sync_in_progress', 'A sync of this source is running; cancel it first.', {
    members: { sync_id: `sync_${running.ID}` },
  })
}
