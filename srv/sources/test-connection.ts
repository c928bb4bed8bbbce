import type { StreamCheck } from '../../adapters/adapter.ts'
import { ADAPTER_TYPES, adapterOf } from '../../adapters/index.ts'
import { runDetached } from '../cap/context.ts'
import { Refusal } from '../errors.ts'
import { requestAccess } from './access/request-access.ts'
import { type NewSource, readConnectionInput } from './connection-input.ts'
import { toRefusal } from './to-refusal.ts'

/** What a connection could read. */
export interface ConnectionTest {
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
