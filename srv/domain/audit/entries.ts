import { hash } from 'node:crypto'
import { type AnyRow, AuditLog, ProposalEvents } from '../../base/database/entities.ts'

/** Where entries stand, and which columns of them are hashed, beside their time. */
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
    ].concat('version', 'via'),
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

/** What the first entry follows. */
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
