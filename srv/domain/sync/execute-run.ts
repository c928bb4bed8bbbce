// A sync from its first page to its last proposal.
import cds from '@sap/cds'
import type { Connection, Stream } from '../../../adapters/adapter.ts'
import { isAwaited, isNotThere, isUnreadable } from '../../../adapters/errors.ts'
import { isDatabaseFault, isDiskFull } from '../../base/database/database-faults.ts'
import { demandEnd } from '../../base/database/demand/demand-read.ts'
import { recordStockouts } from '../../base/database/demand/stock-history.ts'
import { removeVanishedSkus } from '../../base/database/demand/series.ts'
import { Sources } from '../../base/database/entities.ts'
import { type NewEvent, publishEvents } from '../../base/database/events.ts'
import { settleLeads } from '../../base/database/leads.ts'
import { refreshStatistics } from '../../base/database/native/index.ts'
import { settings } from '../../base/settings/config.ts'
import {
  acquireRun,
  type AcquiredRun,
  endRun,
  executing,
  isGivenUp,
  MOST_ATTEMPTS,
  renewRun,
  RunStopped,
  takeAttemptBack,
} from '../../base/work/runs.ts'
import { dropForecastsOfLedPairs, runForecasts } from '../forecasts/index.ts'
import { refreshProposals } from '../proposals/index.ts'
import { measureForecasts } from '../quality/index.ts'
import { connectionOf } from '../sources/index.ts'
import {
  beginFull,
  calculateInTurn,
  calculatesAll,
  endAll,
  forgetSetbacks,
  isSetback,
  leaveSlot,
  noteLack,
  noteMove,
  noteStart,
  Run,
} from './run.ts'
import { consentNotes, NOTES, sortOutNotes } from './notes.ts'
import { issueOf, readStream, wasRead } from './read-stream.ts'
import { SourceReader } from './reading/source-reader.ts'
import { olderRowIssues, rejectedLists, withdrawGoneProducts } from './rejected-rows.ts'

const LOG = cds.log('sync')
const HEARTBEAT_MS = 3_000

type Outcome = 'succeeded' | 'partial' | 'failed' | 'cancelled'

/** Whether the run has ended or belongs to another instance, or waits to be continued. */
type Left = 'done' | 'waits'

/**
 * Executes a queued run, or continues one whose instance has died; does nothing if another instance has it.
 * @returns `waits` if this instance holds the run but does not work on it any more
 */
export async function executeRun(ID: number, stopping: AbortSignal): Promise<Left> {
  const row = await acquireRun(ID)
  if (!row) return 'done'
  const run = Run.from(row, settings().deletionGuard)
  noteStart(ID, Number(row.advances ?? 0))
  const stopped = new AbortController()
  const signal = AbortSignal.any([stopped.signal, stopping])
  const heartbeat = setInterval(() => {
    renewRun(ID).catch((reason) => {
      if (reason instanceof RunStopped) stopped.abort(reason)
      else LOG.warn(`sync_${ID} has not renewed its lease:`, reason) // the next page tells whether it is lost
    })
  }, HEARTBEAT_MS)
  const taken = { sync: ID, turn: Number(row.turn), signal }
  const left = await executing(taken, () => workOn(run, row, signal, stopping)).finally(() =>
    clearInterval(heartbeat),
  )
  if (left === 'done') forgetSetbacks(ID)
  return left
}

