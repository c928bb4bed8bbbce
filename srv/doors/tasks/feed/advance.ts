// Updates tasks after events of their proposals, and all of them after a change of the settings.
import cds from '@sap/cds'
import { Proposals, readAs, TaskLines, Tasks } from '../../../base/database/entities.ts'
import {
  EVENT_TYPES,
  fromPosition,
  newestPosition,
  numberEvents,
  readEvents,
  toPosition,
} from '../../../base/database/events.ts'
import { DAY_MS } from '../../../base/time/days.ts'
import { openStatuses } from '../../../domain/proposals/index.ts'
import { readTaskBasis, type TaskBasis } from '../settings.ts'
import {
  type Draft,
  forgetShown,
  type Priority,
  subjectOf,
  type Task,
  type TaskStatus,
} from '../task.ts'
import {
  type AudienceFor,
  audiencesFor,
  draftOf,
  type DueAt,
  neededBy,
  priorityOf,
  proposalsOf,
  readDueAt,
  statusOf,
  type TaskProposal,
  termsOfRows,
} from './audience.ts'
import { type Feed, lockFeed, nextStamp, readFeed, setFeed, writeTasks } from './feed.ts'

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

// One task for all lines of an order to a supplier.

/** A proposal within a task; `quantity` is null for the proposed one. */
export interface Line {
  task: string
  proposal: number
  excluded: boolean
  quantity: number | null
}

type KnownTask = Pick<Task, 'localId' | 'processor' | 'createdAt' | 'openKey' | 'status'>

/** The key of the open order of one supplier, or of transfers from one location. */
const openKeyOf = ({ source_ID, supplier, currency, fromLocation }: TaskProposal) =>
  [source_ID, supplier ?? '', currency ?? '', ...(fromLocation ? [fromLocation] : [])].join('|')

const isOpen = (row: TaskProposal) => ['READY', 'FOR_RESUBMISSION'].includes(statusOf(row))

/** Updates the orders of these proposals. An open line joins its supplier's open order. */
async function makeOrders(ids: number[], basis: TaskBasis, feed: Feed): Promise<boolean> {
  const rows = await proposalsOf(ids)
  const current = await linesOf({ proposal: { in: ids } })
  const tasks = await readKnownTasks(rows, current)
  const openTask = new Map(
    [...tasks.values()].filter(({ openKey }) => openKey).map((task) => [task.openKey!, task]),
  )
  const added: Line[] = []
  for (const row of rows.filter(isOpen)) {
    const mine = current.filter(({ proposal }) => proposal === row.ID)
    if (mine.some(({ task }) => tasks.get(task)?.openKey)) continue
    const openKey = openKeyOf(row)
    const task = openTask.get(openKey) ?? newTask(openKey, row, feed)
    openTask.set(openKey, task)
    tasks.set(task.localId, task)
    added.push({ task: task.localId, proposal: row.ID, excluded: false, quantity: null })
  }
  if (added.length) {
    await INSERT.into(TaskLines).entries(added)
    await setFeed({ orders: feed.orders })
  }
  return writeOrders([...tasks.values()], basis, feed)
}

function newTask(openKey: string, { createdAt }: TaskProposal, feed: Feed): KnownTask {
  feed.orders = Number(feed.orders) + 1
  const localId = `order_${feed.orders}`
  return { localId, openKey, createdAt, processor: null, status: 'READY' }
}

/** The tasks that these proposals are lines of, and the open tasks that they may join. */
async function readKnownTasks(
  rows: TaskProposal[],
  lines: Line[],
): Promise<Map<string, KnownTask>> {
  const known = new Map<string, KnownTask>()
  const columns = ['localId', 'processor', 'createdAt', 'openKey', 'status']
  const ids = [...new Set(lines.map(({ task }) => task))]
  const keys = [...new Set(rows.filter(isOpen).map(openKeyOf))]
  const wheres = [
    ...(ids.length ? [{ localId: { in: ids } }] : []),
    ...(keys.length ? [{ openKey: { in: keys } }] : []),
  ]
  for (const where of wheres) {
    const found = await readAs<KnownTask>(
      SELECT.from(Tasks)
        .columns(...columns)
        .where(where),
    )
    for (const task of found) known.set(task.localId, task)
  }
  return known
}

export async function linesOf(where: object): Promise<Line[]> {
  const rows = await readAs<Line>(SELECT.from(TaskLines).where(where).orderBy('task', 'proposal'))
  return rows.map((row) => ({
    ...row,
    excluded: Boolean(row.excluded),
    quantity: row.quantity == null ? null : Number(row.quantity),
  }))
}

