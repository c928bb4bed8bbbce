import cds from '@sap/cds'
import pRetry, { AbortError } from 'p-retry'
import type { Cursor, Stream } from '../../../adapters/adapter.ts'
import { Fatal, Retriable, Unreachable } from '../../../adapters/errors.ts'
import type { RecordKind } from '../../../adapters/records.ts'
import { DemandRead, hasDemand } from '../../base/database/demand/demand-read.ts'
import { noteStockRead, StockHistoryRead } from '../../base/database/demand/stock-history.ts'
import { StreamStates, Syncs } from '../../base/database/entities.ts'
import { RecordsRead } from '../../base/database/records/records-read.ts'
import { refuseEmptied, type Target } from '../../base/database/records/target.ts'
import { catchUp, type Issue, type Outstanding, type Run } from './run.ts'
import { PlannedEventsRead } from './planned-events-read.ts'
import type { PageGroup } from './reading/pages.ts'
import {
  outdateQuarantined,
  quarantineRows,
  releaseMended,
  releaseQuarantined,
  releaseReread,
} from './rejected-rows.ts'
import type { SourceReader } from './reading/source-reader.ts'

/** The stored state of a stream. */
interface StreamState {
  cursor: Cursor | null
  /** The stamp of an unfinished read, so that it can be resumed; null otherwise. */
  read: number | null
  /** Whether that read is a whole one. */
  whole: boolean
  /** What a sync that lacked the stream has left to be calculated. */
  outstanding?: Outstanding | null
  /** Of a file: when it was written, since reading it again makes it no newer. */
  writtenAt?: number | undefined
}

async function loadState(source: number, record: RecordKind): Promise<StreamState> {
  const row = await SELECT.one.from(StreamStates).where({ source_ID: source, record })
  const { cursor = null, read = null, owed = null } = row ?? {}
  return { cursor, read, whole: Boolean(row?.whole), outstanding: owed as Outstanding | null }
}

/** Whether a list was ever read of a source. */
export async function wasRead(source: number, record: string): Promise<boolean> {
  const row = await SELECT.one
    .from(StreamStates)
    .columns('syncedAt', 'cursor', 'read')
    .where({ source_ID: source, record })
  // A read that has only begun has no cursor.
  return Boolean(row?.syncedAt && (row.cursor || row.read === null))
}

/** Must be called in the transaction of the rows before the cursor. */
async function saveState(
  source: number,
  record: RecordKind,
  { cursor, read, whole, writtenAt = Infinity }: StreamState,
) {
  const syncedAt = new Date(Math.min(Date.now(), writtenAt)).toISOString()
  const state = { source_ID: source, record, syncedAt, cursor, read, whole }
  await UPSERT.into(StreamStates).entries(state)
}

type Wish = Pick<Run, 'source' | 'mode'>

/** A read of a stream: its start, and whether it reads all rows. */
interface StreamRead extends StreamState {
  read: number
  /** Whether it resumes an interrupted read, whose rows are stored and counted. */
  isResumed: boolean
}

/**
 * Begins a read, or resumes an interrupted one. Snapshots and whole reads start from the beginning,
 * except whole reads of demand, which are too large to repeat.
 */
async function beginStreamRead(run: Run, mode: Wish['mode'], stream: Stream): Promise<StreamRead> {
  const { source } = run
  const { record, cursor } = stream
  const state = await stateOf(run, stream)
  const { outstanding } = state
  const isFull = mode === 'full'
  if (cursor === 'snapshot') {
    const read = await cds.tx(() => run.numberRead())
    return {
      cursor: isFull ? null : state.cursor,
      read,
      whole: true,
      outstanding,
      isResumed: false,
    }
  }
  if (canResume(state, record, isFull)) return { ...state, read: state.read!, isResumed: true }
  const whole = isFull || state.cursor === null || state.whole
  return cds.tx(async () => {
    const read = await run.numberRead()
    const begun = { cursor: whole ? null : state.cursor, read, whole, outstanding }
    await saveState(source, record, begun)
    return { ...begun, isResumed: false }
  })
}

/** Whether the next read resumes one that an earlier sync began, or this one on another instance. */
async function goesOn(run: Wish, stream: Stream): Promise<boolean> {
  const { record, cursor } = stream
  return cursor !== 'snapshot' && canResume(await stateOf(run, stream), record, run.mode === 'full')
}

