import { launchPostgres } from './databases/launch-postgres.ts'
import startRun from './start-run.ts'

export interface PostgresServer {
  stop(): Promise<void>
}

/** One real PostgreSQL server for the whole run; each test file creates its own database. */
export default async function startPostgres() {
  await startRun()
  const { server, port } = await launchPostgres()
  process.env.TEST_POSTGRES_PORT = String(port)
  Object.assign(globalThis, { testPostgres: server })
}
