import type { Sync } from '#cds-models/restock'
import { withMeaning } from './issue-meaning.ts'
import type { BegunPhase, Issue, Phase } from './run.ts'

/**
 * A row of restock.Syncs as the service answers it.
 * @param before the last one that ended well, of the same source and mode
 */
export function toSync(row: Partial<Sync>, before: Partial<Sync> | null = null) {
  const { source_ID, issues, notes, activeFor, owner, leaseUntil, phases, ...shown } = row
  const { attempts, advances, stuckAt, readToEnd, others, ...rest } = shown
  return {
    ...rest,
    ID: Number(row.ID),
    source: Number(source_ID),
    status: String(row.status),
    done: Number(row.done ?? 0),
    total: row.total === null || row.total === undefined ? null : Number(row.total),
    issues: (JSON.parse(String(issues ?? '[]')) as Issue[]).map((each) => withMeaning(each)),
    notes: (JSON.parse(String(notes ?? '[]')) as Issue[]).map((each) => withMeaning(each)),
    estimatedEndAt: estimatedEnd(row, before),
  }
}

/** As the database answers it. */
type Row = { [name in keyof Sync]?: unknown }

const ORDER: Phase[] = ['reading', 'forecasting', 'proposing']

const phasesOf = ({ phases }: Row): BegunPhase[] =>
  JSON.parse(String(phases ?? '[]')) as BegunPhase[]

/**
 * When the whole sync will end: the present phase at its pace so far, and each later one as long as
 * it took before. Null while that cannot be told; never in the past.
 * @param before the last sync of the same source and mode that ended well
 */
export function estimatedEnd(row: Row, before: Row | null, now = Date.now()): string | null {
  const present = phasesOf(row).at(-1)
  const [done, total] = [Number(row.done), Number(row.total)]
  if (row.status !== 'running' || !present || !(done > 0) || !(total >= done)) return null
  const later = ORDER.slice(ORDER.indexOf(present.phase) + 1)
  const durations = later.map((phase) => (before ? durationOf(phase, before) : null))
  if (durations.some((duration) => duration === null)) return null
  const rest = (durations as number[]).reduce((sum, duration) => sum + duration, 0)
  const elapsed = Math.max(0, now - Date.parse(present.startedAt))
  return new Date(now + (elapsed / done) * (total - done) + rest).toISOString()
}

/** Milliseconds that a phase of a finished sync took; null where it had none. */
function durationOf(phase: Phase, sync: Row): number | null {
  const phases = phasesOf(sync)
  const at = phases.findIndex((each) => each.phase === phase)
  if (at < 0) return null
  const end = phases[at + 1]?.startedAt ?? String(sync.finishedAt)
  const duration = Date.parse(end) - Date.parse(phases[at]!.startedAt)
  return Number.isNaN(duration) ? null : Math.max(0, duration)
}
