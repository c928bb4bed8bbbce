import type { Page } from '../../../../adapters/adapter.ts'
import type { DemandColumns } from '../demand/columns.ts'

/** What is written at once. Demand comes in columns, or as records. */
export interface Batch extends Pick<Page, 'records' | 'deleted'> {
  demand?: DemandColumns
}

/** Where the pages of a read go; each method in its caller's transaction. */
export interface Target {
  /** The natural keys of what is stored; of snapshots alone. */
  storedKeys?(): Record<string, string>[]
  write(batch: Batch): Promise<WriteResult & { deleted: number }>
  /**
   * Ends the read; what a whole one did not see is deleted.
   * @returns the number of rows that are gone
   * @throws DeletionWithheld when suspiciously many would go; then nothing has changed
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

/** A number of 53 bits that stands for a text: two texts have the same one by a chance of 1 in 10^16, and never if only one character differs. */
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
