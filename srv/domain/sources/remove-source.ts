import { setTimeout as sleep } from 'node:timers/promises'
import cds from '@sap/cds'
import { runDetached } from '../../base/cap/context.ts'
import { isRefusal, Refusal } from '../../base/errors.ts'
import { writeAuditLog } from '../../base/database/audit.ts'
import { removeDemand } from '../../base/database/demand/demand-read.ts'
import { noteForecastsChanged } from '../forecasts/lookup.ts'
import { removeRecords } from '../../base/database/records/records-read.ts'
import { readSecret, wipeSecrets } from '../../base/database/secrets/vault.ts'
import { readSource } from './read-sources.ts'
import { Consents, Schedules, Sources, Syncs } from '../../base/database/entities.ts'
import { connectionOf } from './connections.ts'
import { readClient } from './tokens/renew-tokens.ts'
import { revoke } from './oauth/client.ts'
import { planOf, type TokenPlan } from './oauth/tokens.ts'
import type { Tokens } from './oauth/tokens.ts'
import { supersedeOrphans } from '../proposals/index.ts'

/** A running sync notices its cancellation within three seconds; one of a dead instance never does. */
const STOP_TIMEOUT_MS = 10_000
const POLL_MS = 100

const AUDIT_DETAILS: Record<Revocation, string> = {
  none: '',
  revoked: 'tokens revoked',
  'not offered': 'the ERP offers no revocation',
  failed: 'tokens could not be revoked',
}

/**
 * Removes a source and all data read from it, and cancels its sync. Decisions about its proposals stay as evidence.
 * @throws Refusal source_not_found, sync_in_progress where the sync does not stop
 */
export async function removeSource(ID: number) {
  const revocation = await runDetached('remove', async () => {
    await readSource(ID)
    await stopSync(ID)
    return revokeTokens(ID)
  })
  // A sync starts under the same lock: it is either found here, or does not find its source.
  await SELECT.one.from(Sources).columns('ID').where({ ID }).forUpdate()
  await assertIdle(ID)
  await removeDemand(ID)
  await removeRecords(ID)
  await wipeSecrets(ID)
  await DELETE.from(Consents).where({ source_ID: ID })
  for (const entity of ['BlockedPairs', 'Exceptions', 'ForecastScores', 'ForecastReplays']) {
    await DELETE.from(`restock.${entity}`).where({ source_ID: ID })
  }
  await DELETE.from(Schedules).where({
    name: { in: [`src_${ID} full`, `src_${ID} incremental`] },
  })
  await DELETE.from(Sources).where({ ID })
  await noteForecastsChanged()
  await writeAuditLog('source.removed', `src_${ID}`, AUDIT_DETAILS[revocation])
  await supersedeOrphans(ID)
}

async function stopSync(source: number) {
  const syncs = await cds.connect.to('SyncService')
  const end = Date.now() + STOP_TIMEOUT_MS
  for (let ID = await runningSync(source); ID; ID = await runningSync(source)) {
    if (Date.now() > end) throw syncInProgress(ID)
    await syncs.send('cancel', { ID }).catch((error) => {
      if (!isRefusal(error)) throw error // a refusal: the sync has ended by itself
    })
    await sleep(POLL_MS)
  }
}

async function assertIdle(source: number) {
  const ID = await runningSync(source)
  if (ID) throw syncInProgress(ID)
}

async function runningSync(source: number): Promise<number | undefined> {
  const row = await SELECT.one.from(Syncs).columns('ID').where({ activeFor: source })
  return row?.ID
}

const syncInProgress = (sync: number) =>
  new Refusal('sync_in_progress', 'A sync of this source is running, and has not stopped.', {
    members: { sync_id: `sync_${sync}` },
  })

const LOG = cds.log('sources')

/** `none`: there were no tokens. */
type Revocation = 'none' | 'revoked' | 'not offered' | 'failed'

/** Revokes the tokens of a source at its ERP. An error is logged and not thrown, since the source is removed anyway. */
async function revokeTokens(source: number): Promise<Revocation> {
  try {
    const held = await readSecret(source, 'tokens')
    if (!held) return 'none'
    const { adapter, connection } = await connectionOf(source)
    const plan = planOf(adapter, connection) as TokenPlan
    if (!plan.revocationEndpoint) return 'not offered'
    const tokens = JSON.parse(held.text) as Tokens
    if (await revoke(plan, await readClient(source), tokens)) return 'revoked'
    LOG.warn(`the ERP did not revoke the tokens of src_${source}: revoke them in the ERP`)
    return 'failed'
  } catch (error) {
    const { message } = error as Error
    LOG.warn(`the tokens of src_${source} could not be revoked: ${message}`)
    return 'failed'
  }
}
