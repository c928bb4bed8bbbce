// Claiming, releasing and commenting on a task, for every inbox.
import { randomUUID } from 'node:crypto'
import { Proposals, readAs, TaskComments } from '../store/entities.ts'
import { type TermColumns, TERMS } from '../store/proposal-terms.ts'
import { changeTasks, updateTasks } from './feed/advance.ts'
import { type ProposalRow, statusOf, termsOfRows } from './feed/draft.ts'
import { readTask, writeTasks } from './feed/feed.ts'
import { isInInbox, isSeenBy } from './inbox.ts'
import type { Person } from './person.ts'
import { alreadyDecided, claimedByOther, notFound, notRecipient } from './refusal.ts'
import { type Door, isFinal, type Task } from './task.ts'

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

type ProposalState = Pick<ProposalRow, 'ID' | 'status'> & TermColumns

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
