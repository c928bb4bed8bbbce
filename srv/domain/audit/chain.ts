// What the audit trail is made of: entries, each hashed after the one before it, and a head that proves who sealed them.
import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { type AnyRow, AuditLog, ProposalEvents } from '../../base/database/entities.ts'
import { isSealedByPresent, openText, sealText } from '../../base/database/secrets/vault.ts'

/** The two entities with entries, and their columns that are hashed besides the time. */
export const TRAILS = [
  {
    kind: 'proposal',
    entity: ProposalEvents,
    columns: [
      'ID',
      'actor',
      'comment',
      'event',
      'evidence',
      'onBehalfOf',
      'proposal',
      'quantity',
      'version',
      'via',
    ],
  },
  {
    kind: 'act',
    entity: AuditLog,
    columns: ['ID', 'action', 'actor', 'detail', 'object', 'via'],
  },
] as const

export type Trail = (typeof TRAILS)[number]

/** An entry of the trail; `seq`, `previousHash` and `hash` are null until it is sealed. */
export interface Entry {
  trail: Trail
  row: AnyRow
  ID: string
  at: string
  seq: number
  previousHash: string | null
  hash: string | null
}

/** The hash that stands in for a previous one at the first entry. */
export const GENESIS = '0'.repeat(64)

const NUMBERS = new Set(['proposal', 'quantity', 'version'])

export function toEntry(trail: Trail, row: AnyRow): Entry {
  return {
    trail,
    row,
    ID: String(row.ID),
    at: new Date(String(row.at)).toISOString(),
    seq: Number(row.seq),
    previousHash: (row.previousHash as string | null) ?? null,
    hash: (row.hash as string | null) ?? null,
  }
}

/** The rows of both entities that satisfy a query, as entries. */
export async function readTrails(
  query: (entity: Trail['entity']) => PromiseLike<AnyRow[]>,
): Promise<Entry[]> {
  const entries: Entry[] = []
  for (const trail of TRAILS) {
    const rows = await query(trail.entity)
    entries.push(...rows.map((row) => toEntry(trail, row)))
  }
  return entries
}

/** The first entry found that satisfies the condition. */
export async function findEntry(where: object): Promise<Entry | undefined> {
  const [entry] = await readTrails((entity) => SELECT.from(entity).where(where).limit(1))
  return entry
}

/** SHA-256 (hex) of the hash before it and the entry as canonical JSON: members by name, no blanks. */
export const hashAfter = (previousHash: string, entry: Entry) =>
  hash('sha256', `${previousHash}\n${canonicalOf(entry)}`)

export function canonicalOf({ trail, row, at }: Entry): string {
  const members: [string, unknown][] = trail.columns.map((name) => [name, valueOf(name, row[name])])
  members.push(['at', at], ['kind', trail.kind])
  return JSON.stringify(Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1))))
}

/** Databases differ on how they answer large integers. */
const valueOf = (name: string, value: unknown) =>
  value === null || value === undefined ? null : NUMBERS.has(name) ? Number(value) : String(value)

/** What an entry is about, as people name it. */
export const objectOf = ({ trail, row }: Entry) =>
  trail.kind === 'proposal' ? `prop_${row.proposal}` : String(row.object)

export const actionOf = ({ trail, row }: Entry) =>
  trail.kind === 'proposal' ? `proposal.${row.event}` : String(row.action)

// The head bears an HMAC, whose key the key ring encrypts: whoever can only write to the database cannot make one.

/** The last sealed entry, and what proves that the service sealed it. */
export interface Head {
  seq: number
  hash: string
  sealedAt: string | null
  /** HMAC of `seq:hash`. */
  seal: string | null
  sealKey: string | null
}

export type Place = Pick<Head, 'seq' | 'hash'>

export const textOf = ({ seq, hash }: Place) => `${seq}:${hash}`

const CONTEXT = 'restock audit trail'

/** A new random key, encrypted. */
export const newSealKey = () => sealText(CONTEXT, randomBytes(32).toString('base64'))

/** The same key under the present key of the ring; null where it is already, or no known key opens it. */
export function rewrapped(sealKey: string): string | null {
  if (isSealedByPresent(sealKey)) return null
  const key = openSealKey(sealKey)
  return key && sealText(CONTEXT, key.toString('base64'))
}

let opened: { sealKey: string; key: Buffer } | undefined

/** Null where no known key of the ring opens it. */
export function openSealKey(sealKey: string): Buffer | null {
  if (opened?.sealKey !== sealKey) {
    const text = tryToOpen(sealKey)
    if (text === null) return null
    opened = { sealKey, key: Buffer.from(text, 'base64') }
  }
  return opened.key
}

function tryToOpen(sealKey: string): string | null {
  try {
    return openText(CONTEXT, sealKey)
  } catch {
    return null // Another context, or a changed bit.
  }
}

export function sealFaultOf(head: Head): 'head_changed' | 'head_key_unknown' | null {
  if (!head.sealKey) return 'head_changed'
  const key = openSealKey(head.sealKey)
  if (!key) return 'head_key_unknown'
  return isMacOf(key, textOf(head), head.seal) ? null : 'head_changed'
}

/** HMAC-SHA-256 (RFC 2104), hex. */
export const macOf = (key: Buffer, text: string) =>
  createHmac('sha256', key).update(text).digest('hex')

export function isMacOf(key: Buffer, text: string, mac: string | null): boolean {
  const [expected, given] = [Buffer.from(macOf(key, text)), Buffer.from(mac ?? '')]
  return expected.length === given.length && timingSafeEqual(expected, given)
}
