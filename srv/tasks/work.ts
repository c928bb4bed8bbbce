// What a person does with a task, whichever inbox it stands in.
import { randomUUID } from 'node:crypto'
import cds from '@sap/cds'
import { isRefusal, type Refusal } from '../errors.ts'
import { changeTasks, touch } from './feed/advance.ts'
import { audiences } from './feed/audience.ts'
import { statusOf } from './feed/draft.ts'
import { readTask, writeTasks } from './feed/feed.ts'
import { linesOf } from './feed/orders.ts'
import { type Person, userOf } from './person.ts'
import { alreadyDecided, claimedByOther, notFound, notRecipient, TaskRefusal } from './refusal.ts'
import { isFinal, type Task } from './task.ts'

const { INSERT, SELECT } = cds.ql

export type Door = 'task_center' | 'my_inbox'

export interface Decision {
  code: 'approve' | 'reject'
  comment: string | null
  reason: string | null
}

/**
 * The task as its proposal is now, also within the second in which the tasks follow.
 * @throws TaskRefusal 404
 */
export async function findTask(localId: string): Promise<Task> {
  const [found, proposal] = [await readTask(localId), await proposalOf(localId)]
  if (found && (!proposal || isTrue(found, proposal))) return found
  if (!proposal) throw notFound()
  await touch([proposal.ID])
  const made = await readTask(localId)
  if (!made) throw notFound()
  return made
}

interface Told {
  ID: number
  status: string
  quantity: unknown
}

async function proposalOf(localId: string): Promise<Told | null> {
  const [, digits] = /^prop_([1-9]\d{0,8})$/.exec(localId) ?? []
  if (!digits) return null
  return SELECT.one
    .from('restock.Proposals')
    .columns('ID', 'status', 'quantity')
    .where({ ID: Number(digits) }) as unknown as Promise<Told | null>
}

/** Whether a task says of its proposal what counts for a decision. */
function isTrue(task: Task, { status, quantity }: Told): boolean {
  const shown = task.status === 'RESERVED' ? 'READY' : task.status
  return shown === statusOf({ status }) && task.quantity === Number(quantity)
}

/** Audiences that this person belongs to. */
export async function audiencesOf({ id, groups }: Person): Promise<string[]> {
  return [...(await audiences()).values()]
    .filter(
      (each) => each.users.includes(id) || each.groups.some((group) => groups.includes(group)),
    )
    .map(({ ID }) => ID)
}

/** @throws TaskRefusal 404, 403 where the task is for others */
export async function openFor(person: Person, localId: string): Promise<Task> {
  const task = await findTask(localId)
  const isHers = task.completedBy === person.id || task.processor === person.id
  if (!isHers && !(await audiencesOf(person)).includes(task.audience)) throw notRecipient()
  return task
}

/**
 * Decides about all that the task is about, or about nothing: the one state machine does it.
 * @throws TaskRefusal and Refusal; 409 for whoever is not the first
 */
export async function decide(person: Person, localId: string, decision: Decision, door: Door) {
  const task = await openFor(person, localId)
  if (isFinal(task)) throw alreadyDecided()
  if (task.processor && task.processor !== person.id) throw claimedByOther()
  const lines = await decidable(task)
  await cds.tx({ user: userOf(person, door) } as never, async () => {
    const refused: { proposal: number; refusal: Refusal | TaskRefusal }[] = []
    for (const line of lines) {
      await decideLine(line, decision).catch((error) => {
        if (lines.length === 1 || !(isRefusal(error) || error instanceof TaskRefusal)) throw error
        refused.push({ proposal: line.proposal, refusal: error })
      })
    }
    if (refused.length) throw ofLines(refused)
    await comment(task, decision.comment, person, door)
  })
  await touch(lines.map(({ proposal }) => proposal))
  return findTask(localId)
}

interface DecidableLine {
  proposal: number
  quantity: number | null
}

async function decidable({ localId, proposal }: Task): Promise<DecidableLine[]> {
  if (proposal !== null) return [{ proposal, quantity: null }]
  const lines = await linesOf({ task: localId, excluded: false })
  const rows: { ID: number }[] = await SELECT.from('restock.Proposals')
    .columns('ID')
    .where({
      ID: { in: lines.map((line) => line.proposal) },
      status: { in: ['pending', 'awaiting_second_approval'] },
    })
  const open = new Set(rows.map(({ ID }) => ID))
  const found = lines.filter((line) => open.has(line.proposal))
  if (!found.length) throw alreadyDecided()
  return found
}

/** Approving twice is no fault at other doors; here the second is told that it came late. */
async function decideLine({ proposal: ID, quantity }: DecidableLine, decision: Decision) {
  const row = await SELECT.one
    .from('restock.Proposals')
    .columns('ID', 'status')
    .where({ ID })
    .forUpdate()
  if (!['pending', 'awaiting_second_approval', 'snoozed'].includes(row?.status)) {
    throw alreadyDecided()
  }
  const proposals = await cds.connect.to('ProposalsService')
  if (decision.code === 'approve') {
    await proposals.send('approve', { ID, quantity, comment: decision.comment })
  } else await proposals.send('decline', { ID, reason: decision.reason })
}

/** An order is decided as a whole: the first line's status stands for all. */
function ofLines(refused: { proposal: number; refusal: Refusal | TaskRefusal }[]) {
  const { status, code, message } = refused[0]!.refusal
  const details = refused.map(({ proposal, refusal }) => ({
    ...{ code: refusal.code, message: refusal.message, target: `prop_${proposal}` },
  }))
  const refusal = new TaskRefusal(
    status === 422 ? 400 : status === 412 ? 409 : status,
    code,
    message,
    {
      details,
    },
  )
  return refusal
}

async function comment({ localId: task }: Task, text: string | null, { id }: Person, via: Door) {
  if (!text) return
  const row = { ID: randomUUID(), task, at: new Date().toISOString(), author: id, via, text }
  await INSERT.into('restock.TaskComments').entries(row)
}

/** Adds what somebody wrote, without a decision. */
export async function addComment(person: Person, localId: string, text: string, door: Door) {
  const task = await openFor(person, localId)
  await comment(task, text, person, door)
}

/**
 * Claims a task, or gives it back; again changes nothing.
 * @throws TaskRefusal 409 where somebody else has it, or it is over
 */
export async function setClaim(person: Person, localId: string, isClaimed: boolean): Promise<Task> {
  await openFor(person, localId)
  await changeTasks(async (feed) => {
    const row = (await readTask(localId))!
    if (isFinal(row) || row.status === 'FOR_RESUBMISSION') throw alreadyDecided()
    if (row.processor && row.processor !== person.id) throw claimedByOther()
    const { stamp: _s, place: _p, fingerprint: _f, ...task } = row
    const claim = isClaimed
      ? { processor: person.id, status: 'RESERVED' as const }
      : { processor: null, status: 'READY' as const }
    await writeTasks([{ ...task, ...claim }], feed)
  })
  return findTask(localId)
}
