// A sync's run belongs to the instance that holds the lease on its row in `Syncs`.
import cds from '@sap/cds'
import type { Sync } from '#cds-models/restock'
import { afterCommit, inTransaction } from '../cap/context.ts'
import { takeNumbers } from '../database/counters.ts'
import { type Row, RunChunks, Sources, Syncs } from '../database/entities.ts'
import { Refusal } from '../errors.ts'
import { DAY_MS } from '../time/days.ts'
import {
  acquireLease,
  INSTANCE,
  isFree,
  type Lease,
  LEASE_MS,
  leaseEnd,
  releaseLease,
  renewLease,
  startHeartbeat,
} from './lease.ts'
import { wakeWorker } from './worker.ts'

/** The run was cancelled or belongs to another instance now: stop and write nothing. */
export class RunStopped extends Error {
  override name = 'RunStopped'
  readonly cancelled: boolean
  constructor(cancelled: boolean) {
    super(cancelled ? 'cancelled' : 'taken over')
    this.cancelled = cancelled
  }
}

const leaseOf = (ID: number): Lease => ({ entity: Syncs, key: { ID }, owner: INSTANCE })
const UNFINISHED = { status: { in: ['queued', 'running'] } }

/** The worker that executes what is queued. */
export const SYNC_WORKER = 'sync'

interface RunRequest {
  source: number
  mode: 'incremental' | 'full'
  /** Whether a schedule or a change asks for it, and nobody who knows what has become of the last one. */
  isAutomatic?: boolean
}

/**
 * Queues a run, which begins once the present transaction is committed. One that nobody has asked for is refused for a day
 * after the source's last one was given up.
 * @returns its number
 * @throws Refusal source_not_found, source_not_connected, sync_in_progress, source_unavailable
 */
export const queueRun = ({ source, mode, isAutomatic }: RunRequest): Promise<number> =>
  inTransaction(async () => {
    afterCommit(() => wakeWorker(SYNC_WORKER))
    await lockConnected(source)
    const running = await unfinishedRun(source)
    if (running) throw syncInProgress(running)
    const attempted = isAutomatic ? await attemptsLeftOver(source) : {}
    const ID = await takeNumbers('sync')
    const createdAt = new Date().toISOString()
    try {
      await INSERT.into(Syncs).entries({
        ID,
        source_ID: source,
        mode,
        createdAt,
        status: 'queued',
        phase: 'queued',
        issues: '[]',
        activeFor: source,
        ...attempted,
      })
    } catch (error) {
      if (isUniqueViolation(error)) throw syncInProgress(null)
      throw error
    }
    return ID
  })

async function lockConnected(ID: number) {
  const query = SELECT.one.from(Sources).columns('ID', 'status', 'problem').where({ ID })
  const source = await query.forUpdate()
  if (!source) throw new Refusal('source_not_found', `There is no source src_${ID}.`)
  if (source.status === 'connected' || source.status === 'failing') return
  const problem = source.problem && (JSON.parse(source.problem) as { message: string })
  const why = problem ? problem.message : 'Nobody has consented yet.'
  throw new Refusal('source_not_connected', `src_${ID} is not connected. ${why}`)
}

/** The run of a source that has not ended. */
export async function unfinishedRun(source: number): Promise<number | undefined> {
  const row = await SELECT.one.from(Syncs).columns('ID').where({ activeFor: source })
  return row?.ID
}

/** What killed the process thrice would kill it at each due time: once a day it is tried, a single time. */
async function attemptsLeftOver(source: number) {
  const last = await SELECT.one
    .from(Syncs)
    .columns('ID', 'status', 'attempts', 'stuckAt', 'finishedAt')
    .where({ source_ID: source })
    .orderBy('ID desc')
  if (last?.status !== 'failed' || !isGivenUp(last.attempts)) return {}
  const until = Date.parse(String(last.finishedAt)) + DAY_MS
  if (Date.now() < until) {
    throw new Refusal(
      'source_unavailable',
      `sync_${last.ID} was given up, since it ended the process again and again: before ${new Date(until).toISOString()} a person starts the next one.`,
    )
  }
  return { attempts: MOST_ATTEMPTS - 1, stuckAt: last.stuckAt }
}

/** Whether a row with the same key is there already. */
export const isUniqueViolation = (error: unknown) =>
  /unique/i.test(`${(error as Error).message} ${(error as { code?: string }).code}`)