function canResume({ read, whole }: StreamState, record: RecordKind, isFull: boolean): boolean {
  return read !== null && outlivesAttempt(record, whole, isFull)
}

const outlivesAttempt = (record: RecordKind, whole: boolean, isFull: boolean) =>
  whole ? record === 'demand' : !isFull

/** Whether an interrupted read continues after its last page. */
const isResumable = ({ mode }: Wish, { record, cursor }: Stream, whole: boolean): boolean =>
  cursor !== 'snapshot' && outlivesAttempt(record, whole, mode === 'full')

/** Ignores the cursor of demand if no demand is stored, for example because its table is new. */
async function stateOf(run: Wish, { record }: Stream): Promise<StreamState> {
  const state = await loadState(run.source, record)
  if (record !== 'demand' || state.cursor === null || (await hasDemand(run.source))) return state
  return { ...state, cursor: null, read: null, whole: false }
}

const ATTEMPTS = 4

/** `first` reads as the sync's mode says, `again` what changed during an interrupted read of an earlier sync. */
type Pass = 'first' | 'again'

/**
 * Reads one stream into the database, from its cursor on, and retries what the ERP says may succeed later. An interrupted
 * read continues where it stood, and is followed by another one, since what it had read by then may have changed.
 */
export async function readStream(
  run: Run,
  stream: Stream,
  reader: SourceReader,
  signal: AbortSignal,
) {
  const read = (pass: Pass) => {
    const attempt = async () => {
      try {
        await attemptRead(run, stream, reader, pass, signal)
      } catch (error) {
        throw error instanceof Retriable ? error : new AbortError(error as Error)
      }
    }
    return pRetry(attempt, { retries: ATTEMPTS - 1, minTimeout: 500, randomize: true, signal })
  }
  await inOrder(run, stream, async () => {
    const isBrokenOff = await goesOn(run, stream)
    await read('first')
    if (isBrokenOff) await read('again')
  })
}

/** The reads after which the SKUs of a run have the names that the ERP gives them now. */
const naming = new WeakMap<Run, Promise<unknown>>()

/** Nothing is stored of a SKU under a name that is no longer its own. All streams of a run must have been asked for. */
async function inOrder(run: Run, stream: Stream, read: () => Promise<void>): Promise<void> {
  if (stream.namesSkus) {
    const reading = read()
    naming.set(
      run,
      reading.catch(() => {}),
    )
    return reading
  }
  await Promise.resolve()
  await naming.get(run)
  return read()
}

async function attemptRead(
  run: Run,
  stream: Stream,
  reader: SourceReader,
  pass: Pass,
  signal: AbortSignal,
) {
  const { source } = run
  const mode = pass === 'again' ? 'incremental' : run.mode
  const reading = await beginStreamRead(run, mode, stream)
  if (!reading.isResumed && pass === 'first') {
    run.forget(stream.record)
    if (run.rejected.has(stream.record))
      await cds.tx(() => outdateQuarantined(source, run.ID, stream.record))
  }
  // The stored rows are loaded while the ERP prepares its first page.
  const target = beginTarget(source, stream, reading)
  const begun = Promise.allSettled([target])
  try {
    const stored = async () => (await target).storedKeys?.() ?? []
    const pages = reader.read(stream.record, reading.cursor, stored, signal)
    await readInto(target, run, stream, reading, pages)
  } finally {
    // The loading deletes rows of an earlier interrupted read; it must end before a later read writes rows.
    await begun
  }
}

async function readInto(
  target: Promise<Target>,
  run: Run,
  stream: Stream,
  reading: StreamRead,
  pages: AsyncIterable<PageGroup>,
) {
  let isClean = true
  let isEmpty = true
  for await (const page of pages) {
    isEmpty = false
    isClean &&= page.quarantined.length === 0
    reading.cursor = page.cursor
    reading.writtenAt = page.writtenAt
    await commitPage(run, stream, reading, await target, page)
    for (const message of page.notes ?? [])
      run.notes.push({ code: 'read_as', stream: stream.record, key: null, message })
  }
  const isUnchanged = isEmpty && stream.cursor === 'snapshot'
  if (!isUnchanged) await finishRead(run, stream, reading, await target, isClean)
}

