import type { Page } from '../../adapters/adapter.ts'
import { type PageGroup, rowsOf } from './pages.ts'
import type { DeletionGuard } from '../store/records/deletion-guard.ts'
import { renewRun } from '../store/runs.ts'
import type { WriteResult } from '../store/records/write-result.ts'

export interface Issue {
  code: string
  stream: string
  key: string | null
  message: string
  /** Whether it is one of the rows that could not be used. */
  isRow?: boolean
  /** Why the ERP is unreachable, such as `ECONNREFUSED`. */
  reason?: string
}

interface Counts {
  rowsRead: number
  upserted: number
  unchanged: number
  quarantined: number
  deleted: number
}

type Progress = Page['progress']

/** In this order. */
export type Phase = 'reading' | 'forecasting' | 'proposing'

export interface BegunPhase {
  phase: Phase
  startedAt: string
}

/** Most rows that a sync lists. */
export const MAX_ISSUES = 100

const NOTHING: Counts = { rowsRead: 0, upserted: 0, unchanged: 0, quarantined: 0, deleted: 0 }

/** What a running sync has done so far. Its counts are stored with the rows that they count. */
export class Run {
  readonly ID: number
  readonly source: number
  readonly mode: 'incremental' | 'full'
  readonly guard: DeletionGuard
  issues: Issue[] = []
  /** What concerns no proposal. */
  notes: Issue[] = []
  readonly #counts = new Map<string, Counts>()
  readonly #progress = new Map<string, Progress>()
  readonly #phases: BegunPhase[] = []
  readonly #silent = new Set<string>()

  constructor(ID: number, source: number, mode: 'incremental' | 'full', guard: DeletionGuard) {
    this.ID = ID
    this.source = source
    this.mode = mode
    this.guard = guard
  }

  /** Of all streams together. */
  counts(): Counts {
    const sum = { ...NOTHING }
    for (const counts of this.#counts.values()) {
      for (const name of Object.keys(sum) as (keyof Counts)[]) sum[name] += counts[name]
    }
    return sum
  }

  /** Forgets what a broken-off attempt counted, because it begins anew. */
  forget(stream: string) {
    this.#counts.delete(stream)
    this.issues = this.issues.filter((issue) => issue.stream !== stream)
  }

  count(stream: string, page: PageGroup | null, written: WriteResult & { deleted: number }) {
    const counts = this.#counts.get(stream) ?? { ...NOTHING }
    this.#counts.set(stream, counts)
    counts.upserted += written.upserted
    counts.unchanged += written.unchanged
    counts.deleted += written.deleted
    if (!page) return
    counts.rowsRead += rowsOf(page) + page.quarantined.length
    counts.quarantined += page.quarantined.length
    // The first ones are listed; the counts tell of the others.
    const room = Math.max(0, MAX_ISSUES - this.issues.length)
    for (const { code, place, message } of page.quarantined.slice(0, room)) {
      this.add({ code, stream, key: place, message, isRow: true })
    }
  }

  /** Rows that concern no proposal count as read, and not as rejected. */
  discount(rows: { record: string }[]) {
    for (const { record } of rows) {
      const counts = this.#counts.get(record)
      if (counts) counts.quarantined--
    }
  }

  /** The rejected rows that are listed, in place of those that were. */
  listRows(rows: Issue[]) {
    const others = this.issues.filter(({ isRow }) => !isRow)
    this.issues = [...others, ...rows.map((row) => ({ ...row, isRow: true }))]
  }

  add(issue: Issue) {
    this.issues.push(issue)
  }

  /** How far the phase before was is forgotten, so that nobody takes it for this one's. @throws RunStopped */
  async begin(phase: Phase) {
    this.#phases.push({ phase, startedAt: new Date().toISOString() })
    const phases = JSON.stringify(this.#phases)
    await renewRun(this.ID, { phase, phases, done: 0, total: null, unit: null })
  }

  /**
   * Lets the streams write one after the other: they change the same pairs, and two transactions
   * that lock rows in different orders would block each other for good. @throws RunStopped
   */
  async takeTurn() {
    await renewRun(this.ID)
  }

  /** Stores progress and counts, renewing the lease. @throws RunStopped */
  async keep(phase: string, progress?: Progress, stream = '') {
    if (progress) {
      this.#progress.set(stream, progress)
      this.#silent.delete(stream)
    }
    const issues = JSON.stringify(this.issues)
    await renewRun(this.ID, { phase, ...this.counts(), issues, ...this.#overall() })
  }

  /** The streams that are about to be read: until each has reported its progress there is no total. */
  expect(streams: string[]) {
    for (const stream of streams) this.#silent.add(stream)
  }

  /** A stream has ended, perhaps without having reported anything. */
  ended(stream: string) {
    this.#silent.delete(stream)
  }

  /** Of all streams together; without a total while one of them does not know its own. */
  #overall(): Partial<Progress> {
    const all = [...this.#progress.values()]
    if (!all.length) return {}
    const sum = (values: number[]) => values.reduce((a, b) => a + b, 0)
    const totals = all.map(({ total }) => total)
    const isUnknown = this.#silent.size > 0 || totals.some((each) => each === null)
    const total = isUnknown ? null : sum(totals as number[])
    return { done: sum(all.map(({ done }) => done)), total, unit: all[0]!.unit }
  }
}
