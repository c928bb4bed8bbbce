import type { Page } from '../../adapters/adapter.ts'
import type { DeletionGuard } from '../store/deletion-guard.ts'
import { keepRun } from '../store/lease.ts'
import type { Written } from '../store/written.ts'

export interface Issue {
  code: string
  stream: string
  key: string | null
  message: string
}

interface Counts {
  rowsRead: number
  upserted: number
  unchanged: number
  quarantined: number
  deleted: number
}

const MAX_ISSUES = 100

/** What a running sync has done so far. Its counts are stored with the rows that they count. */
export class Run {
  readonly ID: number
  readonly source: number
  readonly mode: 'incremental' | 'full'
  readonly guard: DeletionGuard
  readonly issues: Issue[] = []
  #counts: Counts = { rowsRead: 0, upserted: 0, unchanged: 0, quarantined: 0, deleted: 0 }

  constructor(ID: number, source: number, mode: 'incremental' | 'full', guard: DeletionGuard) {
    this.ID = ID
    this.source = source
    this.mode = mode
    this.guard = guard
  }

  counts(): Counts & { issues: number } {
    return { ...this.#counts, issues: this.issues.length }
  }

  /** Forgets what a broken-off attempt counted. */
  restoreCounts({ issues, ...counts }: Counts & { issues: number }) {
    this.#counts = counts
    this.issues.length = issues
  }

  count(stream: string, page: Page, written: Written) {
    this.#counts.rowsRead += page.records.length + page.skipped.length
    this.#counts.upserted += written.upserted
    this.#counts.unchanged += written.unchanged
    this.#counts.quarantined += page.skipped.length
    for (const { code, place, message } of page.skipped) {
      this.add({ code, stream, key: place, message })
    }
  }

  countDeleted(rows: number) {
    this.#counts.deleted += rows
  }

  /** The first hundred are listed; the counts tell of the others. */
  add(issue: Issue) {
    if (this.issues.length < MAX_ISSUES) this.issues.push(issue)
  }

  /** Stores progress and counts, renewing the lease. @throws RunStopped */
  async keep(phase: string, progress?: Page['progress']) {
    await keepRun(this.ID, {
      phase,
      ...this.#counts,
      issues: JSON.stringify(this.issues),
      ...(progress ?? {}),
    })
  }
}
