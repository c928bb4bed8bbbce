// A row belongs to whoever holds its lease. A lease that has ended may be acquired by anybody, so that work goes on
// after the death of the instance that held it.
import { randomUUID } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import cds from '@sap/cds'
import { postgresClient } from '../cap/connection.ts'
import type { HeartbeatOptions } from './heartbeat-thread.ts'

/** Stands for this process as an owner. */
export const INSTANCE = randomUUID()

/**
 * How long the lease of work lasts that goes on for longer. On PostgreSQL a thread renews it that no work holds up.
 * Elsewhere the process itself does, so that it lasts longer than calculations hold that up; a SQLite file has
 * one process, whose next start waits for nobody.
 */
export const LEASE_MS = () => (cds.db.kind === 'postgres' ? 10_000 : 30_000)

/** The right to change one row with the elements `owner` and `leaseUntil`. */
export interface Lease {
  entity: string
  key: object
  owner: string
}

interface Change {
  /** What else must be true of the row. */
  where?: object
  /** What else changes with it. */
  set?: object
}

/** When a lease ends that begins now. */
export const leaseEnd = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString()

/** The condition of rows that nobody holds. */
export const isFree = () => ({
  leaseUntil: null,
  or: { leaseUntil: { '<': new Date().toISOString() } },
})

/** Takes a row that nobody holds. @returns whether the caller is the one that got it */
export async function acquireLease(
  { entity, key, owner }: Lease,
  milliseconds: number,
  { where, set }: Change = {},
) {
  const acquired: unknown = await UPDATE.entity(entity)
    .set({ ...set, owner, leaseUntil: leaseEnd(milliseconds) })
    .where({ ...key, ...where, and: isFree() })
  return acquired === 1
}

/** Keeps the row, in the caller's transaction. @returns whether it is still the caller's */
export async function renewLease(
  { entity, key, owner }: Lease,
  milliseconds: number,
  { where, set }: Change = {},
) {
  const renewed: unknown = await UPDATE.entity(entity)
    .set({ ...set, leaseUntil: leaseEnd(milliseconds) })
    .where({ ...key, ...where, owner })
  return renewed === 1
}

/** Gives the row back. @returns whether it was still the caller's; else nothing changes */
export async function releaseLease({ entity, key, owner }: Lease, { where, set }: Change = {}) {
  const released: unknown = await UPDATE.entity(entity)
    .set({ ...set, owner: null, leaseUntil: null })
    .where({ ...key, ...where, owner })
  return released === 1
}

// Renews the leases of what goes on for long on a thread and a connection of its own: work that holds up the service's own
// thread does not cost it the run that it works on. On PostgreSQL alone: SQLite has one connection, and its file one process.

const LOG = cds.log('sync')
const suffix = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
const ALIVE_MS = 5_000
const RESTART_MS = 1_000
/** For so long a lease is renewed though the service's own thread has said nothing: then it is taken to be stuck for good. */
const PATIENCE_MS = 120_000

/** Rows that a transaction of this instance holds just now renew their lease themselves; no beat waits for it. */
const beatOf = (table: string, key: string, where: string) =>
  `UPDATE ${table} SET leaseUntil = $1 WHERE ${key} IN
    (SELECT ${key} FROM ${table} WHERE ${where} AND leaseUntil IS NOT NULL FOR UPDATE SKIP LOCKED)`

const BEATS = [
  beatOf('restock_Syncs', 'ID', 'activeFor IS NOT NULL AND owner = $2'),
  beatOf('restock_SourceTurns', 'name', `owner LIKE $2 || '%'`),
]

let thread: Worker | undefined
let alive: NodeJS.Timeout | undefined

/** Before the first lease that it renews; does nothing more until it is stopped. */
export function startHeartbeat() {
  if (thread || cds.db.kind !== 'postgres') return
  const workerData: HeartbeatOptions = {
    ...postgresClient(),
    ...{ beats: BEATS, owner: INSTANCE },
    ...{ leaseMs: LEASE_MS(), patienceMs: PATIENCE_MS },
  }
  const started = new Worker(new URL(`./heartbeat-thread.${suffix}`, import.meta.url), {
    workerData,
  })
  started.unref()
  started.on('error', (error) => {
    LOG.warn('the thread that renews leases has ended, and starts again:', error)
    if (thread !== started) return
    stopHeartbeat()
    setTimeout(startHeartbeat, RESTART_MS).unref()
  })
  thread = started
  alive = setInterval(() => started.postMessage('alive'), ALIVE_MS).unref()
}

export function stopHeartbeat() {
  clearInterval(alive)
  void thread?.terminate()
  thread = undefined
}