async function writeOrders(tasks: KnownTask[], basis: TaskBasis, feed: Feed): Promise<boolean> {
  if (!tasks.length) return false
  const lines = await linesOf({ task: { in: tasks.map(({ localId }) => localId) } })
  const rows = await proposalsOf([...new Set(lines.map(({ proposal }) => proposal))])
  const byId = new Map(rows.map((row) => [row.ID, row]))
  const { audienceFor, keep } = await audiencesFor(rows, basis)
  const dueAt = await readDueAt()
  const drafts = tasks.map((task) => {
    const mine = lines.filter((line) => line.task === task.localId)
    return orderDraft(task, mine, byId, audienceFor, dueAt)
  })
  await keep()
  return writeTasks(
    drafts.filter((draft) => draft !== null),
    feed,
  )
}

/** The state of a whole order: it is open as long as one of its lines is. */
function statusOfLines(rows: TaskProposal[]): TaskStatus {
  const statuses = rows.map(statusOf)
  const order = ['READY', 'FOR_RESUBMISSION', 'COMPLETED'] as const
  return order.find((status) => statuses.includes(status)) ?? 'CANCELED'
}

const MOST_URGENT: Priority[] = ['VERY_HIGH', 'HIGH', 'MEDIUM', 'LOW']
const first = (days: (string | null)[]) => days.filter((day) => day !== null).sort()[0] ?? null
const last = (times: (string | null)[]) => first([...times].sort().reverse().slice(0, 1))

const inCents = (value: number | null) => (value === null ? null : value.toFixed(2))

function orderDraft(
  task: KnownTask,
  lines: Line[],
  byId: Map<number, TaskProposal>,
  audienceFor: AudienceFor,
  dueAt: DueAt,
): Draft | null {
  const included = lines.filter(({ excluded }) => !excluded)
  const all = lines.flatMap(({ proposal }) => byId.get(proposal) ?? [])
  if (!all.length) return null
  const within = included.flatMap(({ proposal }) => byId.get(proposal) ?? [])
  const status = statusOfLines(within)
  // The shown lines: those that can still be decided or, at the end, all that were.
  const shown = within.filter((row) => statusOf(row) === status)
  const amounts = shown.map((row) => {
    const quantity = lines.find(({ proposal }) => proposal === row.ID)?.quantity
    const own = row.value == null ? null : Number(row.value)
    const proposed = Number(row.quantity)
    if (status !== 'READY' || quantity == null) return { quantity: proposed, value: own }
    return { quantity, value: own === null ? null : (own / proposed) * quantity }
  })
  const values = amounts.map(({ value }) => value)
  const value = values.includes(null) ? null : values.reduce((a, b) => a! + b!, 0)
  const isOver = status === 'COMPLETED' || status === 'CANCELED'
  const claimed = status === 'READY' ? task.processor : null
  const model = shown[0] ?? all[0]!
  const largest = values.reduce((a, b) => (a === null || b === null ? null : Math.max(a, b)), 0)
  // The limit of a line is compared with the largest line, that of a day with the sum.
  const worth = { line: inCents(largest), day: inCents(value), currency: model.currency ?? null }
  const orderBy = first(shown.map((row) => row.orderBy ?? null))
  const draft = {
    localId: task.localId,
    status: claimed ? ('RESERVED' as const) : status,
    priority: MOST_URGENT.find((each) => shown.some((row) => priorityOf(row) === each)) ?? 'LOW',
    proposal: null,
    source: model.source_ID,
    sku: null,
    location: shown.every(({ location }) => location === model.location) ? model.location : null,
    supplier: model.supplier ?? null,
    fromLocation: model.fromLocation ?? null,
    lines: shown.length,
    quantity: amounts.reduce((sum, { quantity }) => sum + quantity, 0),
    value: inCents(value),
    currency: model.currency ?? null,
    orderBy,
    neededBy: first(shown.map(neededBy)),
    daysOfSupply: null,
    audience: audienceFor(model, worth, all),
    processor: claimed,
    createdAt: task.createdAt,
    dueAt: first(shown.map(dueAt)),
    resumeAt: status === 'FOR_RESUBMISSION' ? first(shown.map((row) => row.snoozedUntil)) : null,
    completedAt:
      status === 'COMPLETED' ? last(shown.map((row) => row.decidedAt ?? row.updatedAt)) : null,
    completedBy: status === 'COMPLETED' ? (shown.at(-1)?.decidedBy ?? null) : null,
    openKey: isOver ? null : task.openKey,
    terms: termsOfRows(shown.map((row, at) => ({ ...row, ...amounts[at] }))),
  }
  return { ...draft, subject: subjectOf(draft, 'en') }
}
