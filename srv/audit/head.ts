import { GENESIS, TRAILS } from './entries.ts'
import { AuditHead } from '../store/entities.ts'
import { insertOnce } from '../store/insert-once.ts'

/** The last sealed entry. */
export interface Head {
  seq: number
  hash: string
  sealedAt: string | null
}

export async function readHead(): Promise<Head | null> {
  const row = await SELECT.one.from(AuditHead).where({ ID: 1 })
  return row ? { seq: Number(row.seq), hash: row.hash!, sealedAt: row.sealedAt } : null
}

export async function isAnySealed(): Promise<boolean> {
  const isSealed = { seq: { '!=': null } }
  for (const { entity } of TRAILS) {
    if (await SELECT.one.from(entity).columns('ID').where(isSealed)) return true
  }
  return false
}

/** Makes the head where nothing was ever sealed; several instances may do so at once. */
export async function prepareHead() {
  if (await readHead()) return
  if (await isAnySealed()) {
    throw new Error('The head of the audit trail is gone; nothing is sealed until it is back.')
  }
  await insertOnce(AuditHead, { ID: 1 }, { seq: 0, hash: GENESIS })
}

/** The head, locked until commit, so that the chain cannot fork. */
export async function lockHead(): Promise<Head> {
  await UPDATE.entity(AuditHead).set({ sealedAt: new Date().toISOString() }).where({ ID: 1 })
  return (await readHead())!
}

export async function moveHead(from: Head, to: Pick<Head, 'seq' | 'hash'>) {
  const moved: unknown = await UPDATE.entity(AuditHead)
    .set(to)
    .where({ ID: 1, seq: from.seq, hash: from.hash })
  if (moved !== 1) throw new Error('The audit trail was sealed by somebody else meanwhile.')
}
