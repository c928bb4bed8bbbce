import type { Page } from '../../../adapters/adapter.ts'
import type { DeletionGuard } from './deletion-guard.ts'
import type { WriteResult } from './write-result.ts'

/** Where the pages of a read go; each method in its caller's transaction. */
export interface Target {
  /** The natural keys of what is stored; of snapshots alone. */
  storedKeys?(): Record<string, string>[]
  write(page: Pick<Page, 'records' | 'deleted'>): Promise<WriteResult & { deleted: number }>
  /**
   * Ends the read; what a whole one did not see is deleted.
   * @returns the number of rows that are gone
   * @throws DeletionWithheld when suspiciously many would go; then nothing has changed
   */
  finish(guard: DeletionGuard): Promise<number>
}
