import cds from '@sap/cds'
import PQueue from 'p-queue'
import type { Page } from '../../../adapters/adapter.ts'
import type { RecordKind } from '../../../adapters/records.ts'
import { takeNumbers } from '../../base/database/counters.ts'
import { isDatabaseFault, isDiskFull } from '../../base/database/database-faults.ts'
import { Sources, StreamStates } from '../../base/database/entities.ts'
import { isProposedToday } from '../../base/database/proposal-marks.ts'
import type { DeletionGuard, WriteResult } from '../../base/database/records/target.ts'
import { settings } from '../../base/settings/config.ts'
import { readLocalDays } from '../../base/time/days.ts'
import { type AcquiredRun, renewRun } from '../../base/work/runs.ts'
import { type PageGroup, rowsOf } from './reading/pages.ts'

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
  /** The lists with rejected rows, of this sync or earlier ones: of others there is nothing to mend and to forget. */
  rejected = new Set<string>()
  #nextRead = 0
  #readsLeft = 0

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

  /** Takes the numbers that its reads will have, so that each need not take its own. */
  async prepareReads(count: number) {
    this.#nextRead = await cds.tx(() => takeNumbers('read', count))
    this.#readsLeft = count
  }

  /** The number of a read, higher than those of all earlier ones of the source. In a transaction. */
  async numberRead(): Promise<number> {
    if (!this.#readsLeft) return takeNumbers('read')
    this.#readsLeft--
    return this.#nextRead++
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

// Limits how many syncs this instance works on at once. If the ERP of one has sent nothing for a while, another may begin;
// the first one then waits for its turn to be forecast and proposed.

const PATIENCE_MS = 60_000

/** When each run last received a page; null once it calculates. */
const active = new Map<number, number | null>()

/** Whether another run may begin. */
export function hasRoom(now = Date.now()): boolean {
  const busy = [...active.values()].filter((at) => at === null || now - at < PATIENCE_MS)
  return busy.length < settings().syncsAtOnce
}

/** Called when a run begins or receives a page of its ERP. */
export const noteMove = (ID: number) => void active.set(ID, Date.now())

export const leaveSlot = (ID: number) => void active.delete(ID)

let calculating: PQueue | undefined

/** Forecasts and proposes in turn, so that few runs do so at once. @throws the signal's reason once it is aborted */
export async function calculateInTurn<T>(
  ID: number,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  calculating ??= new PQueue({ concurrency: settings().syncsAtOnce })
  active.set(ID, null)
  // The queue does not wait for work that its signal interrupts.
  let begun: Promise<T> | undefined
  try {
    return await calculating.add(() => (begun = work()), { signal })
  } finally {
    await begun?.catch(() => {})
  }
}

// Counts faults of the database that runs meet on this instance. A run waits for the database and continues where it stood.
// If it meets the same fault again and again at the same position, the fault is its own.

/** The most faults in a row without progress: about eight minutes, besides the time that the database is away. */
const MOST_FAULTS = 20
/** The same for a full disk: about a quarter of a minute, since somebody has to make room. */
const MOST_WITHOUT_ROOM = 4
const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 30_000

interface Setback {
  advances: number
  count: number
  retryAt: number
}

const setbacks = new Map<number, Setback>()

/** Called before a run is executed. @param advances how often it has made lasting progress */
export function noteStart(ID: number, advances: number) {
  const setback = setbacks.get(ID)
  if (setback && setback.advances === advances) return
  setbacks.set(ID, { advances, count: 0, retryAt: 0 })
}

/** Whether the run should be retried after this error, instead of failing with it. */
export function isSetback(ID: number, error: unknown): boolean {
  const setback = setbacks.get(ID)
  if (!setback || !isDatabaseFault(error)) return false
  setback.count++
  setback.retryAt = Date.now() + Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** setback.count)
  return setback.count < (isDiskFull(error) ? MOST_WITHOUT_ROOM : MOST_FAULTS)
}

export const waitsStill = (ID: number) => (setbacks.get(ID)?.retryAt ?? 0) > Date.now()

/** Called when a run has ended or belongs to another instance. */
export const forgetSetbacks = (ID: number) => setbacks.delete(ID)

// A full sync learns from all demand and calculates all pairs. If it fails, or lacks a stream, the next sync that can do so
// catches up: the results for the same data must not depend on earlier failures.

/** What has to be caught up: all learning and forecasts, or only the proposals of all pairs. */
export type Outstanding = 'forecasts' | 'proposals'

/** The streams that forecasts are made from. If a required one fails, the sync ends, unless it waits for a file. */
const LEARNT_FROM: readonly string[] = [
  'demand',
  'stock',
  'stockHistory',
  'plannedEvents',
] satisfies RecordKind[]

/** Whether this sync learns, forecasts and calculates everything. */
export async function calculatesAll({ source, mode }: Run): Promise<boolean> {
  if (mode === 'full') return true
  const row = await SELECT.one.from(Sources).columns('calculateAll').where({ ID: source })
  return Boolean(row?.calculateAll)
}

/** Called at the start of a full sync, and when a missing stream has been read again. */
const requestCalculation = (source: number, outstanding: Outstanding) =>
  UPDATE.entity(Sources)
    .set({ proposedOn: null, ...(outstanding === 'forecasts' && { calculateAll: true }) })
    .where({ ID: source })

export async function beginFull({ source, mode }: Run) {
  if (mode === 'full') await requestCalculation(source, 'forecasts')
}

/** Called when everything is calculated. */
export const endAll = ({ source }: Run) =>
  UPDATE.entity(Sources).set({ calculateAll: false }).where({ ID: source })

/** Called for a stream that this sync lacks, in the transaction that notes it. */
export async function noteLack(run: Run, record: RecordKind) {
  const all = await calculatesAll(run)
  const days = await readLocalDays(run.source)
  if (!all && (await isProposedToday(run.source, days, null))) return
  const outstanding: Outstanding = all && LEARNT_FROM.includes(record) ? 'forecasts' : 'proposals'
  await UPSERT.into(StreamStates).entries({ source_ID: run.source, record, owed: outstanding })
}

/** Called for a stream that was read to its end although a sync before lacked it, in the same transaction. */
export async function catchUp({ source }: Run, record: RecordKind, outstanding: Outstanding) {
  await UPDATE.entity(StreamStates).set({ owed: null }).where({ source_ID: source, record })
  await requestCalculation(source, outstanding)
}
