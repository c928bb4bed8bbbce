import { randomUUID } from 'node:crypto'
import cds from '@sap/cds'
import { AuditLog } from './entities.ts'

/**
 * Appends an administrative change to the audit log, in the transaction of the change. `detail`
 * must never contain a secret.
 * @param object the object that was changed, e.g. `key:k7d2m`
 */
export async function writeAuditLog(action: string, object: string, detail: string) {
  const user = cds.context?.user
  await INSERT.into(AuditLog).entries({
    ID: randomUUID(),
    at: new Date().toISOString(),
    actor: user?.id ?? 'system',
    via: (user?.attr as { via?: string } | undefined)?.via ?? 'system',
    action,
    object,
    // What is cut may be half a character, which PostgreSQL refuses.
    detail: detail.slice(0, 1000).toWellFormed(),
  })
}
