import { randomUUID } from 'node:crypto'
import cds from '@sap/cds'

const { INSERT } = cds.ql

/** Appends an administrative act, in the transaction of the act. Never a secret in `detail`. */
export async function audit(action: string, object: string, detail: string) {
  await INSERT.into('restock.AuditLog').entries({
    ID: randomUUID(),
    at: new Date().toISOString(),
    actor: cds.context?.user?.id ?? 'system',
    action,
    object,
    detail: detail.slice(0, 1000),
  })
}
