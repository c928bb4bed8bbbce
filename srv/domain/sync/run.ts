import type { Page } from '../../../adapters/adapter.ts'
import type { DeletionGuard, WriteResult } from '../../base/database/records/target.ts'
import { type AcquiredRun, renewRun } from '../../base/work/runs.ts'
import { type PageGroup, rowsOf } from './pages.ts'
import { noteMove } from './slots.ts'

export interface Issue {
  code: string
  stream: string
  key: string | null
  message: string
  /** Whether it is one of the rows that could not be used. */
  isRow?: boolean
  /** Why the ERP is unreachable, such as `ECONNREFUSED`. */
  reason?: string
  /** Of a sync that is given up, the phase in which its process ended. */
  phase?: string
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

/** Stands for all streams of an earlier attempt, whose counts are known only in sum. */
const EARLIER = ''

/** What a running sync has done so far. Its counts are stored with the rows that they count. */
export class Run {
  readonly ID: number
  readonly source: number
  readonly mode: 'incremental' | 'full'
  readonly guard: DeletionGuard
  issues: Issue[] = []
  /** Notes about what concerns no proposal. */
  notes: Issue[] = []
  readonly #counts = new Map<string, Counts>()
  readonly #progress = new Map<string, Progress>()
  readonly #phases: BegunPhase[] = []
  readonly #readToEnd = new Set<string>()
  /** The phase with which this attempt begins. */
  phase: Phase = 'reading'
  /** Other sources that now lead other pairs than before because of this sync. */
  others: number[] = []
  readonly #silent = new Set<string>()

  constructor(ID: number, source: number, mode: 'incremental' | 'full', guard: DeletionGuard) {
    this.ID = ID
    this.source = source
    this.mode = mode
    this.guard = guard
  }

  /** Continues where an earlier attempt ended: streams that were read to the end are not read again. */
  static from(row: AcquiredRun, guard: DeletionGuard): Run {
    const run = new Run(row.ID, row.source_ID!, row.mode!, guard)
    run.issues = listOf<Issue>(row.issues)
    for (const stream of listOf<string>(row.readToEnd)) run.#readToEnd.add(stream)
    if (row.phase !== 'forecasting' && row.phase !== 'proposing') return run
    run.phase = row.phase
    run.notes = listOf<Issue>(row.notes)
    run.others = listOf<number>(row.others)
    run.#phases.push(...listOf<BegunPhase>(row.phases))
    const { rowsRead, upserted, unchanged, quarantined, deleted } = row
    const counts = { rowsRead, upserted, unchanged, quarantined, deleted }
    run.#counts.set(EARLIER, { ...NOTHING, ...(counts as Counts) })
    return run
  }

  /** Of all streams together. */
  counts(): Counts {
    const sum = { ...NOTHING }
    for (const counts of this.#counts.values()) {
      for (const name of Object.keys(sum) as (keyof Counts)[]) sum[name] += counts[name]
    }
    return sum
  }

  /** Forgets the counts of an interrupted attempt, because the stream is read from the beginning. */
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
    // Only the first rows are listed; the counts include the others.
    const room = Math.max(0, MAX_ISSUES - this.issues.length)
    for (const { code, place, message } of page.quarantined.slice(0, room)) {
      this.add({ code, stream, key: place, message, isRow: true })
    }
  }

  /** Rows that concern no proposal count as read, and not as rejected. */
  discount(rows: { record: string }[]) {
    for (const { record } of rows) {
      const counts = this.#counts.get(record) ?? this.#counts.get(EARLIER)
      if (counts) counts.quarantined--
    }
  }

  /** Replaces the list of rejected rows. */
  listRows(rows: Issue[]) {
    const others = this.issues.filter(({ isRow }) => !isRow)
    this.issues = [...others, ...rows.map((row) => ({ ...row, isRow: true }))]
  }

  add(issue: Issue) {
    this.issues.push(issue)
  }

  /** Begins a phase and clears the progress of the one before. @throws RunStopped */
  async begin(phase: Phase) {
    this.phase = phase
    this.#phases.push({ phase, startedAt: new Date().toISOString() })
    const phases = JSON.stringify(this.#phases)
    const at = { phase, phases, done: 0, total: null, unit: null }
    await renewRun(
      this.ID,
      { ...at, ...(phase !== 'reading' && this.#whole()) },
      phase !== 'reading',
    )
  }

  /** All that an instance must know to continue with a later phase. */
  #whole() {
    const [issues, notes, others] = [this.issues, this.notes, this.others].map((each) =>
      JSON.stringify(each),
    )
    return { ...this.counts(), issues, notes, others }
  }

  /**
   * Lets the streams write one after the other: they change the same pairs, and two transactions that lock rows in different
   * orders would deadlock.
   * @throws RunStopped
   */
  async takeTurn() {
    await renewRun(this.ID)
  }

  /**
   * Stores progress and counts of a page, and renews the lease.
   * @param isResumable whether a later attempt continues after the page
   * @throws RunStopped
   */
  async keep(stream: string, progress: Progress, isResumable: boolean) {
    this.#progress.set(stream, progress)
    this.#silent.delete(stream)
    await this.#keep({}, isResumable && !this.#readToEnd.has(stream))
  }

  /** The same for a stream that has been read to its end. @throws RunStopped */
  async keepEnd(stream: string) {
    const isFirst = !this.#readToEnd.has(stream)
    this.#readToEnd.add(stream)
    await this.#keep({ readToEnd: JSON.stringify([...this.#readToEnd]) }, isFirst)
  }

  async #keep(set: object, isAdvance: boolean) {
    noteMove(this.ID)
    const issues = JSON.stringify(this.issues)
    const kept = { phase: 'reading', ...this.counts(), issues, ...this.#overall(), ...set }
    await renewRun(this.ID, kept, isAdvance)
  }

  /** The streams that will be read: until each has reported its progress there is no total. */
  expect(streams: string[]) {
    for (const stream of streams) this.#silent.add(stream)
  }

  /** Called when a stream has ended, even if it never reported progress. */
  ended(stream: string) {
    this.#silent.delete(stream)
  }

  /** The progress of all streams together, without a total while one of them is unknown. */
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

const listOf = <T>(json: unknown): T[] => JSON.parse((json as string | null) ?? '[]') as T[]
