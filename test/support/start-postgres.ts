import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { launchPostgres } from './databases/launch-postgres.ts'
import { createDatabase, credentialsOf, DATABASE, TEMPLATE } from './databases/own-database.ts'
import { withSharedModel } from './service.ts'
import startRun from './start-run.ts'

export interface PostgresServer {
  stop(): Promise<void>
}

/** One real PostgreSQL server for the whole run, with the tables that each test file gets a copy of. */
export default async function startPostgres() {
  startRun()
  const { server, port } = await launchPostgres()
  process.env.TEST_POSTGRES_PORT = String(port)
  Object.assign(globalThis, { testPostgres: server })
  await createDatabase(TEMPLATE)
  const db = { ...DATABASE, credentials: credentialsOf(TEMPLATE) }
  await promisify(execFile)(process.execPath, ['srv/base/start/deploy.ts'], {
    cwd: path.resolve(import.meta.dirname, '../..'),
    env: { ...process.env, CDS_CONFIG: JSON.stringify({ requires: { db } }), ...withSharedModel() },
  })
}
