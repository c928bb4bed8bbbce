// What the inboxes read.
import cds from '@sap/cds'
import { readAs, Tasks } from '../store/entities.ts'
import { readFeed } from './feed/feed.ts'
import { inboxOf } from './inbox.ts'
import type { Person } from './person.ts'
import { type Task, type TaskRow, toTask } from './task.ts'

export { audiences } from './feed/audience.ts'

/**
 * Tasks in the order of (stamp, place), read in one statement, so that no change slips in behind it.
 * @param after the place after which to go on within the stamp; null for its beginning
 */
export async function tasksFrom(stamp: number, after: string | null, top: number): Promise<Task[]> {
  if (!top) return []
  const place = after ?? ''
  const rows = await readAs<TaskRow>(
    SELECT.from(Tasks).where`stamp >= ${stamp} and (stamp > ${stamp} or place > ${place})`
      .orderBy('stamp', 'place')
      .limit(top),
  )
  return rows.map(toTask)
}

const MOST_URGENT_FIRST =
  "case priority when 'VERY_HIGH' then 1 when 'HIGH' then 2 when 'MEDIUM' then 3 else 4 end"

/** What waits for somebody, and nobody else has claimed: how many, and the most urgent. */
export async function openTasksOf(person: Person, most: number) {
  const isOpen = cds.parse.expr(
    `status = 'READY' or (status = 'RESERVED' and processor = '${person.id.replaceAll("'", "''")}')`,
  )
  const isInInbox = await inboxOf(person)
  const count = await readAs<{ open: number }>(
    SELECT.one.from(Tasks).columns('count(*) as open').where(isOpen).where(isInInbox),
  )
  const query = SELECT.from(Tasks).where(isOpen).where(isInInbox).limit(most)
  const order = [MOST_URGENT_FIRST, 'orderBy', 'place'].map((expr) => cds.parse.expr(expr))
  Object.assign(query.SELECT, { orderBy: order })
  const rows = await readAs<TaskRow>(query)
  return { open: Number(count?.open), tasks: rows.map(toTask) }
}

/** What all instances sign with, hex. */
export async function sharedSecret(): Promise<string> {
  const feed = await readFeed()
  if (!feed) throw new Error('The feed of tasks is not prepared.')
  return feed.secret
}
