import type { Page } from '../../../../adapters/adapter.ts'
import type { DemandColumns } from '../demand/columns.ts'

/** The records of one write. Demand comes in columns, or as records. */
export interface Batch extends Pick<Page, 'records' | 'deleted' | 'kept'> {
  demand?: DemandColumns
}

/** The target that the pages of a read are written to. Each method runs in its caller's transaction. */
export interface Target {
  /** The natural keys of the stored rows, and what else is known of them; only for snapshots. */
  storedKeys?(): Record<string, string>[]
  /** Whether so many rows at least were stored, and the read has found none of them. */
  isEmptied?(fewest: number): boolean
  write(batch: Batch): Promise<WriteResult & { deleted: number }>
  /**
   * Ends the read; a whole one deletes the rows that it did not find.
   * @returns how many were deleted
   * @throws DeletionWithheld when suspiciously many would be
   */
  finish(guard: DeletionGuard): Promise<number>
}

/** A read that would delete more than `share` of at least `minRows` rows is not believed. */
export interface DeletionGuard {
  share: number
  minRows: number
}

export class DeletionRefused extends Error {
  override name = 'DeletionWithheld'
}

/**
 * @param gone rows that would be deleted
 * @param total rows there are
 * @throws DeletionWithheld
 */
export function guardDeletion(gone: number, total: number, { share, minRows }: DeletionGuard) {
  if (total < minRows || gone <= total * share) return
  throw new DeletionRefused(
    `${gone} of ${total} rows are missing from the source: too many to be believed. They are kept; ` +
      'raise restock.deletionGuard.share and synchronise in full if they are really gone.',
  )
}

/** @throws DeletionWithheld of a file that had rows and has none, which may be an export that failed */
export function refuseEmptied(): never {
  throw new DeletionRefused(
    'The file has no rows any more, which may be an export that failed. What was read of it is kept; if they are ' +
      'really gone, synchronise in full.',
  )
}

/** A hash of 53 bits: two texts share one with a probability of 1 in 10^16, and never if one character differs. */
export function digestOf(text: string): number {
  let [low, high] = [0x811c9dc5, 0x2545f491]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    low = Math.imul(low ^ code, 0x01000193)
    high = Math.imul(high ^ code, 0x9e3779b1)
  }
  return (low >>> 0) + (high >>> 11) * 2 ** 32
}

/** What writing a page did, row by row. */
export interface WriteResult {
  upserted: number
  unchanged: number
}
