import cds from '@sap/cds'
import { removeSource } from '../remove-source.ts'
import { Consents, Secrets, Sources, Syncs } from '../../store/entities.ts'

const LOG = cds.log('sources')

/** How long whoever has begun to connect an ERP may take to try again. */
const GRACE_MS = 24 * 3_600_000

/** Removes sources that nobody ever consented to: attempts to connect that were given up. */
export async function removeAbandoned() {
  for (const ID of await findAbandoned(new Date(Date.now() - GRACE_MS))) {
    await cds.tx(() => removeSource(ID))
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

/** One that was read once, or holds tokens, keeps its data until somebody removes it. */
async function wasConnected(ID: number): Promise<boolean> {
  const sync = await SELECT.one.from(Syncs).columns('ID').where({ source_ID: ID })
  const tokens = await SELECT.one
    .from(Secrets)
    .columns('name')
    .where({ source_ID: ID, name: 'tokens' })
  return Boolean(sync ?? tokens)
}
