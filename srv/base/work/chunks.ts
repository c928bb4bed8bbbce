// A step of a run is cut into chunks. On PostgreSQL all instances do them; elsewhere there is one process, which does them itself.
import { EventEmitter, once } from 'node:events'
import cds from '@sap/cds'
import PQueue from 'p-queue'
import { PgBoss, systemClock } from 'pg-boss'
import { postgresClient } from '../cap/connection.ts'
import { runDetached } from '../cap/context.ts'
import { DatabaseAway, isDatabaseFault } from '../database/database-faults.ts'
import { readAs, RunChunks } from '../database/entities.ts'
import { ownVersion } from '../database/release.ts'
import { inChunks } from '../database/rows.ts'
import { traceparent } from '../log/trace.ts'
import { advanceTurn, executedRun, isTurn, renewRun, RunStopped, type Turn } from './runs.ts'
import {
  atOnce,
  type Chunk,
  type ChunkContext,
  contextOf,
  doChunk,
  keyOf,
  type Of,
  type Step,
  stepNamed,
} from './steps.ts'
import { Worker } from './worker.ts'

/** Of a run, or of a calculation that this process does for itself. */
export function chunkContext(of: Of): ChunkContext {
  const run = executedRun(of.sync)
  return contextOf(of, run ? keyOf(run) : `here ${++calls}`, run?.signal)
}

let calls = 0

/**
 * Does all chunks of a step, each once.
 * @returns the results, in the order of the chunks
 * @throws RunStopped; what a chunk throws; the reason of the run's signal once it is aborted
 */
export async function doInChunks<Input, Result>(
  step: Step<Input, Result>,
  context: ChunkContext,
  chunks: readonly Chunk<Input>[],
): Promise<Result[]> {
  const run = executedRun(context.sync)
  if (run && isHandingOut() && chunks.length > 1) return handOutChunks(step, context, run, chunks)
  // A file of SQLite has one connection, for which other chunks would only wait.
  const isAlone = cds.db.kind === 'sqlite' && !step.isOnThreads
  const queue = new PQueue({ concurrency: isAlone ? 1 : atOnce() })
  const broken = new AbortController()
  const signal = AbortSignal.any([broken.signal, ...(run ? [run.signal] : [])])
  const doOne = async ({ input, units }: Chunk<Input>) => {
    signal.throwIfAborted()
    try {
      return await doChunk(step, input, context, async ({ isAdvance }) => {
        if (run) await advanceTurn(run, units, isAdvance)
      })
    } catch (error) {
      broken.abort(error)
      throw error
    }
  }
  return queue.addAll(chunks.map((chunk) => () => doOne(chunk))).finally(() => queue.onIdle())
}

// Chunks that pg-boss hands to all instances of a PostgreSQL. Its tables lie in a schema of their own. A chunk is noted as done in
// the transaction of what it did, under a key that admits it once, and only as long as the run is in the turn that has handed it out.

const LOG = cds.log('jobs')

/** Beside the service's own schema, so that two installations in one database do not do each other's chunks. */
const schemaBeside = (schema: string | null) => `${schema ?? 'restock'}_jobs`
/** Of each release one, for what is handed out by one may be unknown to another, or done otherwise, while both run. */
const queue = () => `chunks-${ownVersion()}`
/** Chunks handed out by one statement. */
const AT_ONCE_OUT = 500
const FIRST_LOOK_MS = 50
const LAST_LOOK_MS = 1_000
/** Where no chunk is done for so long, the instance that waits for them does those that are left. */
const SILENCE_MS = 30_000

/** Where a chunk stands in its run. */
interface Place extends Turn {
  step: string
  place: number
}

interface HandedOut extends Turn, Chunk<unknown> {
  step: string
  source: number
  place: number
  /** Of OpenTelemetry, where the run has one. */
  trace?: string
}

const nameOf = (step: string, source: number) => `${step} src_${source}`
const placeOf = ({ sync, turn, step, source, place }: HandedOut): Place => ({
  ...{ sync, turn, step: nameOf(step, source), place },
})

/** Tells whoever waits in this process that a chunk is done. */
const ends = new EventEmitter()

