import { randomBytes } from 'node:crypto'
import { insertRows } from '../native/insert.ts'

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
  /** As other systems see it, in snake_case; `id` is the object's own. */
  data: { id: string } & Record<string, string | number | null>
}

/** Tells other systems what has changed, in the transaction of the change. */
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

/** Milliseconds, a count within them and a random rest, in hex: sorts in the order of this process. */
function nextId(now: number): string {
  count = now > latest ? 0 : count + 1
  latest = Math.max(now, latest)
  const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0')
  return `${hex(latest, 11)}${hex(count, 7)}${randomBytes(5).toString('hex')}`
}
