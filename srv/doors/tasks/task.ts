// The subject of a task, its stored shape, and what readers were shown of it.
import { readAs, Tasks, TaskViews } from '../../base/database/entities.ts'
import { toDecimal, toNumber } from '../../base/database/rows.ts'
import { Refusal } from '../../base/errors.ts'
import { type Language, message } from '../../base/texts/texts.ts'

type Subject = Pick<Task, 'sku' | 'location' | 'supplier' | 'fromLocation' | 'lines' | 'quantity'>

const LONGEST = 255

/** One line, 255 characters at most. */
export function subjectOf(task: Subject, language: Language): string {
  const { sku, location, supplier, fromLocation: from, lines } = task
  // Quantities in plain digits: task lists sort and search subjects.
  const quantity = String(task.quantity)
  const say = (key: string, args: object) => message(key, { ...args }, language)
  const long = sku
    ? from
      ? say('task_transfer', { quantity, sku, from, location })
      : say(supplier ? 'task_order_from' : 'task_order', { quantity, sku, location, supplier })
    : from
      ? say(lines === 1 ? 'task_transfer_line' : 'task_transfer_lines', { lines, from })
      : say(lines === 1 ? 'task_order_line' : 'task_order_lines', {
          ...{ lines, supplier: supplier ?? message('task_unknown_supplier', {}, language) },
        })
  return [...long].length > LONGEST ? `${[...long].slice(0, LONGEST - 1).join('')}…` : long
}

export type TaskStatus = 'READY' | 'RESERVED' | 'FOR_RESUBMISSION' | 'COMPLETED' | 'CANCELED'
/** The task lists that people decide in. */
export type Door = 'task_center' | 'my_inbox'
export type Priority = 'VERY_HIGH' | 'HIGH' | 'MEDIUM' | 'LOW'

/** A row of restock.Tasks with numbers as numbers and money as a decimal string. */
export interface Task {
  localId: string
  /** When it was last changed, in milliseconds since 1970. */
  stamp: number
  place: string
  fingerprint: string
  status: TaskStatus
  priority: Priority
  /** Null for the task of a whole order. */
  proposal: number | null
  source: number
  sku: string | null
  location: string | null
  supplier: string | null
  /** The location that gives, in a transfer. */
  fromLocation: string | null
  lines: number
  quantity: number
  value: string | null
  currency: string | null
  orderBy: string | null
  neededBy: string | null
  /** At the median of demand; null without any. */
  daysOfSupply: number | null
  subject: string
  audience: string
  /** The person who has claimed it. */
  processor: string | null
  createdAt: string
  dueAt: string | null
  resumeAt: string | null
  completedAt: string | null
  completedBy: string | null
  openKey: string | null
  /** A digest of the terms; null in a task from before there were any. */
  terms: string | null
}

/** A task before it has its stamp in the feed. */
export type Draft = Omit<Task, 'stamp' | 'place' | 'fingerprint'>

/** As the database answers it: 64-bit integers and decimals may be texts. */
export type TaskRow = Omit<Task, 'stamp' | 'quantity' | 'value'> & {
  stamp: number | string
  quantity: number | string
  value: number | string | null
}

export const toTask = (row: TaskRow): Task => ({
  ...row,
  stamp: Number(row.stamp),
  proposal: toNumber(row.proposal),
  lines: Number(row.lines),
  quantity: Number(row.quantity),
  daysOfSupply: toNumber(row.daysOfSupply),
  value: toDecimal(row.value, 2),
})

export const isFinal = ({ status }: Pick<Task, 'status'>) =>
  status === 'COMPLETED' || status === 'CANCELED'

/** The id in hex, which sorts by its bytes whatever the database's collation. */
export const placeOf = (localId: string) => Buffer.from(localId).toString('hex')

// Task lists send no version with a decision, so the terms that they were shown are stored here: only these can be decided.

interface Reader {
  door: Door
  user: string
}

/** Task Center reads tasks for all its users, and shows them until it reads again. */
export const TASK_CENTER: Reader = { door: 'task_center', user: '' }

interface Shown {
  task: string
  terms: string
  shown: string
}

const numbersOf = ({ lines, quantity, value, currency, supplier, orderBy }: Task) => ({
  ...{ lines, quantity, value, currency, supplier, order_by: orderBy },
})

/** Stores the terms that a reader is shown of these tasks, unless they are stored already. */
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
 * @param task its present state
 * @throws Refusal `version_mismatch` if the person was shown other terms; a person who was shown none decides about the
 * present ones
 */
export async function assertAsShown(task: Task, { door, user }: Reader) {
  const users = door === TASK_CENTER.door ? [user, TASK_CENTER.user] : [user]
  const views = await readAs<Shown>(
    SELECT.from(TaskViews)
      .where({ task: task.localId, door, user: { in: users } })
      .orderBy('user'),
  )
  if (!views.length || views.some(({ terms }) => terms === task.terms)) return
  // What the person has opened is newer than what Task Center has read.
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

/** Deletes what was shown of finished tasks. */
export async function forgetShown() {
  const over = SELECT.from(Tasks)
    .columns('localId')
    .where({ status: { in: ['COMPLETED', 'CANCELED'] } })
  await DELETE.from(TaskViews).where({ task: { in: over } })
}
