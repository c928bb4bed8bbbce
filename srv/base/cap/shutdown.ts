// Wraps `disconnect` and `acquire` of the database service, for CAP runs all 'shutdown' handlers at once and closes the
// connections in one of them. Tried with @sap/cds 10.1.1 and @cap-js/db-service 3. Needed until CAP awaits the calls
// under way and the service's own work before it disconnects.
import type { Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import cds from '@sap/cds'
import { isProduction, settings } from '../settings/config.ts'
import { closeWatch } from './connection-pool.ts'
import { facade } from './facade.ts'

/** How long running calls may take. */
const DRAIN_MS = 5_000
const READY_S = 5
/** The least time for work to end after the service stops accepting calls. */
const LEAST_S = 8

type Step = () => Promise<unknown>

let isStopping = false

/** Whether the service is stopping: it still answers calls for a while, but should get no new ones. */
export const isShuttingDown = () => isStopping

/**
 * Stops the service in order. For some seconds balancers learn to send no more calls; then none are accepted and the running
 * ones end, together with the first of the steps; then the other steps; and at last the database connections close. Whatever
 * hangs, the process ends in time.
 */
export function drainBeforeDisconnect(server: Server, steps: Step[]) {
  let drained: Promise<void> | undefined
  const drain = async () => {
    const { readySeconds } = settings().shutdown
    await sleep((readySeconds ?? (isProduction() ? READY_S : 0)) * 1000)
    const [first, ...rest] = steps
    await Promise.all([closeServer(server), first?.().catch(logFailure)])
    for (const step of rest) await step().catch(logFailure)
  }
  cds.on('shutdown', () => {
    if (isStopping) return
    isStopping = true
    const { readySeconds, forceSeconds } = settings().shutdown
    // The end by force must not come while calls are still served.
    endByForce(Math.max(forceSeconds, (readySeconds ?? 0) + LEAST_S))
  })
  const { db } = facade
  if (!db.disconnect || !db.acquire) throw new Error("CAP's database has no disconnect or acquire.")
  const disconnect = db.disconnect.bind(db)
  db.disconnect = async (tenant) => {
    await (drained ??= drain())
    // Late work must neither open a new connection nor wait for one.
    db.acquire = () => Promise.reject(new Error('The service has stopped: it uses no database.'))
    closeWatch()
    await disconnect(tenant)
  }
}

const logFailure = (error: unknown) =>
  cds.log('restock').error('a step of the shutdown failed:', error)

/** In a test other files of the same process go on. */
function endByForce(seconds: number) {
  if ('it' in globalThis) return
  setTimeout(() => {
    cds.log('restock').error(`the process did not end within ${seconds} s, and is ended now`)
    process.exit(1)
  }, seconds * 1000).unref()
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const atLatest = setTimeout(() => {
      server.closeAllConnections()
      resolve()
    }, DRAIN_MS)
    server.close(() => {
      clearTimeout(atLatest)
      resolve()
    })
    server.closeIdleConnections()
  })
}
