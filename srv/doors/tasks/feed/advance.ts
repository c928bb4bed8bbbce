// Updates tasks after events of their proposals, and all of them after a change of the settings.
import cds from '@sap/cds'
import {
  EVENT_TYPES,
  fromPosition,
  newestPosition,
  numberEvents,
  readEvents,
  toPosition,
} from '../../../base/database/events.ts'
import { openStatuses } from '../../../domain/proposals/index.ts'
import { Proposals, readAs, Tasks } from '../../../base/database/entities.ts'
import { readTaskBasis, type TaskBasis } from '../settings.ts'
import { type Feed, lockFeed, nextStamp, readFeed, setFeed, writeTasks } from './feed.ts'
import { forgetShown } from '../task.ts'
import type { Draft, Task } from '../task.ts'
import { audiencesFor } from './audience.ts'
import { draftOf, proposalsOf, readDueAt } from './draft.ts'
import { makeOrders } from './orders.ts'
import { DAY_MS } from '../../../base/time/days.ts'

/** The most proposals in one transaction, for which other changes of tasks wait. */
const CHUNK = 2500
const PROPOSAL_EVENTS = EVENT_TYPES.filter((type) => type.startsWith('proposal.'))

/** Updates the tasks of all committed changes. It must not be called inside a transaction. */
export async function advanceTasks() {
  await numberEvents()
  while (await isBehind()) if (!(await cds.tx(advanceBatch))) return
}

async function isBehind(): Promise<boolean> {
  const [feed, basis] = [await readFeed(), await readTaskBasis()]
  if (!feed) return false
  if (feed.settings !== basis.fingerprint || feed.walk !== null) return true
  return feed.position !== fromPosition(await newestPosition())
}

/** @returns whether there may be more */
async function advanceBatch(): Promise<boolean> {
  const feed = await lockFeed()
  const basis = await readTaskBasis()
  if (feed.settings !== basis.fingerprint) await beginWalk(feed, basis)
  const more =
    feed.walk === null ? await followEvents(feed, basis) : await walkProposals(feed, basis)
  const { stamp, position, walk: at } = feed
  await setFeed({ stamp, position, settings: feed.settings, walk: at })
  return more
}

async function followEvents(feed: Feed, basis: TaskBasis): Promise<boolean> {
  const page = await readEvents(toPosition(feed.position), PROPOSAL_EVENTS, CHUNK)
  const ids = page.rows.map(({ object }) => Number(object.slice('prop_'.length)))
  await makeTasks([...new Set(ids)], basis, feed)
  feed.position = fromPosition(page.next)
  return page.hasMore
}

async function beginWalk(feed: Feed, basis: TaskBasis) {
  feed.settings = basis.fingerprint
  feed.walk = 0
  await cancelOtherGrouping(feed, basis)
}

/** Cancels open tasks of the grouping (by supplier or by proposal) that is no longer configured. */
async function cancelOtherGrouping(feed: Feed, { bySupplier }: TaskBasis) {
  const where = bySupplier ? { proposal: { '!=': null } } : { proposal: null }
  const open = { status: { in: ['READY', 'RESERVED', 'FOR_RESUBMISSION'] }, ...where }
  if (!(await SELECT.one.from(Tasks).columns('localId').where(open))) return
  await UPDATE.entity(Tasks)
    .set({
      ...{ status: 'CANCELED', processor: null, openKey: null, resumeAt: null },
      ...{ stamp: nextStamp(feed), fingerprint: 'cancelled' },
    })
    .where(open)
}

/** Updates the tasks of all open proposals, in their order. */
async function walkProposals(feed: Feed, basis: TaskBasis): Promise<boolean> {
  const rows = await readAs<{ ID: number }>(
    SELECT.from(Proposals)
      .columns('ID')
      .where({
        ID: { '>': feed.walk },
        status: { in: openStatuses() },
      })
      .orderBy('ID')
      .limit(CHUNK),
  )
  await makeTasks(
    rows.map(({ ID }) => ID),
    basis,
    feed,
  )
  feed.walk = rows.length === CHUNK ? rows.at(-1)!.ID : null
  return true
}

/** Updates the tasks of these proposals now, in a transaction of its own. */
export const updateTasks = (ids: number[]) =>
  changeTasks((feed, basis) => makeTasks(ids, basis, feed))

/** Changes tasks under the lock of the feed. */
export function changeTasks<T>(work: (feed: Feed, basis: TaskBasis) => Promise<T>): Promise<T> {
  return cds.tx(async () => {
    const feed = await lockFeed()
    const before = feed.stamp
    const result = await work(feed, await readTaskBasis())
    if (feed.stamp !== before) await setFeed({ stamp: feed.stamp })
    return result
  }) as Promise<T>
}

/** Task Center forgets tasks that have not changed for 180 days. */
const RENEWED_MS = 120 * DAY_MS

/** Gives old open tasks a new stamp, so that Task Center does not forget them, and deletes what was shown of finished ones. */
export async function restampOldTasks() {
  await forgetShown()
  const old = {
    stamp: { '<': Date.now() - RENEWED_MS },
    status: { in: ['READY', 'RESERVED', 'FOR_RESUBMISSION'] },
  }
  if (!(await SELECT.one.from(Tasks).columns('localId').where(old))) return
  await changeTasks(async (feed) => {
    await UPDATE.entity(Tasks)
      .set({ stamp: nextStamp(feed) })
      .where(old)
  })
}

/** Updates the tasks of these proposals. @returns whether any has changed */
async function makeTasks(ids: number[], basis: TaskBasis, feed: Feed): Promise<boolean> {
  if (!ids.length) return false
  if (basis.bySupplier) return makeOrders(ids, basis, feed)
  const rows = await proposalsOf(ids)
  const claims = await claimsOf(rows.map(({ ID }) => `prop_${ID}`))
  const { audienceFor, keep } = await audiencesFor(rows, basis)
  const dueAt = await readDueAt()
  const drafts: Draft[] = rows.map((row) =>
    draftOf(row, audienceFor(row), claims.get(`prop_${row.ID}`) ?? null, dueAt),
  )
  await keep()
  return writeTasks(drafts, feed)
}

async function claimsOf(localIds: string[]): Promise<Map<string, string | null>> {
  const rows = await readAs<Pick<Task, 'localId' | 'processor'>>(
    SELECT.from(Tasks)
      .columns('localId', 'processor')
      .where({ localId: { in: localIds }, processor: { '!=': null } }),
  )
  return new Map(rows.map(({ localId, processor }) => [localId, processor]))
}
