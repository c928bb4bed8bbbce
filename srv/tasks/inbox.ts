// The tasks in a person's inbox: tasks of the person's audiences about rows that the person may see. A deputy
// also has the tasks in the inbox of the absent person.
import {
  type Capacity,
  deputyOf,
  isWithin,
  joined,
  type Predicate,
  predicateOf,
  type Rows,
} from '../authority/index.ts'
import { Proposals, TaskLines, Tasks } from '../store/entities.ts'
import { audiences } from './feed/audience.ts'
import type { Person } from './person.ts'
import { groupOf } from './settings.ts'

/** How the columns of restock.Tasks are named where the inbox is read. */
interface Names {
  localId: string
  audience: string
  processor: string
  completedBy: string
}

const OWN_NAMES: Names = {
  ...{ localId: 'localId', audience: 'audience' },
  ...{ processor: 'processor', completedBy: 'completedBy' },
}

/** What a task of somebody's inbox satisfies. */
export async function inboxOf(person: Person, names = OWN_NAMES): Promise<Predicate> {
  const capacities = [
    { rows: person.rows, among: await audiencesOf(person.id, person.groups) },
    ...(await deputyInboxes(person)),
  ]
  const is = (name: string) => [{ ref: [name] }, '=', { val: person.id }]
  const isOwn = [...is(names.processor), 'or', ...is(names.completedBy)]
  const either = capacities.flatMap(({ rows, among }) => {
    const audience = { ref: [names.audience] }
    const list = { list: among.map((val) => ({ val })) }
    const isTheirs = among.length ? [audience, 'in', list, 'or', ...isOwn] : isOwn
    const isSeen = rows ? ['and', { ref: [names.localId] }, 'in', tasksAbout(rows)] : []
    return ['or', { xpr: [{ xpr: isTheirs }, ...isSeen] }]
  })
  return { xpr: either.slice(1) as object[] }
}

const deputyInboxes = async ({ id }: Person) =>
  Promise.all(
    (await deputyOf(id)).map(async ({ person }: Capacity) => {
      const groups = person.roles.map((role) => groupOf(role))
      return { rows: person.rows, among: await audiencesOf(person.id, groups) }
    }),
  )

async function audiencesOf(user: string, groups: string[]): Promise<string[]> {
  return [...(await audiences()).values()]
    .filter(
      (each) => each.users.includes(user) || each.groups.some((name) => groups.includes(name)),
    )
    .map(({ ID }) => ID)
}

/** Tasks about these rows; an order only if all its lines are. */
function tasksAbout(rows: Rows) {
  const unseen = SELECT.from(Proposals)
    .columns('ID')
    .where({ xpr: ['not', predicateOf(rows)] })
  const withUnseen = SELECT.from(TaskLines)
    .columns('task')
    .where({ proposal: { in: unseen } })
  const isNone = [{ ref: ['proposal'] }, '=', { val: null }]
  const isOrder = [...isNone, 'and', { ref: ['localId'] }, 'not in', withUnseen]
  const isSeen = predicateOf(rows, 'source')
  const isSingle = [{ ref: ['proposal'] }, '!=', { val: null }, 'and', isSeen]
  const xpr = [{ xpr: isSingle }, 'or', { xpr: isOrder }]
  return SELECT.from(Tasks).columns('localId').where({ xpr })
}

/** Whether the person, or somebody whose deputy this is, sees all that a task is about. */
export async function isSeenBy({ id, rows }: Person, localId: string): Promise<boolean> {
  const bounds = [rows, ...(await deputyOf(id)).map(({ person }) => person.rows)]
  const seen: Predicate[] = []
  for (const each of bounds) {
    if (!each) return true
    seen.push(isWithin('localId', tasksAbout(each)))
  }
  const query = SELECT.one.from(Tasks).columns('localId').where({ localId })
  const found: unknown = await query.where(joined(seen, 'or'))
  return Boolean(found)
}

/** Whether a task stands in this person's inbox. */
export async function isInInbox(person: Person, localId: string): Promise<boolean> {
  const found: unknown = await SELECT.one
    .from(Tasks)
    .columns('localId')
    .where({ localId })
    .where(await inboxOf(person))
  return Boolean(found)
}
