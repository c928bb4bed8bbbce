// A decision made in a task list: it goes through the one state machine.
import cds from '@sap/cds'
import type { ProposalStatus } from '#cds-models/restock'
import { lockApprovalsOf, withReadCache } from '../../domain/authority/index.ts'
import { Proposals, readAs } from '../../base/database/entities.ts'
import { isRefusal, type Refusal } from '../../base/errors.ts'
import { allowsStep, approve, decline, isOpen } from '../../domain/proposals/index.ts'
import { markSeries } from '../../base/database/proposal-marks.ts'
import { linesOf, updateTasks } from './feed/advance.ts'
import { type Person, userOf } from './person.ts'
import { alreadyDecided, reasonMissing, TASK_STATUS, TaskRefusal } from './refusal.ts'
import { assertAsShown, type Door, type Task } from './task.ts'
import { assertFree, findTask, openTaskFor, storeComment } from './inbox.ts'

interface Decision {
  code: 'approve' | 'reject'
  comment: string | null
  reason: string | null
}

/**
 * Decides about all proposals of a task or none, through the state machine of the domain.
 * @throws TaskRefusal and Refusal; 409 if somebody was faster
 */
export async function decideTask(person: Person, localId: string, decision: Decision, door: Door) {
  const task = await openTaskFor(person, localId)
  if (decision.code === 'reject' && !decision.comment && !decision.reason) throw reasonMissing()
  assertFree(task, person)
  const lines = await readDecidable(task)
  await assertAsShown(await currentTask(task, lines), { door, user: person.id })
  await retryDeadlocks(() =>
    cds.tx({ user: userOf(person, door) }, async () => {
      // An approval locks the supplier's approvals before any pair; all lines are of one supplier.
      if (decision.code === 'approve') await lockApprovalsOf(lines[0]!.proposal)
      await withReadCache(() => decideLines(lines, decision))
      await storeComment(task, decision.comment, person, door)
    }),
  )
  await updateTasks(lines.map(({ proposal }) => proposal))
  return findTask(localId)
}

/** Collects the refusals of all lines; if there is one, no line is decided. */
async function decideLines(lines: DecidableLine[], decision: Decision) {
  const refused: { proposal: number; refusal: Refusal | TaskRefusal }[] = []
  for (const line of lines) {
    await decideLine(line, decision).catch((error: unknown) => {
      if (lines.length === 1 || !(isRefusal(error) || error instanceof TaskRefusal)) throw error
      refused.push({ proposal: line.proposal, refusal: error })
    })
  }
  if (refused.length) throw ofLines(refused)
}

const TRIES = 4

/** PostgreSQL aborts one of two deadlocked transactions; that one is repeated from its beginning. */
async function retryDeadlocks(work: () => PromiseLike<unknown>) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === TRIES || (error as { code?: unknown }).code !== '40P01') throw error
    }
  }
}

/** The task with the lines that were just read: a line that changes afterwards is refused on its own. */
async function currentTask({ localId, proposal }: Task, lines: DecidableLine[]): Promise<Task> {
  if (proposal === null) await updateTasks(lines.map((line) => line.proposal))
  return findTask(localId)
}

interface DecidableLine {
  proposal: number
  version: number
  series: number
  quantity: number | null
}

interface FoundLine {
  ID: number
  version: number
  series: number
  status: ProposalStatus
}

/** Sorted in the order in which a run locks the pairs. */
async function readDecidable(task: Task): Promise<DecidableLine[]> {
  const { localId, proposal } = task
  const lines =
    proposal === null
      ? await linesOf({ task: localId, excluded: false })
      : [{ proposal, quantity: null }]
  const rows = await readAs<FoundLine>(
    SELECT.from(Proposals)
      .columns('ID', 'series', 'status', 'version')
      .where({ ID: { in: lines.map((line) => line.proposal) } })
      .orderBy('series', 'ID'),
  )
  // Only open lines of an order are decided. For a single proposal the state machine refuses by itself.
  const open = rows.filter(({ status }) => proposal !== null || allowsStep(status, 'approve'))
  if (!open.length) throw alreadyDecided()
  return open.map(({ ID, version, series }) => {
    const { quantity } = lines.find((line) => line.proposal === ID)!
    return { proposal: ID, version, series: Number(series), quantity }
  })
}

/** Refuses a second approval, which changes nothing elsewhere. The pair is locked first, as the state machine does. */
async function decideLine(line: DecidableLine, decision: Decision) {
  const { proposal: ID, version: seenVersion, series, quantity } = line
  await markSeries(series)
  const row = await readAs<Pick<FoundLine, 'status'>>(
    SELECT.one.from(Proposals).columns('ID', 'status').where({ ID }).forUpdate(),
  )
  if (!row || !isOpen(row.status)) throw alreadyDecided()
  const { code, comment, reason } = decision
  if (code === 'approve') await approve({ ID, quantity, comment, seenVersion })
  else await decline({ ID, reason, comment, seenVersion })
}

/** An order is decided as a whole: the first line's status stands for all. */
function ofLines(refused: { proposal: number; refusal: Refusal | TaskRefusal }[]) {
  const { status, code, message } = refused[0]!.refusal
  const details = refused.map(({ proposal, refusal }) => ({
    ...{ code: refusal.code, message: refusal.message, target: `prop_${proposal}` },
  }))
  return new TaskRefusal(TASK_STATUS[status] ?? status, code, message, { details })
}
