// Where a read of documents stands, and the days that it has before it.
import type { Cursor } from '../../adapter.ts'
import { addDays, daysBetween, earlier, later } from './days.ts'
import type { Slice } from './documents.ts'

/** Slices for each of those that are read at once, so that all end at about the same time. */
const SLICES_EACH = 6
const MAX_SLICE_DAYS = 31

/** A slice that is being read, and the key behind which it goes on. */
export interface OpenSlice extends Slice {
  after: readonly string[] | null
}

/** As a cursor this is JSON of less than a thousand characters. */
export interface State {
  /** The first day that the next read looks at; null while there has been no whole one. */
  from: string | null
  /** The read under way; null between two of them. */
  run: Run | null
}

export interface Run {
  isWhole: boolean
  /** The ERP's day when it began. */
  began: string
  /** The first day that nobody has begun to read, and the last one there is. */
  next: string
  last: string
  sliceDays: number
  open: OpenSlice[]
  newest: string | null
  done: number
  total: number | null
}

export function stateOf(since: Cursor | null): State {
  return since === null ? { from: null, run: null } : (JSON.parse(since) as State)
}

export const cursorOf = (state: State): Cursor => JSON.stringify(state)

/**
 * Plans a read. It ends at a fixed day: what is created while it goes on belongs to the next one.
 * @param today the ERP's; its own days may be one ahead of those of Greenwich
 */
export function planRun(
  { from }: State,
  today: string,
  localToday: string,
  historyDays: number,
  concurrency: number,
): Run {
  const first = from ?? addDays(today, -historyDays)
  const last = addDays(later(today, localToday), 1)
  const share = Math.floor(daysBetween(first, last) / (concurrency * SLICES_EACH))
  return {
    isWhole: from === null,
    began: today,
    next: first,
    last,
    sliceDays: Math.min(MAX_SLICE_DAYS, Math.max(1, share)),
    ...{ open: [], newest: null, done: 0, total: null },
  }
}

/** The next days to be read; null where none are left. */
export function takeSlice(run: Run): OpenSlice | null {
  if (run.next > run.last) return null
  const from = run.next
  const to = earlier(addDays(from, run.sliceDays - 1), run.last)
  run.next = addDays(to, 1)
  const slice = { from, to, after: null }
  run.open.push(slice)
  return slice
}

/**
 * A day is the finest that the ERP can be asked for, so the next read looks at this one's again, and
 * at the day before. It begins no later than behind the newest document that is known: the clock that
 * the ERP's web server shows need not be the one that dates its documents.
 */
export function endRun({ from, run }: State): State {
  const { began, newest } = run!
  const known = newest ?? (from === null ? began : from)
  const next = addDays(earlier(began, known), -1)
  return { from: newest === null && from !== null ? from : later(next, from ?? next), run: null }
}
