import type { Adapter, Connection } from '../../../adapters/adapter.ts'
import { Refusal } from '../../base/errors.ts'
import { writeAuditLog } from '../../base/database/audit.ts'
import { connectionOf } from './connections.ts'
import { Sources } from '../../base/database/entities.ts'
import { checkFiles } from './access/access-test.ts'
import { parseOptions } from './connection-input.ts'
import { readSource } from './read-sources.ts'

interface Change {
  ID: number
  options: Connection['options']
}

/**
 * Changes options of a source that needs no consent, and looks at its files with them; null removes one. What is read
 * already stays as it was understood until the next full sync.
 * @throws Refusal source_not_found | invalid_parameter
 */
export async function changeOptions({ ID, options }: Change) {
  await readSource(ID)
  const { adapter, connection } = await connectionOf(ID)
  assertNoConsent(adapter, connection)
  const wanted = Object.entries({ ...connection.options, ...options })
  const parsed = parseOptions(
    adapter,
    Object.fromEntries(wanted.filter(([, value]) => value !== null)),
  )
  assertNoConsent(adapter, { ...connection, options: parsed })
  const checks = await checkFiles(adapter, { ...connection, options: parsed })
  const columns = { checks: JSON.stringify(checks), checkedAt: new Date().toISOString() }
  await UPDATE.entity(Sources)
    .set({ options: JSON.stringify(parsed), ...columns })
    .where({ ID })
  const changes = Object.entries(options).map(([name, value]) => `${name}: ${String(value)}`)
  await writeAuditLog('source.options_changed', `src_${ID}`, changes.join('; ').slice(0, 500))
  return readSource(ID)
}

function assertNoConsent(adapter: Adapter, connection: Connection): void {
  if (adapter.auth(connection).kind === 'none') return
  const message = 'Options of a source with consent are those of its consent: connect it anew.'
  throw new Refusal('invalid_parameter', message, { target: 'options' })
}
