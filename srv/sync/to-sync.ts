import type { Sync } from '#cds-models/restock'
import { estimatedEnd } from './estimate.ts'
import type { Issue } from './run.ts'

/**
 * A row of restock.Syncs as the service answers it.
 * @param before the last one that ended well, of the same source and mode
 */
export function toSync(row: Partial<Sync>, before: Partial<Sync> | null = null) {
  const { source_ID, issues, activeFor, owner, leaseUntil, phases, ...rest } = row
  return {
    ...rest,
    ID: Number(row.ID),
    source: Number(source_ID),
    status: String(row.status),
    done: Number(row.done ?? 0),
    total: row.total === null || row.total === undefined ? null : Number(row.total),
    issues: JSON.parse(String(issues ?? '[]')) as Issue[],
    estimatedEndAt: estimatedEnd(row, before),
  }
}
