// Wraps the factory of CAP's connection pools, which is not public: no other hook sees a new connection of the driver.
// Tried with @cap-js/sqlite 3.1.1 and @cap-js/postgres 2.3.0. Needed until they take pragmas, hear the end of an idle
// connection and wait longer for one, by configuration.
import type { EventEmitter } from 'node:events'
import type { DatabaseSync } from 'node:sqlite'
import cds from '@sap/cds'
import { noteUnconnected } from '../store/database-faults.ts'

interface DatabaseService {
  kind: string
  pools: { _factory: ConnectionFactory }
}

interface ConnectionFactory {
  options?: { acquireTimeoutMillis?: number }
  create(tenant?: string): Promise<unknown>
}

/** How long a call waits its turn for a connection where no longer is configured; the shipped second is too short for a crowd. */
const WAIT_MS = 15_000

/** Pages of the database file that stay in memory (32 MB), and no flush of the disk at every commit: WAL. */
const SQLITE_PRAGMAS =
  'PRAGMA cache_size = -32768; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 16384'

/** Prepares every connection that the database service opens, from the first one on. */
export function prepareConnections({ kind, pools: { _factory: factory } }: DatabaseService) {
  if (!factory?.create)
    throw new Error('CAP no longer keeps the factory of its pools in pools._factory.')
  const create = factory.create.bind(factory)
  if (kind === 'postgres') {
    const configured = factory.options?.acquireTimeoutMillis ?? 0
    const acquireTimeoutMillis = Math.max(WAIT_MS, configured)
    factory.options = { ...factory.options, acquireTimeoutMillis }
  }
  factory.create = async (tenant) => {
    const connection = await create(tenant).catch((error: unknown) => {
      noteUnconnected(error)
      throw error
    })
    if (kind === 'sqlite') prepareSqlite(connection as DatabaseSync)
    if (kind === 'postgres') logLostConnection(connection as EventEmitter)
    return connection
  }
}

/**
 * Where the disk is full SQLite has rolled back already. CAP rolls back once more, and that fault would
 * stand in the log instead of the disk's.
 */
function prepareSqlite(connection: DatabaseSync) {
  connection.exec(SQLITE_PRAGMAS)
  const exec = connection.exec.bind(connection)
  connection.exec = (sql) => {
    if (sql !== 'ROLLBACK' || connection.isTransaction) exec(sql)
  }
}

/**
 * PostgreSQL tells an idle connection's end by an 'error' event, which nobody hears and which would
 * end the process; the next statement opens a new connection, and /health says so meanwhile.
 */
function logLostConnection(connection: EventEmitter) {
  connection.on('error', (error: Error) =>
    cds.log('db').warn('a connection was lost:', error.message),
  )
}