export const syncInProgress = (
  sync: number | null,
  message = 'A sync of this source is running.',
) =>
  new Refusal('sync_in_progress', message, {
    members: { sync_id: sync === null ? null : `sync_${sync}` },
  })

/** Stops a run that has not ended; whoever works on it finds out within three seconds. */
export const cancelRun = (ID: number) =>
  inTransaction(async () => {
    const unfinished = { ID, ...UNFINISHED }
    await UPDATE.entity(Syncs).set({ cancelRequested: true }).where(unfinished)
    await UPDATE.entity(Syncs)
      .set({ status: 'cancelled', activeFor: null, finishedAt: new Date().toISOString() })
      .where({ ID, status: 'queued' })
  })

/** A run as it stood when it was acquired; its attempts count those that ended by the end of a process. */
export type AcquiredRun = Row<Sync>

/**
 * Acquires an unfinished run that no instance works on. Exactly one caller gets it. One that has not been released was
 * that of a process which is gone, as far as can be told here: an attempt that counts.
 */
export async function acquireRun(ID: number): Promise<AcquiredRun | null> {
  const acquired: unknown = await cds.tx(async () => {
    // Whoever has locked the row lives, whatever its lease says. The types of CAP do not know the option.
    const skipLocked: object = { ignoreLocked: true }
    const row = await SELECT.one
      .from(Syncs)
      .where({ ID, ...UNFINISHED, and: isFree() })
      .forUpdate(skipLocked)
    if (!row) return null
    const counted = row.status === 'running' && row.owner ? attemptsAfter(row) : {}
    const turn = Number(row.turn ?? 0) + 1
    const set = { status: 'running' as const, turn, ...counted }
    const isMine = await acquireLease(leaseOf(ID), LEASE_MS(), { where: UNFINISHED, set })
    return isMine ? { ...row, ...set } : null
  })
  if (acquired) startHeartbeat()
  return acquired as AcquiredRun | null
}

/** Whoever has lost a run and lives takes back that its process was counted as gone. */
export const takeAttemptBack = (ID: number) =>
  UPDATE.entity(Syncs)
    .set({ attempts: { '-=': 1 } })
    .where({ ID, attempts: { '>': 0 }, ...UNFINISHED })

/** Runs that wait for an instance, in the order in which they were asked for. */
export async function waitingRuns(): Promise<number[]> {
  const rows = await SELECT.from(Syncs)
    .columns('ID')
    // The column has an index, which holds few rows besides those that have ended.
    .where({ activeFor: { '!=': null }, ...UNFINISHED, and: isFree() })
    .orderBy('ID')
  return rows.map((row: { ID: number }) => row.ID)
}

/**
 * Renews the lease and stores further values of the run, in the caller's transaction, so that a page
 * of rows and its progress are committed together.
 * @param isAdvance whether a later attempt has less to do than this one had
 * @throws RunStopped
 */
export async function renewRun(ID: number, set: Partial<Sync> = {}, isAdvance = false) {
  const where = { status: 'running', cancelRequested: false }
  const advanced = { ...set, ...(isAdvance && { advances: { '+=': 1 } }) }
  if (await renewLease(leaseOf(ID), LEASE_MS(), { where, set: advanced })) return
  throw await stoppedRun(ID)
}

/**
 * Stores the progress of a sync's phase, in the caller's transaction; does nothing without a sync.
 * @param isAdvance as for {@link renewRun}
 * @throws RunStopped when the sync was cancelled
 */
export async function reportProgress(
  sync: number | null,
  phase: string,
  progress: { done: number; total: number; unit: string },
  isAdvance: boolean,
) {
  if (sync !== null) await renewRun(sync, { phase, ...progress }, isAdvance)
}

/** Ends the run with its outcome, unless it belongs to somebody else by now. @returns whether it did */
export async function endRun(ID: number, set: Partial<Sync>): Promise<boolean> {
  const isMine = await releaseLease(leaseOf(ID), { set: { ...set, activeFor: null } })
  if (isMine) await DELETE.from(RunChunks).where({ sync: ID })
  return isMine
}

/** A run as one instance has taken it up. What it hands out to others holds until another one takes it up. */
export interface Turn {
  sync: number
  turn: number
}

const ofTurn = ({ sync, turn }: Turn) => ({
  ...{ ID: sync, turn },
  ...{ status: 'running', cancelRequested: false, owner: { '!=': null } },
})

