import { randomBytes } from 'node:crypto'
import cds from '@sap/cds'
import { DAY_MS } from '../time/days.ts'
import { takeNumbers } from './counters.ts'
import { Events, readAs } from './entities.ts'
import { insertRows } from './native/bulk.ts'
import { indexOrder } from './rows.ts'

export const EVENT_TYPES = [
  'proposal.created',
  'proposal.updated',
  'proposal.approved',
  'proposal.rejected',
  'proposal.snoozed',
  'proposal.superseded',
  'proposal.expired',
  'proposal.ordered',
  'proposal.cancelled',
  'sync.completed',
  'sync.failed',
  'forecast.refreshed',
  'source.reconsent_required',
] as const

export type EventType = (typeof EVENT_TYPES)[number]

export interface NewEvent {
  type: EventType
  /** The event's data for other systems, in snake_case; `id` is that of the object. */
  data: { id: string } & Record<string, string | number | null>
}

/** Publishes events, in the transaction of the change. */
export async function publishEvents(events: NewEvent[]) {
  if (!events.length) return
  const now = Date.now()
  const at = new Date(now).toISOString()
  await insertRows(
    'restock.Events',
    events.map(({ type, data }) => ({
      ...{ ID: nextId(now), batch: null, type, at },
      object: data.id,
      data: JSON.stringify(data),
    })),
  )
}

let latest = 0
let count = 0

/** An id that sorts in the order of this process: milliseconds, a count within them and a random rest, in hex. */
function nextId(now: number): string {
  count = now > latest ? 0 : count + 1
  latest = Math.max(now, latest)
  const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0')
  return `${hex(latest, 11)}${hex(count, 7)}${randomBytes(5).toString('hex')}`
}

// Numbers events in the order in which they are read.

/** The most events that are numbered in one batch, for which other instances wait. */
const BATCH = 2000
const KEPT_DAYS = 90

/** A position in the events: everything up to and including it has been read. */
interface Position {
  batch: number
  ID: string
}

export interface EventRow extends Position {
  type: EventType
  at: string
  object: string
  /** JSON */
  data: string
}

const START: Position = { batch: 0, ID: '' }

export const toPosition = (text: string | null): Position => {
  if (!text) return START
  const [batch, ID = ''] = text.split(' ')
  return { batch: Number(batch), ID }
}

export const fromPosition = ({ batch, ID }: Position) => `${batch} ${ID}`

/**
 * Numbers committed events, which makes them readable. The counter's row is locked until the batch is committed, so that
 * batches become visible in the order of their numbers. It must not be called inside a transaction.
 */
export async function numberEvents() {
  while (await hasUnnumbered()) {
    await cds.tx(async () => {
      const batch = await takeNumbers('event')
      const rows = await readAs<{ ID: string }>(
        SELECT.from(Events)
          .columns('ID')
          .where({ batch: null })
          .orderBy(...indexOrder(['ID']))
          .limit(BATCH),
      )
      if (!rows.length) return
      await UPDATE.entity(Events)
        .set({ batch })
        .where({ ID: { in: rows.map(({ ID }) => ID) } })
    })
  }
}

const hasUnnumbered = () => SELECT.one.from(Events).columns('ID').where({ batch: null })

/** The position of the newest readable event. */
export async function newestPosition(): Promise<Position> {
  const [row] = await readAs<Position>(
    SELECT.from(Events)
      .columns('batch', 'ID')
      .where({ batch: { '>': 0 } })
      .orderBy(...indexOrder(['batch', 'ID'], 'desc'))
      .limit(1),
  )
  return row ?? START
}

interface Page {
  rows: EventRow[]
  /** Where the next call continues; events of other types are skipped. */
  next: Position
  hasMore: boolean
}

/** The events after a position, of these types or all, in their order. */
export async function readEvents(
  after: Position,
  types: readonly EventType[] | null,
  limit: number,
): Promise<Page> {
  const newest = await newestPosition()
  const query = SELECT.from(Events).columns('batch', 'ID', 'type', 'at', 'object', 'data')
    .where`batch >= ${after.batch} and (batch > ${after.batch} or ID > ${after.ID})`
  if (types) void query.where({ type: { in: [...types] } })
  const found = await readAs<EventRow>(
    query.orderBy(...indexOrder(['batch', 'ID'])).limit(limit + 1),
  )
  const rows = found.slice(0, limit)
  const hasMore = found.length > limit
  return { rows, hasMore, next: furthest(hasMore ? [rows.at(-1)!] : [after, newest, ...rows]) }
}

const furthest = (positions: Position[]): Position =>
  positions.reduce((a, b) => (a.batch < b.batch || (a.batch === b.batch && a.ID < b.ID) ? b : a))

/** Removes events older than 90 days. */
export async function removeOldEvents() {
  const before = new Date(Date.now() - KEPT_DAYS * DAY_MS).toISOString()
  await DELETE.from(Events).where({ at: { '<': before } })
}
