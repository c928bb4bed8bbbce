// Orders the changes of tasks: under one lock, each commit gets a later stamp.
import { hash, randomBytes } from 'node:crypto'
import { fromPosition, newestPosition } from '../../../base/database/events.ts'
import { readAs, TaskFeed, Tasks } from '../../../base/database/entities.ts'
import { upsertRows } from '../../../base/database/native/bulk.ts'
import { insertIfAbsent, toNumber } from '../../../base/database/rows.ts'
import { placeOf, type Draft, type Task, type TaskRow, toTask } from '../task.ts'

const ID = 1

export interface Feed {
  stamp: number
  position: string | null
  settings: string | null
  walk: number | null
  orders: number
  secret: string
}

/**
 * Creates the feed at the first start; several instances may do so at once. Events from now on are followed; a first walk
 * over all open proposals covers what was before.
 */
export async function prepareFeed() {
  const position = fromPosition(await newestPosition())
  const secret = randomBytes(32).toString('hex')
  await insertIfAbsent(TaskFeed, { ID }, { stamp: 0, position, orders: 0, secret })
}

export async function readFeed(): Promise<Feed | null> {
  const row = await readAs<Feed>(SELECT.one.from(TaskFeed).where({ ID }))
  return row && { ...row, stamp: Number(row.stamp), walk: row.walk ?? null }
}

/** Locks the feed: until the transaction ends nobody else changes tasks. */
export async function lockFeed(): Promise<Feed> {
  await UPDATE.entity(TaskFeed)
    .set({ orders: { '+=': 0 } })
    .where({ ID })
  const feed = await readFeed()
  if (!feed) throw new Error('The feed of tasks is not prepared.')
  return feed
}

export const setFeed = (set: Partial<Feed>) => UPDATE.entity(TaskFeed).set(set).where({ ID })

/**
 * Writes changed tasks with one stamp, later than any before, so that a reader who has come to an earlier one finds them. A
 * transaction takes one stamp (a millisecond), however many tasks it changes, so that stamps do not run ahead of the clock.
 * @param feed must be locked
 * @returns whether anything has changed
 */
export async function writeTasks(drafts: Draft[], feed: Feed): Promise<boolean> {
  const known = await fingerprintsOf(drafts.map(({ localId }) => localId))
  const changed = drafts
    .map((draft) => ({ ...draft, fingerprint: fingerprintOf(draft) }))
    .filter(({ localId, fingerprint }) => known.get(localId) !== fingerprint)
  if (!changed.length) return false
  const stamp = nextStamp(feed)
  await upsertRows(
    'restock.Tasks',
    ['localId'],
    changed.map((row) => ({
      ...{ ...row, value: toNumber(row.value) },
      ...{ stamp, place: placeOf(row.localId) },
    })),
  )
  return true
}

const fingerprintOf = (draft: Draft) =>
  hash('sha256', JSON.stringify(Object.entries(draft).sort(([a], [b]) => (a < b ? -1 : 1))))

/** The next stamp, for a task that the caller writes itself. */
export function nextStamp(feed: Feed): number {
  feed.stamp = Math.max(Date.now(), feed.stamp + 1)
  return feed.stamp
}

async function fingerprintsOf(ids: string[]): Promise<Map<string, string>> {
  const rows = await readAs<Pick<Task, 'localId' | 'fingerprint'>>(
    SELECT.from(Tasks)
      .columns('localId', 'fingerprint')
      .where({ localId: { in: ids } }),
  )
  return new Map(rows.map((row) => [row.localId, row.fingerprint]))
}

export async function readTask(localId: string): Promise<Task | null> {
  const row = await readAs<TaskRow>(SELECT.one.from(Tasks).where({ localId }))
  return row ? toTask(row) : null
}