async function beginTarget(
  source: number,
  { record, cursor }: Stream,
  reading: StreamRead,
): Promise<Target> {
  const isRestarted = cursor === 'snapshot'
  if (record === 'demand') return DemandRead.begin(source, { ...reading, isRestarted })
  if (record === 'stockHistory') return cds.tx(() => StockHistoryRead.begin(source))
  if (record === 'plannedEvents') return cds.tx(() => PlannedEventsRead.begin(source))
  return await cds.tx(() => RecordsRead.begin(source, record, reading))
}

async function commitPage(
  run: Run,
  stream: Stream,
  reading: StreamRead,
  target: Target,
  page: PageGroup,
) {
  const { record, cursor } = stream
  await cds.tx(async () => {
    await run.takeTurn()
    const written = await target.write(page)
    await releaseReread(run.source, run.ID, record, page.reread ?? [])
    if (!reading.whole && run.rejected.has(record))
      await releaseMended(run.source, run.ID, record, page)
    if (page.quarantined.length) run.rejected.add(record)
    await quarantineRows(run.source, run.ID, record, page.quarantined)
    if (cursor !== 'snapshot') await saveState(run.source, record, reading)
    run.count(record, page, written)
    await run.keep(record, page.progress, isResumable(run, stream, reading.whole))
  })
}

/**
 * After a read with rejected rows the cursor of a snapshot is not stored, so that the next sync reads it and reports its rows
 * again, even if nothing has changed.
 */
async function finishRead(
  run: Run,
  { record, cursor, isAlwaysRead, isFile }: Stream,
  reading: StreamRead,
  target: Target,
  isClean: boolean,
) {
  await cds.tx(async () => {
    await run.takeTurn()
    const fewest = NEVER_EMPTY[record]
    if (isFile && isClean && fewest && target.isEmptied?.(fewest)) await guardEmptied(run, record)
    const deleted = await target.finish(run.guard)
    run.count(record, null, { upserted: 0, unchanged: 0, deleted })
    if (record === 'stock') await noteStockRead(run.source)
    const keepsCursor = isClean || isAlwaysRead || cursor !== 'snapshot'
    const { writtenAt } = reading
    const kept = keepsCursor ? reading.cursor : null
    const state = { cursor: kept, read: null, whole: false, writtenAt }
    await saveState(run.source, record, state)
    if (reading.outstanding) await catchUp(run, record, reading.outstanding)
    if (reading.whole && run.rejected.has(record))
      await releaseQuarantined(run.source, run.ID, record)
    await run.keepEnd(record)
  })
}

/**
 * Without these everything would be ordered again, or nothing could be proposed: from so many rows on they do not all end at
 * once. Of a few orders the last one may have been received.
 */
const NEVER_EMPTY: { [K in RecordKind]?: number } = { stock: 1, openOrders: 5, planning: 1 }

/** A file without rows is believed by a full sync, once the sync before has told of it. @throws DeletionWithheld */
async function guardEmptied({ ID, source, mode }: Run, record: RecordKind) {
  const before = await SELECT.one
    .from(Syncs)
    .columns('issues')
    .where({ source_ID: source, ID: { '<': ID } })
    .orderBy('ID desc')
  const issues = JSON.parse(before?.issues ?? '[]') as Issue[]
  const isTold = issues.some((each) => each.code === WITHHELD && each.stream === record)
  if (mode !== 'full' || !isTold) refuseEmptied()
}

const WITHHELD = 'deletions_withheld'

/** A failure as an issue of the sync; null for an unexpected error. */
export function issueOf(error: unknown, record: string) {
  const cause = error as Error
  if (cause instanceof Fatal) {
    return { code: cause.code, stream: record, key: cause.target ?? null, message: cause.message }
  }
  if (cause instanceof Unreachable) {
    const { message, reason } = cause
    return { code: 'source_unavailable', stream: record, key: null, message, reason }
  }
  if (cause instanceof Retriable) {
    return { code: 'source_unavailable', stream: record, key: null, message: cause.message }
  }
  if (cause.name === 'DeletionWithheld') {
    return { code: WITHHELD, stream: record, key: null, message: cause.message }
  }
  return null
}
