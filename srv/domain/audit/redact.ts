// Replaces the id of an erased person in the audit trail, in the caller's transaction.
import { hash as digest, randomUUID } from 'node:crypto'
import cds from '@sap/cds'
import { type AnyRow, AuditRedactions, Evidence } from '../../base/database/entities.ts'
import { mayNotChangeTrail, REDACT } from '../../base/database/grants.ts'
import {
  canonicalOf,
  type Entry,
  hashAfter,
  type Head,
  isMacOf,
  macOf,
  openSealKey,
  toEntry,
  type Trail,
  TRAILS,
} from './chain.ts'
import { lockHead } from './seal.ts'

interface Redaction {
  user: string
  /** The text that replaces the id. */
  pseudonym: string
}

/** Columns that hold an id, or a text that may contain one. */
const NAMING = ['actor', 'comment', 'detail', 'object', 'onBehalfOf'] as const
const PAGE = 500

/**
 * @returns the number of entries that were changed
 * @throws Error where one of them is not as it was sealed: what somebody else has changed is not covered up
 */
export async function redactEntries(redaction: Redaction): Promise<number> {
  const head = await lockHead()
  let count = 0
  for (const trail of TRAILS) {
    const columns = NAMING.filter((name) => (trail.columns as readonly string[]).includes(name))
    for (let after = ''; ;) {
      const rows = await readMentions(trail, columns, redaction.user, after)
      for (const row of rows) {
        const fields = replacedIn(row, columns, redaction)
        if (!fields) continue
        await redactEntry(toEntry(trail, row), fields, redaction, head)
        count++
      }
      if (rows.length < PAGE) break
      after = String(rows.at(-1)!.ID)
    }
  }
  return count
}

/** Rows that may name the user, in the order of their keys. */
function readMentions({ entity }: Trail, columns: string[], user: string, after: string) {
  const pattern = `%${user.replaceAll('\\', '_')}%`
  const mentions = columns.flatMap((ref, at) => [
    ...(at ? ['or'] : []),
    ...[{ ref: [ref] }, 'like', { val: pattern }],
  ])
  const where = [{ ref: ['ID'] }, '>', { val: after }, 'and', { xpr: mentions }]
  return SELECT.from(entity)
    .where(where as never)
    .orderBy('ID')
    .limit(PAGE) as Promise<AnyRow[]>
}

type Fields = Record<string, string | null>

/** The columns with the id replaced; null if they do not contain it. */
function replacedIn(row: AnyRow, columns: readonly string[], redaction: Redaction): Fields | null {
  const before = columns.map((name) => [name, row[name] as string | null] as const)
  const after = before.map(([name, text]) => [name, text && withoutUser(text, redaction)] as const)
  const isChanged = before.some(([, text], at) => text !== after[at]![1])
  return isChanged ? Object.fromEntries(after) : null
}

/** The id as a word of its own: `ann` stays in `annual` and in `ann@example.com`. */
function withoutUser(text: string, { user, pseudonym }: Redaction) {
  const id = user.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
  const word = new RegExp(`(?<![\\p{L}\\p{N}_@.-])${id}(?!\\.?[\\p{L}\\p{N}_@-])`, 'gu')
  return text.replace(word, () => pseudonym)
}

async function redactEntry(entry: Entry, fields: Fields, redaction: Redaction, head: Head) {
  const isSealed = entry.hash !== null
  if (isSealed) await assertGenuine(entry, head)
  const content = await replacedEvidence(entry, redaction)
  const row = { ...entry.row, ...fields, ...(content && { evidence: digest('sha256', content) }) }
  await writeEntry(entry, row, content, redaction)
  if (!isSealed) return
  const mac = redactionOf({ ...entry, row }, head)
  await INSERT.into(AuditRedactions).entries({
    ...{ ID: randomUUID(), entry: entry.ID, seq: entry.seq, mac, at: new Date().toISOString() },
  })
}

async function assertGenuine(entry: Entry, head: Head) {
  if (entry.hash === hashAfter(entry.previousHash ?? '', entry)) return
  if (await isRedacted(entry, head)) return
  throw new Error(`Entry ${entry.seq} of the audit trail is not as it was sealed: verify it first.`)
}

/** Members of evidence that may name a person. */
const OF_PEOPLE = ['by', 'comment', 'onBehalfOf'] as const

/** The evidence of a decision with the id replaced; null where it has none, or does not name the user. */
async function replacedEvidence({ ID, row }: Entry, redaction: Redaction): Promise<string | null> {
  if (!row.evidence) return null
  const kept = await SELECT.one.from(Evidence).columns('content').where({ event: ID })
  const content = kept?.content ?? ''
  if (digest('sha256', content) !== row.evidence) return null
  const members = JSON.parse(content) as { [name in (typeof OF_PEOPLE)[number]]?: unknown }
  const after = OF_PEOPLE.reduce((text, name) => {
    const value = members[name]
    if (typeof value !== 'string') return text
    const member = (of: string) => `"${name}":${JSON.stringify(of)}`
    return text.replace(member(value), () => member(withoutUser(value, redaction)))
  }, content)
  return after === content ? null : after
}

async function writeEntry(
  { trail, ID }: Entry,
  row: AnyRow,
  content: string | null,
  { user, pseudonym }: Redaction,
) {
  const columns = Object.fromEntries(
    [...NAMING, 'evidence'].filter((name) => name in row).map((name) => [name, row[name]]),
  )
  if (await mayNotChangeTrail()) {
    const given = JSON.stringify({ ...columns, ...(content && { content }) })
    await cds.run(REDACT, [trail.kind, ID, user, pseudonym, given])
    return
  }
  await UPDATE.entity(trail.entity).set(columns).where({ ID })
  if (content) await UPDATE.entity(Evidence).set({ content }).where({ event: ID })
}

// An erased person's id is replaced in sealed entries. Their hashes stay, and with them the chain; an HMAC covers what they say now.

const textOf = (entry: Entry) => `redaction\n${entry.hash}\n${canonicalOf(entry)}`

/** @throws Error where no known key opens that of the head */
function redactionOf(entry: Entry, { sealKey }: Head): string {
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