/** Whether what was handed out in this turn is still wanted. */
export const isTurn = async (turn: Turn): Promise<boolean> =>
  Boolean(await SELECT.one.from(Syncs).columns('ID').where(ofTurn(turn)))

/**
 * Adds to the progress of a run, for whichever instance, in the transaction of what was done for it. The lease lasts longer
 * by it: whoever holds it waits for such work.
 * @param done units of the phase's progress
 * @param isAdvance as for {@link renewRun}
 * @throws RunStopped
 */
export async function advanceTurn(turn: Turn, done: number, isAdvance: boolean) {
  const set = {
    done: { '+=': done },
    leaseUntil: leaseEnd(LEASE_MS()),
    ...(isAdvance && { advances: { '+=': 1 } }),
  }
  const advanced: unknown = await UPDATE.entity(Syncs).set(set).where(ofTurn(turn))
  if (advanced !== 1) throw await stoppedRun(turn.sync)
}

async function stoppedRun(ID: number) {
  const row = await SELECT.one.from(Syncs).columns('owner', 'status').where({ ID })
  return new RunStopped(row?.owner === INSTANCE && row?.status === 'running')
}

/** Lets any instance go on with the run at once. @returns whether it was still this one's */
export const releaseRun = (ID: number): Promise<boolean> =>
  releaseLease(leaseOf(ID), { where: UNFINISHED })

/**
 * At the start of the only process that there can be: nobody holds a lease any more, and whoever did had no time to say so.
 */
export async function endForeignLeases() {
  await UPDATE.entity(Syncs)
    .set({ leaseUntil: null })
    .where({ activeFor: { '!=': null }, owner: { '!=': INSTANCE } })
}

/** Releases the leases at shutdown, so that the next start resumes the runs at once. */
export async function releaseRuns() {
  await UPDATE.entity(Syncs).set({ leaseUntil: null, owner: null }).where({ owner: INSTANCE })
}

/** A run that this process executes; its signal is aborted when the process must stop with it. */
interface Executed extends Turn {
  signal: AbortSignal
}

const executed = new Map<number, Executed>()

/** Tells whatever works for the run in this process that it does. */
export async function executing<T>(run: Executed, work: () => Promise<T>) {
  executed.set(run.sync, run)
  try {
    return await work()
  } finally {
    executed.delete(run.sync)
  }
}

export const executedRun = (sync: number | null | undefined): Executed | undefined =>
  sync === null || sync === undefined ? undefined : executed.get(sync)

/** To be looked at between two pieces of work for a sync; undefined without one. */
export const stopSignalOf = (sync: number | null | undefined) => executedRun(sync)?.signal

// How often in a row a run has ended its process. Whoever gets further begins its count anew, so that a long run outlives any
// number of kills, and one that dies again and again without progress is given up.

/** A run is given up after its process has ended so often without progress. */
export const MOST_ATTEMPTS = 3

export const isGivenUp = (attempts: number | null | undefined) =>
  Number(attempts ?? 0) >= MOST_ATTEMPTS

/** What is known of a run whose process is gone. */
export interface Attempted {
  attempts: number | null
  advances: number | null
  phase: string | null
  done: number | null
  /** The furthest progress, as JSON. */
  stuckAt: string | null
}

/** How far a run has got; what comes first counts most. */
type Progress = [advances: number, phase: number, done: number]

const PHASES = ['queued', 'reading', 'forecasting', 'proposing']

const progressOf = ({ advances, phase, done }: Attempted): Progress => [
  Number(advances ?? 0),
  PHASES.indexOf(phase ?? ''),
  Number(done ?? 0),
]

/** Compares with the furthest progress of this count, not with the last one: two phases that alternate are no progress. */
export function attemptsAfter(run: Attempted): { attempts: number; stuckAt: string } {
  const progress = progressOf(run)
  const before = JSON.parse(run.stuckAt ?? '[-1,-1,-1]') as Progress
  const isFurther = compare(progress, before) > 0
  if (isFurther) return { attempts: 1, stuckAt: JSON.stringify(progress) }
  return { attempts: Number(run.attempts ?? 0) + 1, stuckAt: run.stuckAt! }
}

const compare = (a: Progress, b: Progress): number =>
  a.map((each, at) => each - b[at]!).find(Boolean) ?? 0