/** Whether chunks are handed out at present. */
const isHandingOut = () => boss !== undefined

/** @returns the results, in the order of the chunks @throws RunStopped, DatabaseAway, what a chunk throws */
async function handOutChunks<Input, Result>(
  { name: step }: Step<Input, Result>,
  { source }: Of,
  { sync, turn, signal }: Turn & { signal: AbortSignal },
  chunks: readonly Chunk<Input>[],
): Promise<Result[]> {
  const trace = traceparent()
  const all = chunks.map((chunk, place) => ({ ...chunk, sync, turn, step, source, place, trace }))
  await handOut(all)
  const of = { sync, turn, step: nameOf(step, source) }
  await untilDone(of, all, signal)
  const rows = await readAs<{ result: string }>(
    SELECT.from(RunChunks).columns('result').where(of).orderBy('place'),
  )
  await DELETE.from(RunChunks).where(of)
  return rows.map(({ result }) => JSON.parse(result) as Result)
}

/** @throws DatabaseAway after which the run goes on by itself, until pg-boss has begun anew */
async function handOut(chunks: HandedOut[]) {
  try {
    for (const some of inChunks(chunks, AT_ONCE_OUT))
      await boss!.insert(
        queue(),
        some.map((data) => ({ data })),
      )
  } catch (error) {
    void stop().catch(() => {})
    throw new DatabaseAway(`Chunks could not be handed out: ${(error as Error).message}`)
  }
}

async function untilDone(of: Omit<Place, 'place'>, all: HandedOut[], signal: AbortSignal) {
  let [before, silentSince, pause] = [0, performance.now(), FIRST_LOOK_MS]
  for (;;) {
    const [found] = await readAs<{ done: unknown; fault: string | null }>(
      SELECT.from(RunChunks).columns('count(*) as done', 'max(fault) as fault').where(of),
    )
    if (found?.fault) throw new Error(found.fault)
    const done = Number(found?.done ?? 0)
    if (done === all.length) return
    if (done > before) [before, silentSince] = [done, performance.now()]
    if (performance.now() - silentSince > SILENCE_MS) {
      await doMissing(of, all, signal)
      silentSince = performance.now()
    }
    // What was lost with another instance waits for the next look of a worker, of which nothing notifies.
    if (pause === LAST_LOOK_MS) lookForChunks()
    pause = Math.min(LAST_LOOK_MS, 2 * pause)
    const either = AbortSignal.any([signal, AbortSignal.timeout(pause)])
    await once(ends, 'chunk', { signal: either }).catch(() => {})
    signal.throwIfAborted()
    await renewRun(of.sync)
  }
}

/** Nobody gets on: the chunks' engine fails, or what does them has ended and nobody noticed yet. */
async function doMissing(of: Omit<Place, 'place'>, all: HandedOut[], signal: AbortSignal) {
  LOG.warn(`${of.step} of sync_${of.sync}: no chunk was done for long, so that they are done here`)
  for (const chunk of all) {
    signal.throwIfAborted()
    if (await isNoted(chunk)) continue
    await doHandedOut(chunk, signal).catch(async (error) => {
      if (!(await isNoted(chunk))) throw error
    })
  }
}

const isNoted = async (chunk: HandedOut) =>
  Boolean(await SELECT.one.from(RunChunks).columns('place').where(placeOf(chunk)))

async function doHandedOut(chunk: HandedOut, signal: AbortSignal) {
  const step = stepNamed(chunk.step)
  if (!step) throw new Error(`This release knows no step ${chunk.step}.`)
  const context = contextOf(chunk, keyOf(chunk), signal)
  await doChunk(step, chunk.input as never, context, async ({ result, isAdvance }) => {
    await advanceTurn(chunk, chunk.units, isAdvance)
    await INSERT.into(RunChunks).entries({ ...placeOf(chunk), result: JSON.stringify(result) })
  })
  LOG.debug(`sync_${chunk.sync}: chunk ${chunk.place} of ${nameOf(chunk.step, chunk.source)} done`)
}

