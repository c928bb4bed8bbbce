// Personal data of those who use the service: what is stored of somebody, and its erasure. For administrators.
import { randomBytes } from 'node:crypto'
import cds from '@sap/cds'
import { inTransaction } from '../../base/cap/context.ts'
import { writeAuditLog } from '../../base/database/audit.ts'
import { type AnyEntity, TaskAudiences, TaskFeed } from '../../base/database/entities.ts'
import { invalidParameter, Refusal } from '../../base/errors.ts'
import { assertAdmin } from '../../base/roles.ts'
import { redactEntries, sealNow } from '../audit/index.ts'
import { endDelegationsOf, forgetPerson } from '../authority/index.ts'
import { revokeKeysOf } from '../keys/index.ts'

// Where people are stored, as the model says: db/personal-data.cds.

interface PersonTable {
  /** `restock.Users` */
  entity: string
  /** Elements with the id of the person whom the whole row is about. */
  own: string[]
  /** Elements with the id of a person in rows about something else. */
  users: string[]
  /** What an export shows: keys, times, and what is personal. */
  shown: string[]
}

interface Element {
  key?: boolean
  type?: string
  '@PersonalData.FieldSemantics'?: string
  '@PersonalData.IsPotentiallyPersonal'?: boolean
}

interface Definition {
  kind?: string
  query?: unknown
  elements?: Record<string, Element>
  '@PersonalData.EntitySemantics'?: string
}

/** Encrypted elements, which an export leaves out. */
const HIDDEN = ['sealed']

export function personTables(): PersonTable[] {
  const definitions = Object.entries(cds.model!.definitions as Record<string, Definition>)
  return definitions
    .filter(([name, { kind, query }]) => kind === 'entity' && !query && name.startsWith('restock.'))
    .filter(([, definition]) => definition['@PersonalData.EntitySemantics'])
    .map(([entity, { elements = {} }]) => tableOf(entity, Object.entries(elements)))
}

function tableOf(entity: string, elements: [string, Element][]): PersonTable {
  const having = (semantics: string) =>
    elements
      .filter(([, element]) => element['@PersonalData.FieldSemantics'] === semantics)
      .map(([name]) => name)
  const isShown = ([name, element]: [string, Element]) =>
    !HIDDEN.includes(name) &&
    (element.key === true ||
      element.type === 'cds.Timestamp' ||
      '@PersonalData.FieldSemantics' in element ||
      '@PersonalData.IsPotentiallyPersonal' in element)
  return {
    entity,
    own: having('DataSubjectID'),
    users: having('UserID'),
    shown: elements.filter(isShown).map(([name]) => name),
  }
}

/** Rows of one table that an export holds at most. */
const MOST = 100_000

/** All rows that name a person, as JSON by table. @throws Refusal insufficient_scope, not_found */
export async function exportPerson(user: string): Promise<string> {
  assertAdmin()
  const found: Record<string, unknown[]> = {}
  for (const { entity, own, users, shown } of personTables()) {
    const named = [...own, ...users]
    if (!named.length) continue
    const rows: unknown[] = await SELECT.from(entity as AnyEntity)
      .columns(...shown)
      .where(anyOf(named, user))
      .limit(MOST)
    if (rows.length) found[entity.replace('restock.', '')] = rows
  }
  if (!Object.keys(found).length)
    throw new Refusal('not_found', 'Nothing is stored of this person.')
  return JSON.stringify({ user, exportedAt: new Date().toISOString(), ...found }, null, 2)
}

const anyOf = (elements: string[], val: string) =>
  elements.flatMap((name, at) => [...(at ? ['or'] : []), { ref: [name] }, '=', { val }]) as never

/** The audit trail replaces ids in these entities itself, to keep its chain valid. */
const OF_TRAIL = ['restock.AuditLog', 'restock.ProposalEvents']

/**
 * Deletes what is about a person, and puts a pseudonym that nobody can resolve wherever else the id stands.
 * @throws Refusal insufficient_scope, not_found; invalid_parameter for ids that are no person's, and for one's own
 */
export const erasePerson = (user: string) => inTransaction(() => erase(user))

async function erase(user: string) {
  assertAdmin()
  if (
    !user ||
    user === cds.context?.user?.id ||
    /^(system|others|key:.*|erased-[0-9a-f]{16})$/.test(user)
  ) {
    throw invalidParameter('user', 'must be the id of another person')
  }
  // Sealing has its own transaction, and must end before this one begins to change entries.
  await sealNow()
  await holdTasks()
  const pseudonym = `erased-${randomBytes(8).toString('hex')}`
  const isKnown = await takeRights(user)
  const entries = await redactEntries({ user, pseudonym })
  let rows = 0
  for (const { entity, own, users } of personTables()) {
    if (OF_TRAIL.includes(entity)) continue
    const table = entity as AnyEntity
    for (const name of own) rows += Number(await DELETE.from(table).where({ [name]: user }))
    for (const name of users) {
      const changed: unknown = await UPDATE.entity(table)
        .set({ [name]: pseudonym })
        .where({ [name]: user })
      rows += Number(changed)
    }
  }
  rows += await replaceRecipient(user, pseudonym)
  if (!isKnown && !entries && !rows)
    throw new Refusal('not_found', 'Nothing is stored of this person.')
  await writeAuditLog('person.erased', `user:${pseudonym}`, JSON.stringify({ rows, entries }))
  return { pseudonym, rows, entries }
}

/** Locks the feed of tasks: a task that is being made from rows read before could contain the id again. */
const holdTasks = () => UPDATE.entity(TaskFeed).set({ orders: { '+=': 0 } })

/**
 * Removes a person who has left: the keys that act as them and the delegations from and to them end. After a new sign-in the
 * person is known again, but gets none of this back.
 * @throws Refusal insufficient_scope, not_found
 */
export const removePerson = (user: string) =>
  inTransaction(async () => {
    assertAdmin()
    if (!(await takeRights(user))) throw new Refusal('not_found', 'There is no such person.')
  })

/** @returns whether somebody of this id had signed in */
async function takeRights(user: string): Promise<boolean> {
  if (!(await forgetPerson(user))) return false
  await revokeKeysOf(user)
  await endDelegationsOf(user)
  await writeAuditLog('user.removed', `user:${user}`, '')
  return true
}

/** The recipients of a task are stored as a list in JSON. */
async function replaceRecipient(user: string, pseudonym: string): Promise<number> {
  const [before, after] = [JSON.stringify(user), JSON.stringify(pseudonym)]
  const lists = await SELECT.from(TaskAudiences).columns('ID', 'users', 'recipients')
  const naming = lists.filter(({ users, recipients }) => `${users} ${recipients}`.includes(before))
  for (const { ID, users, recipients } of naming) {
    const replaced = (list: string | null) => list && list.replaceAll(before, after)
    await UPDATE.entity(TaskAudiences)
      .set({ users: replaced(users), recipients: replaced(recipients) })
      .where({ ID })
  }
  return naming.length
}
