import cds from '@sap/cds'
import type { Stream } from '../../adapters/adapter.ts'
import { settings } from '../config.ts'
import { acquireRun, endRun, renewRun, RunStopped } from '../store/runs.ts'
import { type NewEvent, publish } from '../store/events/publish.ts'
import { demandEnd } from '../store/demand/demand-read.ts'
import { removeVanishedSkus } from '../store/demand/series.ts'
import { connectionOf } from '../store/connections.ts'
import { stillQuarantined } from './quarantine.ts'
import { issueOf, readStream } from './read-stream.ts'
import { Run, type Issue } from './run.ts'
import { Sources, Syncs } from '../store/entities.ts'

const { SELECT, UPDATE } = cds.ql
const LOG = cds.log('sync')
const HEARTBEAT_MS = 3_000

type Outcome = 'succeeded' | 'partial' | 'failed' | 'cancelled'

/** Executes a queued run, or goes on with one whose instance is gone; nothing happens if another has it. */
export async function executeRun(ID: number, stopping: AbortSignal) {
  if (!(await acquireRun(ID))) return
  const row = (await SELECT.one.from(Syncs).where({ ID }))!
  const run = new Run(ID, row.source_ID!, row.mode!, settings().deletionGuard)
  run.issues = JSON.parse(row.issues ?? '[]') as Issue[]
  const stopped = new AbortController()
  const heartbeat = setInterval(() => {
    renewRun(ID).catch((reason) => {
      if (reason instanceof RunStopped) stopped.abort(reason)
      else LOG.warn(`sync_${ID} has not renewed its lease:`, reason) // the next page tells whether it is lost
    })
  }, HEARTBEAT_MS)
  try {
    await renewRun(ID, { startedAt: row.startedAt ?? new Date().toISOString() })
    await end(run, await perform(run, AbortSignal.any([stopped.signal, stopping])))
  } catch (error) {
    if (stopping.aborted) return
    if (error instanceof RunStopped) {
      if (error.cancelled) await end(run, 'cancelled')
      return
    }
    LOG.error(`sync_${ID} failed:`, error)
    run.add({ code: 'internal_error', stream: '', key: null, message: 'The sync broke off.' })
    await end(run, 'failed')
  } finally {
    clearInterval(heartbeat)
  }
}

async function perform(run: Run, signal: AbortSignal): Promise<Outcome> {
  const { adapter, connection } = await connectionOf(run.source)
  let streams: Stream[]
  try {
    streams = adapter.streams(connection)
  } catch (error) {
    return failed(run, error, 'source')
  }
  await run.begin('reading')
  const failure = await readAll(run, streams, signal)
  if (failure) return failed(run, failure.error, failure.record)
  if (run.mode === 'full' && adapter.catalog === 'complete') {
    await cds.tx(() => removeVanishedSkus(run.source))
  }
  for (const issue of await stillQuarantined(run.source, run.ID)) run.add(issue)
  await follow(run)
  return run.issues.length ? 'partial' : 'succeeded'
}

/**
 * Reads the streams side by side. One that is not required may fail: the others go on, and what
 * was last read of it stays.
 * @returns the failure that makes the sync fail
 */
async function readAll(run: Run, streams: Stream[], signal: AbortSignal) {
  const broken = new AbortController()
  const either = AbortSignal.any([signal, broken.signal])
  let failure: { error: unknown; record: string } | null = null
  run.expect(streams.map(({ record }) => record))
  const readOne = async (stream: Stream) => {
    try {
      await readStream(run, stream, either)
    } catch (error) {
      if (either.aborted) return
      if (!stream.isRequired && issueOf(error, stream.record)) {
        run.add(known(error, stream.record))
        return
      }
      failure = { error, record: stream.record }
      broken.abort()
    } finally {
      run.ended(stream.record)
    }
  }
  await Promise.all(streams.map(readOne))
  signal.throwIfAborted()
  return failure as { error: unknown; record: string } | null
}

/** Forecasts and proposals from what was read; a sync ends after they are there. */
async function follow(run: Run) {
  const dataAsOf = await demandEnd(run.source)
  await UPDATE.entity(Sources).set({ dataAsOf }).where({ ID: run.source })
  await run.begin('forecasting')
  const forecasting = await cds.connect.to('ForecastingService')
  await forecasting.send('refresh', {
    source: run.source,
    sync: run.ID,
    everything: run.mode === 'full',
  })
  await run.begin('proposing')
  const proposals = await cds.connect.to('ProposalsService')
  await proposals.send('refresh', { source: run.source, sync: run.ID })
}

function known(error: unknown, record: string) {
  const issue = issueOf(error, record)
  if (!issue) throw error
  return issue
}

function failed(run: Run, error: unknown, record: string): Outcome {
  run.add(known(error, record))
  return 'failed'
}

async function end(run: Run, status: Outcome) {
  const counts = run.counts()
  const finishedAt = new Date().toISOString()
  await cds.tx(async () => {
    const issues = JSON.stringify(run.issues)
    const ended = await endRun(run.ID, { status, finishedAt, ...counts, issues })
    if (ended && status !== 'cancelled') await publish([syncEvent(run, status)])
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
