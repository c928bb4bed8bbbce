// Wraps `disconnect` and `acquire` of the database service, for CAP runs all 'shutdown' handlers at once and closes the
// connections in one of them. Tried with @sap/cds 10.1.1 and @cap-js/db-service 3. Needed until CAP awaits the calls
// under way and the service's own work before it disconnects.
import type { Server } from 'node:http'
import cds from '@sap/cds'

const DRAIN_MS = 5_000

type Step = () => Promise<unknown>

/**
 * At shutdown: no new calls, the ones under way end, then these steps in order, and only then the
 * database connections close.
 */
export function drainBeforeDisconnect(server: Server, steps: Step[]) {
  let drained: Promise<void> | undefined
  const drain = async () => {
    await closeServer(server)
    for (const step of steps) await step()
  }
  const db = cds.db as unknown as Database
  if (!db.disconnect || !db.acquire) throw new Error("CAP's database has no disconnect or acquire.")
  const disconnect = db.disconnect.bind(db)
  db.disconnect = async (tenant) => {
    await (drained ??= drain())
    await disconnect(tenant)
    // A late task would open a new connection, or wait for one as long as it may.
    db.acquire = () => Promise.reject(new Error('The service has stopped: it uses no database.'))
  }
}

interface Database {
  disconnect(tenant?: string): Promise<void>
  acquire(): Promise<unknown>
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
