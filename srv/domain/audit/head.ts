import cds from '@sap/cds'
import { writeAuditLog } from '../../base/database/audit.ts'
import { AuditHead, AuditLog } from '../../base/database/entities.ts'
import { GENESIS, TRAILS } from './entries.ts'
import { beginAnchor, readAnchor } from './anchor.ts'
import {
  type Head,
  macOf,
  newSealKey,
  openSealKey,
  type Place,
  rewrapped,
  sealFaultOf,
  textOf,
} from './head-seal.ts'

/** An entry of this action tells that a key was made: it happens once. */
const KEY_MADE = 'audit.key_made'
/** An entry of this action tells that no anchor was there, or that it was put away. */
const ANCHOR_BEGUN = 'audit.anchor_begun'

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

export type HeadFault =
  /** It bears no seal of ours, or is gone. */
  | 'head_changed'
  /** No known key opens that of its seal. */
  | 'head_key_unknown'
  /** It is one from before the anchor. */
  | 'truncated'
  /** The chain leads to it by another way than to the anchor. */
  | 'anchor_not_found'

/** @param anchor as it was before the head was read */
export async function faultOf(head: Head | null, anchor: Place | null): Promise<HeadFault | null> {
  if (!head) return anchor || (await isAnySealed()) ? 'head_changed' : null
  const fault = sealFaultOf(head)
  if (fault || !anchor) return fault
  const hash = await hashAt(anchor.seq)
  if (head.seq < anchor.seq || (head.seq === anchor.seq && !hash)) return 'truncated'
  return hash === anchor.hash ? null : 'anchor_not_found'
}

async function hashAt(seq: number) {
  for (const { entity } of TRAILS) {
    const row = await SELECT.one.from(entity).columns('hash').where({ seq })
    if (row) return row.hash
  }
  return null
}

/**
 * Before anything is sealed: makes the head of an empty trail, and the key of one that a former version made. Several
 * instances may do so at once.
 */
export async function prepareHead() {
  const anchor = await readAnchor()
  const head = await readHead()
  if (!head) {
    if (!(await faultOf(head, anchor))) await makeHead()
  } else if (head.sealKey) await rewrapKey(head.sealKey)
  else if (!anchor) await sealFormerHead(head)
  await beginAnchor(async () => {
    if (head?.seq) await writeAuditLog(ANCHOR_BEGUN, 'audit', `head ${textOf(head)}`)
  })
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
  const anchor = await readAnchor()
  await UPDATE.entity(AuditHead).set({ sealedAt: new Date().toISOString() }).where({ ID: 1 })
  const head = await readHead()
  const fault = head ? await faultOf(head, anchor) : 'gone'
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
