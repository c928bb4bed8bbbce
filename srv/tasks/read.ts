// What the inboxes read.
import cds from '@sap/cds'
import { readFeed, TASKS } from './feed/feed.ts'
import { type Task, toTask } from './task.ts'

export { type Audience, audiences } from './feed/audience.ts'
export { audiencesOf } from './work.ts'

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

const MOST_URGENT_FIRST =
  "case priority when 'VERY_HIGH' then 1 when 'HIGH' then 2 when 'MEDIUM' then 3 else 4 end"

/** What waits for somebody of these audiences, and nobody else has claimed: how many, and the most urgent. */
export async function openTasksOf(among: string[], user: string, most: number) {
  if (!among.length) return { open: 0, tasks: [] }
  const mine = cds.parse.expr(
    `audience in (${among.map((ID) => `'${ID}'`).join(',')}) and (status = 'READY' or ` +
      `(status = 'RESERVED' and processor = '${user.replaceAll("'", "''")}'))`,
  )
  const { open } = await SELECT.one.from(TASKS).columns('count(*) as open').where(mine)
  const query = SELECT.from(TASKS).where(mine).limit(most)
  const order = [MOST_URGENT_FIRST, 'orderBy', 'place'].map((expr) => cds.parse.expr(expr))
  Object.assign(query.SELECT, { orderBy: order })
  const rows = await query
  return { open: Number(open), tasks: rows.map(toTask) as Task[] }
}

/** What all instances sign with, hex. */
export async function sharedSecret(): Promise<string> {
  const feed = await readFeed()
  if (!feed) throw new Error('The feed of tasks is not prepared.')
  return feed.secret
}
