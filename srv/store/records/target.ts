import type { Page } from '../../../adapters/adapter.ts'
import type { DemandColumns } from '../demand/columns.ts'
import type { DeletionGuard } from './deletion-guard.ts'
import type { WriteResult } from './write-result.ts'

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
