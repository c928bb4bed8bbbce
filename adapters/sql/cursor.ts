import { DAY_MS } from '../rows/days.ts'
import { stateIn } from '../rows/pages.ts'
import type { Cursor } from '../adapter.ts'
import type { Place } from './select.ts'

const VERSION = 1

/** Where reads of a view by its changes stand. */
export interface State {
  version: number
  /** The time from which this read looks; null for a full one. */
  from: string | null
  /** Of a read that has begun: the database's clock then, and the last row's place; null where none was read. */
  begun: { now: string; after: Place | null } | null
}

const START: State = { version: VERSION, from: null, begun: null }

export const stateOf = (since: Cursor | null): State =>
  stateIn<State>(since, ({ version }) => version === VERSION) ?? START

export const cursorOf = (state: Omit<State, 'version'>): Cursor =>
  JSON.stringify({ version: VERSION, ...state })

const INSTANT = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d:\d\d)(\.\d+)?)?(?:[+-]00(?::?00)?|Z)?$/

/** Milliseconds since 1970 of a `changed_at`, as UTC; null where it is no time. */
export function timeOf(text: string): number | null {
  const [, day, time = '00:00:00', fraction = ''] = INSTANT.exec(text) ?? []
  const ms = day ? Date.parse(`${day}T${time}${fraction.slice(0, 4)}Z`) : NaN
  return Number.isNaN(ms) ? null : ms
}

/**
 * From when the next read looks: before the newest change that was seen, and before this read began, because a
 * transaction may commit later than the time that its rows bear. Where `changed_at` is a day, from that day on.
 */
export function nextFrom(
  state: State,
  newest: string | null,
  overlapMinutes: number,
): string | null {
  const seen = newest === null ? null : timeOf(newest)
  if (seen === null || !state.begun) return state.from
  const began = timeOf(state.begun.now)!
  const overlap = newest!.length === 10 ? DAY_MS : overlapMinutes * 60_000
  const next = new Date(Math.min(seen, began) - overlap).toISOString()
  const text = next.replace('T', ' ').slice(0, 23)
  return state.from !== null && state.from > text ? state.from : text
}
