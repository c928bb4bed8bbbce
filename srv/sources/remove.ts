import { setTimeout as sleep } from 'node:timers/promises'
import cds from '@sap/cds'
import { runDetached } from '../cap/context.ts'
import { isRefusal, Refusal } from '../errors.ts'
import { writeAuditLog } from '../store/audit.ts'
import { removeDemand } from '../store/demand/demand-read.ts'
import { removeRecords } from '../store/records/records-read.ts'
import { wipeSecrets } from '../store/secrets/vault.ts'
import { readSource } from './read.ts'
import { type Revocation, revokeTokens } from './tokens/revoke-tokens.ts'
import { Consents, Schedules, Sources, Syncs } from '../store/entities.ts'

const { DELETE, SELECT } = cds.ql

/** A sync hears of it within three seconds; one of an instance that is gone does not. */
const STOPS_WITHIN_MS = 10_000
const LOOK_MS = 100

const EVIDENCE: Record<Revocation, string> = {
  none: '',
  revoked: 'tokens revoked',
  'not offered': 'the ERP offers no revocation',
  failed: 'tokens could not be revoked',
}

/**
 * Forgets a source and what was read from it; what was decided about its proposals stays as evidence.
 * A sync of it is cancelled.
 * @throws Refusal source_not_found, sync_in_progress where the sync does not stop
 */
export async function removeSource(ID: number) {
  const revocation = await runDetached('remove', async () => {
    await readSource(ID)
    await stopSync(ID)
    return revokeTokens(ID)
  })
  // A sync begins under the same lock: before this, and it is found, or after, and its source is not.
  await SELECT.one.from(Sources).columns('ID').where({ ID }).forUpdate()
  await assertIdle(ID)
  await removeDemand(ID)
  await removeRecords(ID)
  await wipeSecrets(ID)
  await DELETE.from(Consents).where({ source_ID: ID })
  for (const entity of ['BlockedPairs', 'ForecastScores', 'ForecastReplays']) {
    await DELETE.from(`restock.${entity}`).where({ source_ID: ID })
  }
  await DELETE.from(Schedules).where({
    name: { in: [`src_${ID} full`, `src_${ID} incremental`] },
  })
  await DELETE.from(Sources).where({ ID })
  await writeAuditLog('source.removed', `src_${ID}`, EVIDENCE[revocation])
  const proposals = await cds.connect.to('ProposalsService')
  await proposals.send('abandon', { source: ID })
}

async function stopSync(source: number) {
  const syncs = await cds.connect.to('SyncService')
  const end = Date.now() + STOPS_WITHIN_MS
  for (let ID = await runningSync(source); ID; ID = await runningSync(source)) {
    if (Date.now() > end) throw inProgress(ID)
    await syncs.send('cancel', { ID }).catch((error) => {
      if (!isRefusal(error)) throw error // it has ended meanwhile
    })
    await sleep(LOOK_MS)
  }
}

async function assertIdle(source: number) {
  const ID = await runningSync(source)
  if (ID) throw inProgress(ID)
}

async function runningSync(source: number): Promise<number | undefined> {
  const row = await SELECT.one.from(Syncs).columns('ID').where({ activeFor: source })
  return row?.ID
}

const inProgress = (sync: number) =>
  new Refusal('sync_in_progress', 'A sync of this source is running, and has not stopped.', {
    members: { sync_id: `sync_${sync}` },
  })
