// A consent that its ERP ends soon: told in each sync, and once to whoever listens.
import type { Adapter, Connection } from '../../adapters/adapter.ts'
import { writeAuditLog } from '../store/audit.ts'
import { Sources } from '../store/entities.ts'
import { publishEvents } from '../store/events/publish.ts'
import type { Issue } from './run.ts'

const DAY_MS = 86_400_000
/** Enough for somebody to consent who is not there every day. */
const AHEAD_MS = 2 * DAY_MS
const CODE = 'consent_ends_soon'

/** Must be called in a transaction. */
export async function consentNotes(
  ID: number,
  adapter: Adapter,
  connection: Connection,
): Promise<Issue[]> {
  const row = await SELECT.one.from(Sources).columns('consentEndsAt').where({ ID })
  const plan = adapter.auth(connection)
  const days = plan.kind === 'authorization_code' ? plan.consentDays : undefined
  if (!row?.consentEndsAt || days === undefined) return []
  const end = new Date(String(row.consentEndsAt))
  if (end.getTime() - Date.now() > Math.min(AHEAD_MS, (days * DAY_MS) / 3)) return []
  await tellOnce(ID, end.toISOString())
  const message = `The ERP ends the consent at ${end.toISOString().slice(0, 16)}Z, whatever is read.`
  return [{ code: CODE, stream: 'source', key: null, message }]
}

async function tellOnce(ID: number, end: string): Promise<void> {
  const changed: unknown = await UPDATE.entity(Sources)
    .set({ consentToldAt: new Date().toISOString() })
    .where({ ID, consentToldAt: null })
  if (!changed) return
  await writeAuditLog('source.reconsent_required', `src_${ID}`, CODE)
  const data = { id: `src_${ID}`, reason: CODE, ends_at: end }
  await publishEvents([{ type: 'source.reconsent_required', data }])
}