async function workOn(
  run: Run,
  row: AcquiredRun,
  signal: AbortSignal,
  stopping: AbortSignal,
): Promise<Left> {
  const { ID } = run
  try {
    if (isGivenUp(row.attempts)) await giveUp(run, row)
    else {
      noteMove(ID)
      await renewRun(ID, { startedAt: row.startedAt ?? new Date().toISOString() })
      await endSync(run, await performRun(run, signal))
    }
    return 'done'
  } catch (thrown) {
    // Interrupted work may throw an error of its own.
    const error: unknown = signal.reason instanceof RunStopped ? signal.reason : thrown
    if (error instanceof RunStopped) {
      if (error.cancelled) await endSync(run, 'cancelled')
      else await takeAttemptBack(ID)
      return 'done'
    }
    if (stopping.aborted) return 'waits'
    if (isSetback(ID, error)) {
      LOG.warn(`sync_${ID} goes on once the database does:`, (error as Error).message)
      return 'waits'
    }
    LOG.error(`sync_${ID} failed:`, error)
    run.add({ ...issueOfFault(error), stream: '', key: null })
    await endSync(run, 'failed')
    return 'done'
  } finally {
    leaveSlot(ID)
  }
}

function issueOfFault(error: unknown) {
  if (isDiskFull(error)) return { code: 'disk_full', message: 'The disk of the database is full.' }
  return isDatabaseFault(error)
    ? { code: 'database_unavailable', message: 'The database failed again and again.' }
    : { code: 'internal_error', message: 'The sync broke off.' }
}

/** Gives up a run. What its attempts have read, forecast and proposed stays. */
async function giveUp(run: Run, { phase }: AcquiredRun) {
  const message = `The process ended ${MOST_ATTEMPTS} times while it worked on this sync.`
  run.add({ code: 'gave_up', stream: '', key: null, message, phase: phase ?? 'reading' })
  LOG.error(`sync_${run.ID} is given up: ${message} Phase: ${phase}.`)
  await endSync(run, 'failed')
}

async function performRun(run: Run, signal: AbortSignal): Promise<Outcome> {
  const { adapter, connection } = await connectionOf(run.source)
  if (run.phase === 'reading') {
    let streams: Stream[]
    try {
      streams = adapter.streams(connection)
    } catch (error) {
      return failedIssue(run, error, 'source')
    }
    await beginFull(run)
    await run.begin('reading')
    run.rejected = await rejectedLists(run.source)
    await run.prepareReads(streams.length)
    const failure = await readStreams(run, adapter.type, connection, streams, signal)
    if (failure) return failedIssue(run, failure.error, failure.record)
    if (run.mode === 'full' && adapter.catalog === 'complete') {
      await cds.tx(() => removeVanishedSkus(run.source))
    }
    await cds.tx(() => withdrawGoneProducts(run))
    await cds.tx(() => recordStockouts(run.source))
    if (run.mode === 'full') await refreshStatistics()
  }
  await calculateInTurn(run.ID, signal, () => forecastAndPropose(run, signal))
  for (const notesOf of NOTES) run.notes.push(...(await notesOf(run.source)))
  run.notes.push(...(await cds.tx(() => consentNotes(run.source, adapter, connection))))
  await cds.tx(() => sortOutNotes(run, adapter.catalog === 'complete'))
  for (const issue of await olderRowIssues(run.source, run.ID)) run.add(issue)
  return run.issues.length ? 'partial' : 'succeeded'
}

/**
 * Reads the streams in parallel. If an optional stream fails, the others continue and its rows of the last sync stay; the
 * same holds for a stream that waits for a file and was read before.
 * @returns the failure that makes the sync fail
 */
async function readStreams(
  run: Run,
  type: string,
  connection: Connection,
  streams: Stream[],
  signal: AbortSignal,
) {
  const broken = new AbortController()
  const either = AbortSignal.any([signal, broken.signal])
  let failure: { error: unknown; record: string } | null = null
  run.expect(streams.map(({ record }) => record))
  const reader = new SourceReader(type, connection)
  const readOne = async (stream: Stream) => {
    try {
      await readStream(run, stream, reader, either)
    } catch (error) {
      if (either.aborted) return
      if (stream.isOptional && (await isLeftOut(run.source, stream.record, error))) {
        run.notes.push(knownError(error, stream.record))
        return
      }
      const isMissed = stream.isRequired && !(isAwaited(error) && (await hasData(run.source)))
      if (!isMissed && issueOf(error, stream.record)) {
        run.add(knownError(error, stream.record))
        await noteLack(run, stream.record)
        return
      }
      failure = { error, record: stream.record }
      broken.abort()
    } finally {
      run.ended(stream.record)
    }
  }
  // A draft that becomes an order meanwhile is seen as both, of which the reference tells, and never as neither.
  const drafts = streams.find(({ record }) => record === 'drafts')
  const draftsRead = drafts && readOne(drafts)
  const inTurn = async (stream: Stream) => {
    if (stream.record === 'openOrders') await draftsRead
    await (stream === drafts ? draftsRead : readOne(stream))
  }
  await Promise.all(streams.map(inTurn)).finally(() => reader.close())
  signal.throwIfAborted()
  return failure as { error: unknown; record: string } | null
}