/** @throws what another instance, or a later try, may have more luck with */
async function receive(chunk: HandedOut) {
  if (!(await isTurn(chunk)) || (await isNoted(chunk))) return
  try {
    await doHandedOut(chunk, stopping.signal)
  } catch (error) {
    if (error instanceof RunStopped || (await isNoted(chunk))) return
    if (stopping.signal.aborted || isDatabaseFault(error)) throw error
    LOG.error(`${chunk.step} of sync_${chunk.sync}, chunk ${chunk.place}, failed:`, error)
    const fault = (error as Error).message.slice(0, MOST_FAULT)
    await cds.tx(() => INSERT.into(RunChunks).entries({ ...placeOf(chunk), fault }))
  } finally {
    ends.emit('chunk')
  }
}

const MOST_FAULT = 1_000

// pg-boss, as this instance uses it.

/** Present while chunks are handed out. */
let boss: PgBoss | undefined
/** Numbers of pg-boss for what receives one chunk after the other. */
let receivers: string[] = []
let stopping = new AbortController()

/** Shorter than a chunk may take: a lost one is noticed by its missing heartbeat. */
const HEARTBEAT_S = 10
const LONGEST_CHUNK_S = 900
/** A connection that hangs is given up, and the next statement opens another one. */
const QUERY_MS = 10_000
const STOP_MS = 8_000

/** A clock that nobody sets: pauses are counted by it, and one that jumps would end or stretch them. */
const CLOCK = { ...systemClock, now: () => performance.timeOrigin + performance.now() }

/** Where the database can notify, and where it cannot. */
const POLLING = { notifyPollingIntervalSeconds: 5, pollingIntervalSeconds: 1 }

const QUEUE_OPTIONS = {
  ...{ heartbeatSeconds: HEARTBEAT_S, expireInSeconds: LONGEST_CHUNK_S, notify: true },
  ...{ retryLimit: 3, retryDelay: 1, deleteAfterSeconds: 3_600, retentionSeconds: 86_400 },
}

async function start() {
  if (boss || cds.db.kind !== 'postgres') return
  const { config, schema } = postgresClient()
  const timeouts = { query_timeout: QUERY_MS, keepAlive: true, connectionTimeoutMillis: 5_000 }
  const options = {
    ...{
      ...config,
      ...timeouts,
      schema: schemaBeside(schema),
      application_name: 'restock jobs',
      max: 2,
    },
    clock: CLOCK,
    ...{ schedule: false, registerInstance: false, useListenNotify: true },
    // Every instance looks for lost chunks, each at moments of its own.
    ...{ superviseIntervalSeconds: 2, monitorIntervalSeconds: 1 },
  }
  const started = new PgBoss(options)
  // It goes on by itself; the rounds of the service say that the database is away.
  started.on('error', (error) => LOG.debug('pg-boss:', error))
  started.on('warning', ({ message }) => LOG.debug('pg-boss:', message))
  try {
    await started.start()
    await started.createQueue(queue(), QUEUE_OPTIONS)
    stopping = new AbortController()
    receivers = []
    for (let i = 0; i < atOnce(); i++) receivers.push(await receiveOn(started))
    boss = started
  } catch (error) {
    await started.stop({ graceful: false }).catch(() => {})
    throw error
  }
}

/** One chunk after the other. */
async function receiveOn(started: PgBoss): Promise<string> {
  const worker: string = await started.work<HandedOut>(queue(), POLLING, async ([job]) => {
    const { data } = job!
    await runDetached(`sync_${data.sync}`, () => receive(data), data.trace).finally(() =>
      // Else it would wait for the next notification, or for long, before it takes another one.
      started.notifyWorker(worker),
    )
  })
  return worker
}

function lookForChunks() {
  for (const each of receivers) boss?.notifyWorker(each)
}

async function stop() {
  stopping.abort(new Error('The service stops.'))
  const stopped = boss
  boss = undefined
  await stopped?.stop({ graceful: true, timeout: STOP_MS })
}

/**
 * Takes part in the chunks of all instances. Where that cannot be, such as without the right to make a schema, this instance
 * does those of its own runs, and the log says why.
 */
export const chunkWorker = new Worker({ name: 'jobs', every: 10_000, work: start, drain: stop })
