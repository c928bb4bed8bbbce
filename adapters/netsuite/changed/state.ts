// The cursor of a stream whose rows say when they were changed.
import type { Cursor } from '../../adapter.ts'
import { overlapOf } from '../suiteql/wall-clock.ts'
import type { Wall } from '../suiteql/wall-clock.ts'

export interface State {
  /** Rows changed at or after it are read; null for all rows. */
  from: Wall | null
  /** Reading continues behind this key; null at the beginning, and between two reads. */
  after: number[] | null
  /** What a clock showed in the user's time zone when the read began, and at its last page; null between two reads. */
  began: Wall | null
  seen: Wall | null
  /** The newest change that was seen in this read, and in those before. */
  newest: Wall | null
  known: Wall | null
  done: number
  total: number | null
}

const FRESH: State = {
  ...{ from: null, after: null, began: null, seen: null, newest: null, known: null },
  ...{ done: 0, total: null },
}

export function stateOf(since: Cursor | null): State {
  return since === null ? { ...FRESH } : { ...FRESH, ...(JSON.parse(since) as Partial<State>) }
}

export const cursorOf = (state: State): Cursor => JSON.stringify(state)

/**
 * The cursor between two reads. The next one looks back to before this one began: by the clock of the web server, or
 * where that runs ahead of the one that dates changes, or the time zone is another than was said, by the newest change.
 */
export function endedState(state: State, zone: string | undefined): State {
  const { from, began, seen, newest, known } = state
  if (newest === null || began === null) return { ...FRESH, from: from ?? 0, known }
  const duration = Math.max(0, (seen ?? began) - began)
  const next = Math.min(began, newest - duration) - overlapOf(zone)
  return { ...FRESH, from: Math.max(next, from ?? 0), known: Math.max(newest, known ?? newest) }
}
