// The lines of a supplier order's task, each of which may be excluded or given another quantity.
import { randomUUID } from 'node:crypto'
import type { ProposalStatus } from '#cds-models/restock'
import { Proposals, readAs, TaskComments, TaskLines, Tasks } from '../../base/database/entities.ts'
import {
  type Capacity,
  deputyOf,
  isWithin,
  joined,
  type Predicate,
  predicateOf,
  type RowRestriction,
} from '../../domain/authority/index.ts'
import { type TermColumns, TERMS } from '../../domain/proposals/index.ts'
import { changeTasks, linesOf, updateTasks } from './feed/advance.ts'
import { audiences, statusOf, type TaskProposal, termsOfRows } from './feed/audience.ts'
import { readTask, writeTasks } from './feed/feed.ts'
import type { Person } from './person.ts'
import { alreadyDecided, claimedByOther, invalid, notFound, notRecipient } from './refusal.ts'
import { groupOf } from './settings.ts'
import { type Door, isFinal, keepShown, type Task } from './task.ts'

interface LineChange {
  /** prop_1042 */
  proposal: string
  excluded?: boolean
  /** Null for the proposed one. */
  quantity?: number | null
}

/** @returns all lines as they are then */
export async function changeLines(person: Person, localId: string, changes: LineChange[]) {
  const task = await openTaskFor(person, localId)
  if (task.proposal !== null) throw notFound('This task has no lines.')
  if (changes.length) {
    assertFree(task, person)
    await storeLines(localId, changes)
  }
  await keepShown([await findTask(localId)], { door: 'task_center', user: person.id })
  return linesOfTask(localId)
}

async function storeLines(localId: string, changes: LineChange[]) {
  const known = await linesOf({ task: localId })
  const ids = changes.map(({ proposal }) => Number(proposal.slice('prop_'.length)))
  const unknown = ids.findIndex((id) => !known.some(({ proposal }) => proposal === id))
  if (unknown >= 0) throw invalid(`lines.${unknown}.proposal`, 'is no line of this task')
  await changeTasks(async () => {
    for (const [index, { excluded, quantity }] of changes.entries()) {
      const set = {
        ...(excluded === undefined ? {} : { excluded }),
        ...(quantity === undefined ? {} : { quantity }),
      }
      if (!Object.keys(set).length) continue
      await UPDATE.entity(TaskLines).set(set).where({ task: localId, proposal: ids[index] })
    }
  })
  await updateTasks([ids[0]!])
}

interface LineRow {
  ID: number
  sku: string
  location: string
  quantity: number
  status: ProposalStatus
}

async function linesOfTask(localId: string) {
  const lines = await linesOf({ task: localId })
  const rows = await readAs<LineRow>(
    SELECT.from(Proposals)
      .columns('ID', 'sku', 'location', 'quantity', 'status')
      .where({ ID: { in: lines.map(({ proposal }) => proposal) } }),
  )
  return lines.flatMap(({ proposal, excluded, quantity }) => {
    const row = rows.find(({ ID }) => ID === proposal)
    if (!row) return []
    const { sku, location, status } = row
    return [
      {
        ...{ proposal: `prop_${proposal}`, sku, location, status, excluded },
        quantity: quantity ?? Number(row.quantity),
        proposedQuantity: Number(row.quantity),
      },
    ]
  })
}

// The tasks in a person's inbox: tasks of the person's audiences about rows that the person may see. A deputy
// also has the tasks in the inbox of the absent person.

/** The names of the columns of restock.Tasks in the entity that is read. */
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

/** The condition that a task is in the person's inbox. */
export async function inboxOf(person: Person, names = OWN_NAMES): Promise<Predicate> {
  const capacities = [
    { rows: person.rows, audiences: await audiencesOf(person.id, person.groups) },
    ...(await deputyInboxes(person)),
  ]
  const is = (name: string) => [{ ref: [name] }, '=', { val: person.id }]
  const isOwn = [...is(names.processor), 'or', ...is(names.completedBy)]
  const either = capacities.flatMap(({ rows, audiences }) => {
    const audience = { ref: [names.audience] }
    const list = { list: audiences.map((val) => ({ val })) }
    const isTheirs = audiences.length ? [audience, 'in', list, 'or', ...isOwn] : isOwn
    const isSeen = rows ? ['and', { ref: [names.localId] }, 'in', tasksAbout(rows)] : []
    return ['or', { xpr: [{ xpr: isTheirs }, ...isSeen] }]
  })
  return { xpr: either.slice(1) as object[] }
}

