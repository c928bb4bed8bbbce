import cds from '@sap/cds'
import { Fatal } from '../../../../adapters/errors.ts'
import { runDetached } from '../../../base/cap/context.ts'
import { facade } from '../../../base/cap/facade.ts'
import { writeAuditLog } from '../../../base/database/audit.ts'
import { Consents, Sources } from '../../../base/database/entities.ts'
import { publishEvents } from '../../../base/database/events.ts'
import { Refusal } from '../../../base/errors.ts'
import { isProduction, routeOfPlatform, settings } from '../../../base/settings/config.ts'
import type { ConnectionInput } from '../connection-input.ts'
import type { Problem } from '../problems.ts'

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

const PATH = '/oauth/callback'

/** The address of the callback, as registered with the ERP's OAuth client. @throws Refusal internal_error */
export function redirectUri(): string {
  const { publicUrl } = settings()
  const base = publicUrl ?? routeOfPlatform() ?? localAddress()
  return `${base.replace(/(?<!\/)\/+$/, '')}${PATH}`
}

/** Where a browser begins the consent that it is to come back from to `callback`: both have the same cookies. */
export const beginningUri = (callback: string, ticket: string) =>
  `${callback.slice(0, -PATH.length)}/oauth/authorize?ticket=${ticket}`

function localAddress(): string {
  const { url } = facade.server
  if (url && !isProduction()) return url
  throw new Refusal(
    'internal_error',
    'The consent page cannot redirect to this service: set cds.restock.publicUrl to its address.',
  )
}

/**
 * Stores that the consent has ended, and publishes it. It must not be called inside a transaction.
 * @returns the error for the adapter
 */
export async function endConsent(source: number, problem: Problem): Promise<Fatal> {
  await cds.tx(async () => {
    const changed: unknown = await UPDATE.entity(Sources)
      .set({ status: 'reconsent_required', problem: JSON.stringify(problem) })
      .where({ ID: source, status: { in: ['connected', 'failing'] } })
    if (!changed) return
    await writeAuditLog('source.reconsent_required', `src_${source}`, problem.code)
    const data = { id: `src_${source}`, reason: problem.code }
    await publishEvents([{ type: 'source.reconsent_required', data }])
  })
  return new Fatal('reconsent_required', problem.message)
}
