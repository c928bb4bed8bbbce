import { setTimeout as sleep } from 'node:timers/promises'
import cds from '@sap/cds'
import { inTransaction, runDetached } from '../../base/cap/context.ts'
import { writeAuditLog } from '../../base/database/audit.ts'
import { removeDemand } from '../../base/database/demand/demand-read.ts'
import { Consents, Schedules, Secrets, Sources, Syncs } from '../../base/database/entities.ts'
import { removeRecords } from '../../base/database/records/records-read.ts'
import { readSecret, wipeSecrets } from '../../base/database/secrets/vault.ts'
import { cancelRun, syncInProgress, unfinishedRun } from '../../base/work/runs.ts'
import { noteForecastsChanged } from '../forecasts/index.ts'
import { supersedeOrphans } from '../proposals/index.ts'
import { connectionOf, readClient } from './credentials.ts'
import { revoke } from './oauth/client.ts'
import { planOf, type TokenPlan, type Tokens } from './oauth/tokens.ts'
import { readSource } from './sources.ts'

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
  await inTransaction(() => removeRows(ID, AUDIT_DETAILS[revocation]))
}

async function removeRows(ID: number, detail: string) {
  // A sync starts under the same lock: it is either found here, or does not find its source.
  await SELECT.one.from(Sources).columns('ID').where({ ID }).forUpdate()
  const running = await unfinishedRun(ID)
  if (running) throw hasNotStopped(running)
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
  await writeAuditLog('source.removed', `src_${ID}`, detail)
  await supersedeOrphans(ID)
}

async function stopSync(source: number) {
  const end = Date.now() + STOP_TIMEOUT_MS
  for (let ID = await unfinishedRun(source); ID; ID = await unfinishedRun(source)) {
    if (Date.now() > end) throw hasNotStopped(ID)
    await cancelRun(ID)
    await sleep(POLL_MS)
  }
}

const hasNotStopped = (sync: number) =>
  syncInProgress(sync, 'A sync of this source is running, and has not stopped.')

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

/** How long an attempt to connect an ERP is kept, to be tried again. */
const GRACE_MS = 24 * 3_600_000

/** Removes sources without any consent: attempts to connect that were given up. */
export async function removeAbandoned() {
  for (const ID of await findAbandoned(new Date(Date.now() - GRACE_MS))) {
    await removeSource(ID)
    LOG.info(`src_${ID} is removed: nobody has consented to it`)
  }
}

async function findAbandoned(before: Date): Promise<number[]> {
  const waiting = await SELECT.from(Sources)
    .columns('ID')
    .where({ status: 'pending_consent', createdAt: { '<': before.toISOString() } })
  const abandoned: number[] = []
  for (const { ID } of waiting) {
    const consent = await SELECT.one.from(Consents).columns('expiresAt').where({ source_ID: ID })
    const isOpen = consent && new Date(String(consent.expiresAt)) > before
    if (!isOpen && !(await wasConnected(ID))) abandoned.push(ID)
  }
  return abandoned
}

/** Removes an attempt that was given up; a source that was connected at any time stays. */
export async function giveUp(ID: number) {
  const row = await SELECT.one.from(Sources).columns('status').where({ ID })
  if (row?.status === 'pending_consent' && !(await wasConnected(ID))) await removeSource(ID)
}

/** A source that was read, or holds tokens, keeps its data until somebody removes it. */
async function wasConnected(ID: number): Promise<boolean> {
  const sync = await SELECT.one.from(Syncs).columns('ID').where({ source_ID: ID })
  const tokens = await SELECT.one
    .from(Secrets)
    .columns('name')
    .where({ source_ID: ID, name: 'tokens' })
  return Boolean(sync ?? tokens)
}
