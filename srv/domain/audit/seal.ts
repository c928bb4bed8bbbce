import { setImmediate as others } from 'node:timers/promises'
import cds from '@sap/cds'
import { runDetached } from '../../base/cap/context.ts'
import { writeAuditLog } from '../../base/database/audit.ts'
import { AuditHead, AuditLog } from '../../base/database/entities.ts'
import { Worker } from '../../base/work/worker.ts'
import { beginAnchor, noteHead, readAnchor } from './anchor.ts'
import {
  type Entry,
  findEntry,
  GENESIS,
  hashAfter,
  type Head,
  macOf,
  newSealKey,
  openSealKey,
  type Place,
  rewrapped,
  sealFaultOf,
  textOf,
  readTrails,
  type Trail,
  TRAILS,
} from './chain.ts'

/** The action of the entry that says that a seal key was made; this happens once. */
const KEY_MADE = 'audit.key_made'
/** The action of the entry that says that no anchor was found, or that it had been removed. */
const ANCHOR_BEGUN = 'audit.anchor_begun'

export async function readHead(): Promise<Head | null> {
  const row = await SELECT.one.from(AuditHead).where({ ID: 1 })
  if (!row) return null
  const { hash, sealedAt, seal, sealKey } = row
  return { seq: Number(row.seq), hash: hash!, sealedAt, seal, sealKey }
}

export type HeadFault =
  /** The head is missing, or this service did not seal it. */
  | 'head_changed'
  /** No known key of the key ring decrypts the key of its seal. */
  | 'head_key_unknown'
  /** The head is older than the anchor. */
  | 'truncated'
  /** The chain up to the head does not contain the anchor. */
  | 'anchor_not_found'

/** @param anchor must have been read before the head */
export async function faultOf(head: Head | null, anchor: Place | null): Promise<HeadFault | null> {
  if (!head) return anchor || (await findEntry({ seq: { '!=': null } })) ? 'head_changed' : null
  const fault = sealFaultOf(head)
  if (fault || !anchor) return fault
  const anchored = await findEntry({ seq: anchor.seq })
  if (head.seq < anchor.seq || (head.seq === anchor.seq && !anchored)) return 'truncated'
  return anchored?.hash === anchor.hash ? null : 'anchor_not_found'
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

/** Seals the head of a former version, unless a key was made already: its trail may have been cut. */
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

/** @returns the new head */
async function moveHead(from: Head, to: Place): Promise<Head> {
  const seal = macOf(openSealKey(from.sealKey!)!, textOf(to))
  const moved: unknown = await UPDATE.entity(AuditHead)
    .set({ ...to, seal })
    .where({ ID: 1, seq: from.seq, hash: from.hash })
  if (moved !== 1) throw new Error('The audit trail was sealed by somebody else meanwhile.')
  return { ...from, ...to, seal }
}

type PlacedEntry = Pick<Entry, 'ID' | 'seq' | 'previousHash' | 'hash'>

// CAP's UPSERT writes every column, which the service's own database user may not (srv/base/database/grants.ts).
const STATEMENTS: Record<string, (table: string) => string> = {
  sqlite: (table) => `UPDATE ${table} AS e SET seq = n.value ->> 'seq',
    previousHash = n.value ->> 'previousHash', hash = n.value ->> 'hash'
    FROM json_each(?) AS n WHERE e.ID = n.value ->> 'ID'`,
  postgres: (table) => `UPDATE ${table} AS e SET seq = (n ->> 'seq')::integer,
    previousHash = n ->> 'previousHash', hash = n ->> 'hash'
    FROM json_array_elements($1::json) AS n WHERE e.ID = n ->> 'ID'`,
}

/** Stores the sequence numbers and hashes of entries. */
async function placeEntries({ entity }: Trail, entries: Entry[]) {
  if (!entries.length) return
  const places = entries.map(({ ID, seq, previousHash, hash }): PlacedEntry => {
    return { ID, seq, previousHash, hash }
  })
  const statement = STATEMENTS[cds.db.kind]?.(entity.replaceAll('.', '_'))
  await (statement
    ? cds.run(statement, [JSON.stringify(places)])
    : UPSERT.into(entity).entries(places))
}

/** Most entries that are sealed in one transaction, since other instances wait for the lock on the head meanwhile. */
const BATCH = 1000

/**
 * Gives every entry that was committed meanwhile its place in the chain, by time. Instances take
 * turns: the head is locked while a batch is sealed.
 * @returns the number of entries sealed
 */
export async function sealEntries(): Promise<number> {
  for (let sealed = 0, isPrepared = false; ; isPrepared = true) {
    if (!(await findEntry({ seq: null }))) return sealed
    if (!isPrepared) await prepareHead()
    const { head, count } = await cds.tx(sealBatch)
    noteHead(head)
    sealed += count
    await others()
  }
}

async function sealBatch() {
  const head = await lockHead()
  const entries = await nextEntries()
  let [seq, hash] = [head.seq, head.hash]
  for (const entry of entries) {
    entry.previousHash = hash
    entry.hash = hash = hashAfter(hash, entry)
    entry.seq = ++seq
  }
  for (const trail of TRAILS) {
    await placeEntries(
      trail,
      entries.filter((entry) => entry.trail === trail),
    )
  }
  const count = entries.length
  return { count, head: count ? await moveHead(head, { seq, hash }) : head }
}

async function nextEntries(): Promise<Entry[]> {
  const entries = await readTrails((entity) =>
    SELECT.from(entity).where({ seq: null }).orderBy('at', 'ID').limit(BATCH),
  )
  const byTime = (a: Entry, b: Entry) =>
    a.at === b.at ? (a.ID < b.ID ? -1 : 1) : a.at < b.at ? -1 : 1
  return entries.sort(byTime).slice(0, BATCH)
}

/** Seals without waiting for the next round, outside the caller's transaction. */
export const sealNow = () => runDetached('audit', sealEntries)

export const sealWorker = new Worker({
  name: 'audit',
  every: 2_000,
  isVital: true,
  // After a large run many entries wait.
  deadlineSeconds: 600,
  work: sealEntries,
})
