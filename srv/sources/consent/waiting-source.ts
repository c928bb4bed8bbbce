import { runDetached } from '../../cap/context.ts'
import type { ConnectionInput } from '../connection-input.ts'
import { Consents, Sources } from '../../store/entities.ts'

/**
 * A source of the same account whose consent has ended or was never given; not one with an open request for
 * consent. It is read outside the caller's transaction, because network calls follow.
 */
export function findWaitingSource(
  type: string,
  { connection, destination }: ConnectionInput,
): Promise<number | null> {
  return runDetached('connect', async () => {
    const { account, role, baseUrl } = connection
    const options = JSON.stringify(connection.options)
    const rows = await SELECT.from(Sources)
      .columns('ID', 'baseUrl', 'options', 'destination', 'status')
      .where({ type, account, role, status: { in: ['reconsent_required', 'pending_consent'] } })
      .orderBy('ID desc')
    for (const row of rows) {
      if (row.baseUrl !== baseUrl || row.options !== options) continue
      if (row.destination !== destination) continue
      if (row.status === 'reconsent_required' || !(await findOpenConsent(row.ID))) return row.ID
    }
    return null
  })
}

/** When the open request for consent expires; null where there is none. */
export async function findOpenConsent(source: number): Promise<string | null> {
  const row = await SELECT.one
    .from(Consents)
    .columns('expiresAt')
    .where({ source_ID: source, endedAt: null, expiresAt: { '>': new Date().toISOString() } })
  return row?.expiresAt ?? null
}
