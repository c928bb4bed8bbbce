// What was shown is what is decided: task lists send no version with a decision, so what they were shown is kept here.
import { Refusal } from '../errors.ts'
import { readAs, Tasks, TaskViews } from '../store/entities.ts'
import { type Door, isFinal, type Task } from './task.ts'

export interface Reader {
  door: Door
  user: string
}

/** It reads tasks for all its users, and shows them until it reads again. */
export const TASK_CENTER: Reader = { door: 'task_center', user: '' }

interface Shown {
  task: string
  terms: string
  shown: string
}

const numbersOf = ({ lines, quantity, value, currency, supplier, orderBy }: Task) => ({
  ...{ lines, quantity, value, currency, supplier, order_by: orderBy },
})

/** Keeps what a reader is shown of these tasks; nothing is written where that is known. */
export async function keepShown(tasks: Task[], reader: Reader) {
  const open = tasks.filter((task) => task.terms && !isFinal(task))
  if (!open.length) return
  const ids = open.map(({ localId }) => localId)
  const rows = await readAs<Shown>(
    SELECT.from(TaskViews)
      .columns('task', 'terms')
      .where({ task: { in: ids }, ...reader }),
  )
  const known = new Map(rows.map(({ task, terms }) => [task, terms]))
  const entries = open
    .filter(({ localId, terms }) => known.get(localId) !== terms)
    .map((task) => ({
      ...{ task: task.localId, ...reader, terms: task.terms },
      shown: JSON.stringify(numbersOf(task)),
    }))
    .sort((a, b) => (a.task < b.task ? -1 : 1))
  if (entries.length) await UPSERT.into(TaskViews).entries(entries)
}

/**
 * @param task as it is now
 * @throws Refusal `version_mismatch` where the person was shown other terms; whom nothing was shown decides about what is
 */
export async function assertAsShown(task: Task, { door, user }: Reader) {
  const users = door === TASK_CENTER.door ? [user, TASK_CENTER.user] : [user]
  const views = await readAs<Shown>(
    SELECT.from(TaskViews)
      .where({ task: task.localId, door, user: { in: users } })
      .orderBy('user'),
  )
  if (!views.length || views.some(({ terms }) => terms === task.terms)) return
  // What the person has opened comes after what Task Center has read.
  const was = new Map<string, unknown>(Object.entries(JSON.parse(views.at(-1)!.shown) as object))
  const changes = Object.entries(numbersOf(task))
    .map(([term, now]) => ({ term, was: was.get(term), now }))
    .filter(({ was, now }) => was !== now)
  const what = changes.map(({ term, was, now }) => `${term} was ${was}, is ${now}`).join('; ')
  throw new Refusal(
    'version_mismatch',
    `${task.localId} has changed since it was shown: ${what}.`,
    {
      members: { changes },
    },
  )
}

/** Forgets what was shown of tasks that are over. */
export async function forgetShown() {
  const over = SELECT.from(Tasks)
    .columns('localId')
    .where({ status: { in: ['COMPLETED', 'CANCELED'] } })
  await DELETE.from(TaskViews).where({ task: { in: over } })
}
