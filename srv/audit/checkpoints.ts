// Where the chain ended at some time, told to places that the database's owner cannot change: the log, and SAP Audit
// Log where `cds.requires` has an `audit-log`.
import cds from '@sap/cds'
import type { Head } from './head.ts'

/** Between two checkpoints. */
const EVERY_MS = 600_000

interface AuditLogService {
  log(event: 'SecurityEvent', entry: { data: Record<string, string> }): Promise<unknown>
}

let sealed: Head | undefined
let published = { seq: 0, at: 0 }

/** Remembers the head that the next checkpoint tells of. */
export const noteSealed = (head: Head) => void (sealed = head)

/** Publishes the head, at most every ten minutes unless `isLast`. A failure is logged, and tried again. */
export async function publishCheckpoint({ isLast = false } = {}) {
  if (!sealed || sealed.seq === published.seq) return
  if (!isLast && Date.now() < published.at + EVERY_MS) return
  const { seq, hash, seal } = sealed
  published = { seq, at: Date.now() }
  cds.log('audit').info(`checkpoint ${seq}:${hash} seal ${seal}`)
  if (!('audit-log' in cds.env.requires)) return
  try {
    const service = (await cds.connect.to('audit-log')) as unknown as AuditLogService
    const data = { action: 'audit trail checkpoint', head: `${seq}:${hash}`, seal: String(seal) }
    await service.log('SecurityEvent', { data })
  } catch (error) {
    published.seq = 0
    cds.log('audit').error('A checkpoint could not be sent to the audit-log service:', error)
  }
}
