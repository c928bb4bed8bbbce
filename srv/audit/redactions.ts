// An erased person's id is replaced in sealed entries. Their hashes stay, and with them the chain; an HMAC covers what they say now.
import { AuditRedactions } from '../store/entities.ts'
import { canonicalOf, type Entry } from './entries.ts'
import { type Head, isMacOf, macOf, openSealKey } from './head-seal.ts'

const textOf = (entry: Entry) => `redaction\n${entry.hash}\n${canonicalOf(entry)}`

/** @throws Error where no known key opens that of the head */
export function redactionOf(entry: Entry, { sealKey }: Head): string {
  const key = sealKey && openSealKey(sealKey)
  if (!key) throw new Error('No known encryption key opens the key of the audit trail.')
  return macOf(key, textOf(entry))
}

/** Whether an entry says what was written into it when a person was erased. */
export async function isRedacted(entry: Entry, { sealKey }: Head): Promise<boolean> {
  const key = sealKey && openSealKey(sealKey)
  if (!key) return false
  const rows = await SELECT.from(AuditRedactions)
    .columns('mac')
    .where({ seq: entry.seq, entry: entry.ID })
  return rows.some(({ mac }) => isMacOf(key, textOf(entry), mac))
}
