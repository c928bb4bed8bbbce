import cds from '@sap/cds'
import type { StreamCheck } from '../../adapters/adapter.ts'
import { Fatal, Retriable } from '../../adapters/errors.ts'
import { runDetached } from '../cap/context.ts'
import { Refusal } from '../errors.ts'
import { connectionOf } from '../store/connections.ts'
import { planOf } from './oauth/plan.ts'
import { readSource } from './read.ts'
import { grantedByCheck } from './rights.ts'
import { toRefusal } from './to-refusal.ts'
import { Sources } from '../store/entities.ts'

const { SELECT, UPDATE } = cds.ql

const TIMEOUT_MS = 20_000

interface Found {
  checks: StreamCheck[]
  /** Null where scopes, and not the streams, tell of the rights. */
  granted: string[] | null
}

/**
 * Tries every stream of a source now, by the right that is stored, and keeps what came of it.
 * @throws Refusal source_not_found, source_not_connected, source_unavailable
 */
export async function checkSource(ID: number) {
  const { checks, granted } = await runDetached('check', () => tryStreams(ID))
  await UPDATE.entity(Sources)
    .set({
      checks: JSON.stringify(checks),
      checkedAt: new Date().toISOString(),
      ...(granted && { grantedRights: JSON.stringify(granted) }),
    })
    .where({ ID })
  return await readSource(ID)
}

/** Network calls, outside of any transaction. */
async function tryStreams(ID: number): Promise<Found> {
  const { neededRights } = await assertConnected(ID)
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  try {
    const { adapter, connection } = await connectionOf(ID)
    const checks = await adapter.check(connection, signal)
    // What the ERP refused altogether has ended the consent meanwhile.
    await assertConnected(ID)
    const { destination } = (await SELECT.one.from(Sources).columns('destination').where({ ID }))!
    const plan = planOf(adapter, connection)
    const isByScopes = !destination && 'scopes' in plan && plan.scopes.length > 0
    return { checks, granted: isByScopes ? null : grantedByCheck(neededRights, checks) }
  } catch (error) {
    if (signal.aborted) throw toRefusal(new Retriable('The ERP did not answer in time.'))
    if (error instanceof Fatal && error.code === 'reconsent_required') await assertConnected(ID)
    throw toRefusal(error)
  }
}

async function assertConnected(ID: number) {
  const source = await readSource(ID)
  if (source.status === 'connected' || source.status === 'failing') return source
  const why = source.problem?.message ?? 'Nobody has consented yet.'
  throw new Refusal('source_not_connected', `src_${ID} is not connected. ${why}`)
}
