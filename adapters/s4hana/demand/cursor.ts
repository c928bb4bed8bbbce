// The cursor of a read of documents: the days read so far and the days to come.
import type { Cursor } from '../../adapter.ts'
import { addDays, daysBetween, earlier, later } from '../../rows/days.ts'
import type { Slice } from './documents.ts'

/** Slices per concurrent reader; several, so that all readers end at about the same time. */
const SLICES_EACH = 6
const MAX_SLICE_DAYS = 31

/** A slice that is being read, and the last key that was read. */
export interface OpenSlice extends Slice {
  after: readonly string[] | null
}

/** Stored as JSON in the cursor, less than 1,000 characters. */
export interface State {
  /** The first day of the next read; null until a full read was completed. */
  from: string | null
  /** The unfinished read; null if there is none. */
  run: Run | null
}

export interface Run {
  isWhole: boolean
  /** The ERP's day on which the read began. */
  began: string
  /** The first day that is in no slice yet, and the last day of the read. */
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
 * Plans a read. It ends at a fixed day; documents created after that are left to the next read.
 * @param today the ERP's day in UTC; its local day may be one ahead
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

/** The next slice of days; null where none are left. */
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
 * The ERP filters by day only, so the next read covers this read's first day again, and the day before.
 * It also starts no later than the day before the newest document, because the clock of the ERP's web
 * server may differ from the one that dates documents.
 */
export function endRun({ from, run }: State): State {
  const { began, newest } = run!
  const known = newest ?? (from === null ? began : from)
  const next = addDays(earlier(began, known), -1)
  return { from: newest === null && from !== null ? from : later(next, from ?? next), run: null }
}