/** Whether an optional list may stay unread: there is none for this account, or nothing was ever read of what the ERP refuses. */
const isLeftOut = async (source: number, record: string, error: unknown) =>
  isUnreadable(error) || (isNotThere(error) && !(await wasRead(source, record)))

/** Whether demand was read by an earlier sync, so that there are forecasts. */
async function hasData(ID: number): Promise<boolean> {
  const row = await SELECT.one.from(Sources).columns('dataAsOf').where({ ID })
  return Boolean(row?.dataAsOf)
}

/** Makes the forecasts and proposals, or those that an earlier attempt has left, and ends the sync. */
async function forecastAndPropose(run: Run, signal: AbortSignal) {
  if (run.phase === 'reading') {
    const dataAsOf = await demandEnd(run.source)
    await UPDATE.entity(Sources).set({ dataAsOf }).where({ ID: run.source })
    // Pairs of other sources whose leading source changes are recalculated now, not with their own next sync.
    await cds.tx(async () => {
      run.others = await settleLeads(run.source)
      await run.begin('forecasting')
    })
  }
  if (run.phase === 'forecasting') {
    const forecast = (source: number, everything: boolean) =>
      runForecasts({ source, sync: run.ID, everything })
    await forecast(run.source, await calculatesAll(run))
    for (const other of run.others) await forecast(other, false)
    await dropForecastsOfLedPairs()
    if (run.mode === 'full') await refreshStatistics()
    await run.begin('proposing')
  }
  // The forecasts are measured while proposals are made from them.
  const measuring = measureForecasts([run.source, ...run.others], run.ID, signal)
  await propose(run).finally(() => measuring)
  signal.throwIfAborted()
  await endAll(run)
}

async function propose(run: Run) {
  await refreshProposals({ source: run.source, sync: run.ID })
  for (const source of run.others) {
    await refreshProposals({ source, sync: run.ID, onlyMarked: true })
  }
}

function knownError(error: unknown, record: string) {
  const issue = issueOf(error, record)
  if (!issue) throw error
  return issue
}

function failedIssue(run: Run, error: unknown, record: string): Outcome {
  run.add(knownError(error, record))
  return 'failed'
}

async function endSync(run: Run, status: Outcome) {
  const counts = run.counts()
  const finishedAt = new Date().toISOString()
  await cds.tx(async () => {
    const told = { issues: JSON.stringify(run.issues), notes: JSON.stringify(run.notes) }
    const ended = await endRun(run.ID, { status, finishedAt, ...counts, ...told })
    // The run belongs to another instance by now, which will publish how it ends.
    if (!ended) return
    if (status !== 'cancelled') await publishEvents([syncEvent(run, status)])
    await UPDATE.entity(Sources)
      .set({ status: status === 'failed' ? 'failing' : 'connected' })
      .where({ ID: run.source, status: { in: ['connected', 'failing'] } })
  })
  LOG.info(`sync_${run.ID} of src_${run.source} ${status}`, counts)
}

const syncEvent = ({ ID, source }: Run, status: Outcome): NewEvent => ({
  type: status === 'failed' ? 'sync.failed' : 'sync.completed',
  data: { id: `sync_${ID}`, source_id: `src_${source}`, status },
})
