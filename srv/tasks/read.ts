// What the inboxes read.
import cds from '@sap/cds'
import { readFeed, TASKS } from './feed/feed.ts'
import { type Task, toTask } from './task.ts'

export { type Audience, audiences } from './feed/audience.ts'

const { SELECT } = cds.ql

/**
 * Tasks in the order of (stamp, place), read in one statement, so that no change slips in behind it.
 * @param after the place after which to go on within the stamp; null for its beginning
 */
export async function tasksFrom(stamp: number, after: string | null, top: number): Promise<Task[]> {
  if (!top) return []
  const place = after ?? ''
  const rows = await SELECT.from(TASKS)
    .where`stamp >= ${stamp} and (stamp > ${stamp} or place > ${place})`
    .orderBy('stamp', 'place')
    .limit(top)
  return rows.map(toTask)
}

/** What all instances sign with, hex. */
export async function sharedSecret(): Promise<string> {
  const feed = await readFeed()
  if (!feed) throw new Error('The feed of tasks is not prepared.')
  return feed.secret
}
