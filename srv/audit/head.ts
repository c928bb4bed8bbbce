import cds from '@sap/cds'
import { writeAuditLog } from '../store/audit.ts'
import { AuditHead, AuditLog } from '../store/entities.ts'
import { GENESIS, TRAILS } from './entries.ts'
import { isMacOf, macOf, newSealKey, openSealKey, rewrapped } from './head-seal.ts'

/** The last sealed entry. */
export interface Head {
  seq: number
  hash: string
  sealedAt: string | null
  /** HMAC of `seq:hash`. */
  seal: string | null
  sealKey: string | null
}

type Place = Pick<Head, 'seq' | 'hash'>

/** An entry of this action tells that a key was made: it happens once. */
const KEY_MADE = 'audit.key_made'

export const textOf = ({ seq, hash }: Place) => `${seq}:${hash}`

export async function readHead(): Promise<Head | null> {
  const row = await SELECT.one.from(AuditHead).where({ ID: 1 })
  if (!row) return null
  const { hash, sealedAt, seal, sealKey } = row
  return { seq: Number(row.seq), hash: hash!, sealedAt, seal, sealKey }
}

export async function isAnySealed(): Promise<boolean> {
  const isSealed = { seq: { '!=': null } }
  for (const { entity } of TRAILS) {
    if (await SELECT.one.from(entity).columns('ID').where(isSealed)) return true
  }
  return false
}

/** The newest head that this instance has seen: one before it was put back. */
let newest: Place = { seq: 0, hash: GENESIS }

export const newestSeen = () => newest

export function noteHead({ seq, hash }: Place) {
  if (seq > newest.seq) newest = { seq, hash }
}

export type HeadFault = 'head_changed' | 'head_key_unknown' | 'truncated'

/** @param seen the newest head that was seen before this one was read */
export function faultOf(head: Head, seen: Place): HeadFault | null {
  if (!head.sealKey) return 'head_changed'
  const key = openSealKey(head.sealKey)
  if (!key) return 'head_key_unknown'
  if (!isMacOf(key, textOf(head), head.seal)) return 'head_changed'
  return head.seq < seen.seq ? 'truncated' : null
}

/**
 * Before anything is sealed: makes the head of an empty trail, and the key of one that a former version made. Several
 * instances may do so at once.
 */
export async function prepareHead() {
  const head = await readHead()
  if (!head) {
    if (!(await isAnySealed())) await makeHead()
  } else if (head.sealKey) await rewrapKey(head.sealKey)
  else await sealFormerHead(head)
}

const newSeal = (place: Place) => {
  const sealKey = newSealKey()
  return { sealKey, seal: macOf(openSealKey(sealKey)!, textOf(place)) }
}

const writeKeyMade = (place: Place) => writeAuditLog(KEY_MADE, 'audit', `head ${textOf(place)}`)

async function makeHead() {
  const first = { seq: 0, hash: GENESIS }
  const make = async () => {
    await INSERT.into(AuditHead).entries({ ID: 1, ...first, ...newSeal(first) })
    await writeKeyMade(first)
  }
  await cds.tx(make).catch(async (error: unknown) => {
    if (!(await readHead())) throw error
  })
}

/** A head that bore a seal once does not get another: its trail may have been cut. */
async function sealFormerHead({ seq, hash }: Head) {
  if (await SELECT.one.from(AuditLog).columns('ID').where({ action: KEY_MADE })) return
  await cds.tx(async () => {
    const changed: unknown = await UPDATE.entity(AuditHead)
      .set(newSeal({ seq, hash }))
      .where({ ID: 1, seq, hash, sealKey: null })
    if (changed !== 1) return
    await writeKeyMade({ seq, hash })
    cds.log('audit').warn(`The head of the audit trail, ${seq}:${hash}, bears a seal from now on.`)
  })
}

async function rewrapKey(sealKey: string) {
  const changed = rewrapped(sealKey)
  if (changed) await UPDATE.entity(AuditHead).set({ sealKey: changed }).where({ ID: 1, sealKey })
}

/**
 * The head, locked until commit, so that the chain cannot fork.
 * @throws Error where it is gone or forged: nothing is sealed until that is mended
 */
export async function lockHead(): Promise<Head> {
  const seen = newestSeen()
  await UPDATE.entity(AuditHead).set({ sealedAt: new Date().toISOString() }).where({ ID: 1 })
  const head = await readHead()
  const fault = head ? faultOf(head, seen) : 'gone'
  if (!head || fault) throw new Error(`Nothing is sealed: the head of the audit trail is ${fault}.`)
  return head
}

/** @returns where it is then */
export async function moveHead(from: Head, to: Place): Promise<Head> {
  const seal = macOf(openSealKey(from.sealKey!)!, textOf(to))
  const moved: unknown = await UPDATE.entity(AuditHead)
    .set({ ...to, seal })
    .where({ ID: 1, seq: from.seq, hash: from.hash })
  if (moved !== 1) throw new Error('The audit trail was sealed by somebody else meanwhile.')
  return { ...from, ...to, seal }
}
