// Renews the leases of what goes on for long on a thread and a connection of its own: work that holds up the service's own
// thread does not cost it the run that it works on. On PostgreSQL alone: SQLite has one connection, and its file one process.
import { Worker } from 'node:worker_threads'
import cds from '@sap/cds'
import { postgresClient } from '../cap/connection.ts'
import type { HeartbeatOptions } from './heartbeat-thread.ts'
import { INSTANCE, LEASE_MS } from './lease.ts'

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