const deputyInboxes = async ({ id }: Person) =>
  Promise.all(
    (await deputyOf(id)).map(async ({ person }: Capacity) => {
      const groups = person.roles.map((role) => groupOf(role))
      return { rows: person.rows, audiences: await audiencesOf(person.id, groups) }
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
function tasksAbout(rows: RowRestriction) {
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

/** Whether the person, or somebody whose deputy the person is, sees all rows of a task. */
async function isSeenBy({ id, rows }: Person, localId: string): Promise<boolean> {
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

async function isInInbox(person: Person, localId: string): Promise<boolean> {
  const found: unknown = await SELECT.one
    .from(Tasks)
    .columns('localId')
    .where({ localId })
    .where(await inboxOf(person))
  return Boolean(found)
}

// Claiming, releasing and commenting on a task, for every inbox.

/**
 * The task in the current state of its proposal, even before the feed has followed the change.
 * @throws TaskRefusal 404
 */
export async function findTask(localId: string): Promise<Task> {
  const [found, proposal] = [await readTask(localId), await readProposalState(localId)]
  if (found && (!proposal || isUpToDate(found, proposal))) return found
  if (!proposal) throw notFound()
  await updateTasks([proposal.ID])
  const made = await readTask(localId)
  if (!made) throw notFound()
  return made
}

type ProposalState = Pick<TaskProposal, 'ID' | 'status'> & TermColumns

async function readProposalState(localId: string): Promise<ProposalState | null> {
  const [, digits] = /^prop_([1-9]\d{0,8})$/.exec(localId) ?? []
  if (!digits) return null
  return readAs<ProposalState>(
    SELECT.one
      .from(Proposals)
      .columns('ID', 'status', ...TERMS)
      .where({ ID: Number(digits) }),
  )
}

/** Whether a task shows the current status and terms of its proposal. */
function isUpToDate(task: Task, proposal: ProposalState): boolean {
  const shown = task.status === 'RESERVED' ? 'READY' : task.status
  return shown === statusOf(proposal) && task.terms === termsOfRows([proposal])
}

/** @throws TaskRefusal 404, also where the person does not see its rows; 403 where the task is for others */
export async function openTaskFor(person: Person, localId: string): Promise<Task> {
  const task = await findTask(localId)
  if (await isInInbox(person, localId)) return task
  throw (await isSeenBy(person, localId)) ? notRecipient() : notFound()
}

/** @throws TaskRefusal 409 where the task is over, or somebody else has claimed it */
export function assertFree(task: Task, { id }: Person) {
  if (isFinal(task)) throw alreadyDecided()
  if (task.processor && task.processor !== id) throw claimedByOther()
}

/** Stores a comment, in the caller's transaction. */
export async function storeComment(
  { localId: task }: Task,
  text: string | null,
  { id }: Person,
  via: Door,
) {
  if (!text) return null
  const row = { ID: randomUUID(), task, at: new Date().toISOString(), author: id, via, text }
  await INSERT.into(TaskComments).entries(row)
  return row
}

/** Adds a comment without a decision. */
export async function addComment(person: Person, localId: string, text: string, door: Door) {
  const task = await openTaskFor(person, localId)
  return (await storeComment(task, text, person, door))!
}

/**
 * Claims or releases a task. Doing so twice changes nothing.
 * @throws TaskRefusal 409 where somebody else has it, or it is over
 */
export async function setClaim(person: Person, localId: string, isClaimed: boolean): Promise<Task> {
  await openTaskFor(person, localId)
  await changeTasks(async (feed) => {
    const row = (await readTask(localId))!
    assertFree(row, person)
    if (row.status === 'FOR_RESUBMISSION') throw alreadyDecided()
    const { stamp: _s, place: _p, fingerprint: _f, ...task } = row
    const claim = isClaimed
      ? { processor: person.id, status: 'RESERVED' as const }
      : { processor: null, status: 'READY' as const }
    await writeTasks([{ ...task, ...claim }], feed)
  })
  return findTask(localId)
}
