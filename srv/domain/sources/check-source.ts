import type { StreamCheck } from '../../../adapters/adapter.ts'
import { Fatal, Retriable } from '../../../adapters/errors.ts'
import { quickSignal } from '../../../adapters/http/quick.ts'
import { ADAPTER_TYPES, adapterOf } from '../../../adapters/index.ts'
import { runDetached } from '../../base/cap/context.ts'
import { Sources } from '../../base/database/entities.ts'
import { Refusal } from '../../base/errors.ts'
import { requestAccess, toRefusal } from './access/request-access.ts'
import { type NewSource, readConnectionInput } from './connection-input.ts'
import { connectionOf } from './connections.ts'
import { planOf } from './oauth/tokens.ts'
import { rightsGrantedByCheck } from './problems.ts'
import { readSource } from './read-sources.ts'

const TIMEOUT_MS = 15_000

interface AccessCheck {
  checks: StreamCheck[]
  /** Null where the scopes of the token, and not the streams, show the rights. */
  granted: string[] | null
}

/**
 * Tests access to every stream of a source with the stored credentials, and stores the result.
 * @throws Refusal source_not_found, source_not_connected, source_unavailable
 */
export async function checkSource(ID: number) {
  const { checks, granted } = await runDetached('check', () => checkStreams(ID))
  await UPDATE.entity(Sources)
    .set({
      checks: JSON.stringify(checks),
      checkedAt: new Date().toISOString(),
      ...(granted && { grantedRights: JSON.stringify(granted) }),
    })
    .where({ ID })
  return await readSource(ID)
}

/** Calls the ERP, so it must run outside of any transaction. */
async function checkStreams(ID: number): Promise<AccessCheck> {
  const { neededRights } = await assertConnected(ID)
  const signal = quickSignal(TIMEOUT_MS)
  try {
    const { adapter, connection } = await connectionOf(ID)
    const checks = await adapter.check(connection, signal)
    // An ERP that refused the credentials has ended the consent during the test.
    await assertConnected(ID)
    const { destination } = (await SELECT.one.from(Sources).columns('destination').where({ ID }))!
    const plan = planOf(adapter, connection)
    const isByScopes = !destination && 'scopes' in plan && plan.scopes.length > 0
    return { checks, granted: isByScopes ? null : rightsGrantedByCheck(neededRights, checks) }
  } catch (error) {
    if (signal.aborted) throw toRefusal(new Retriable('The ERP did not answer in time.'))
    if (error instanceof Fatal && error.code === 'reconsent_required') await assertConnected(ID)
    throw toRefusal(error)
  }
}

async function assertConnected(ID: number) {
  const source = await readSource(ID)
  if (source.status === 'connected' || source.status === 'failing') return source
  const reason = source.problem?.message ?? 'Nobody has consented yet.'
  throw new Refusal('source_not_connected', `src_${ID} is not connected. ${reason}`)
}

/** What a connection could read. */
interface ConnectionTest {
  /** Whether somebody must consent first, so that the streams can be tested only then. */
  needsConsent: boolean
  neededRights: string[]
  grantedRights: string[]
  checks: StreamCheck[]
}

/** The adapter of a kind of ERP. @throws Refusal invalid_parameter */
export function knownAdapter(type: string) {
  const adapter = adapterOf(type)
  if (adapter) return adapter
  throw new Refusal('invalid_parameter', `type must be one of ${ADAPTER_TYPES.join(', ')}.`, {
    target: 'type',
  })
}

/**
 * Tries a connection stream by stream as `connect` would, and stores nothing.
 * @throws Refusal invalid_parameter | source_unavailable
 */
export async function testConnection(newSource: NewSource): Promise<ConnectionTest> {
  const adapter = knownAdapter(newSource.type)
  try {
    const input = await readConnectionInput(adapter, newSource)
    const access = await runDetached('test', () => requestAccess(adapter, input, newSource))
    if (access.kind === 'consent') {
      return { needsConsent: true, neededRights: access.needed, grantedRights: [], checks: [] }
    }
    const { needed, granted, checks } = access
    return { needsConsent: false, neededRights: needed, grantedRights: granted, checks }
  } catch (error) {
    throw toRefusal(error)
  }
}
