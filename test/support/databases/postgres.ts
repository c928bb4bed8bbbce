import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { Login, TestDatabase } from './database.ts'
import { launchPostgres } from './launch-postgres.ts'

export async function startPostgresDatabase(): Promise<TestDatabase> {
  const { server, port } = await launchPostgres()
  const at = { host: '127.0.0.1', port, user: 'restock', password: 'restock' }
  const maker = new pg.Client({ ...at, database: 'postgres' })
  await maker.connect()
  await maker.query('CREATE DATABASE erp')
  await maker.end()
  const client = new pg.Client({ ...at, database: 'erp' })
  client.on('error', () => {})
  await client.connect()
  const run = async (sql: string): Promise<unknown[]> => (await client.query(sql)).rows as unknown[]
  const login = async (user: string, rights: readonly string[]): Promise<Login> => {
    const password = randomUUID()
    await run(`CREATE ROLE ${user} LOGIN PASSWORD '${password}'`)
    for (const right of rights) await run(`GRANT ${right} TO ${user}`)
    return { user, password }
  }
  const reader = await login('reader', ['USAGE ON SCHEMA public'])
  await run('ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT ON TABLES TO reader')
  const activity = (user: string) =>
    `FROM pg_stat_activity WHERE usename = '${user}' AND pid <> pg_backend_pid()`
  return {
    ...{ kind: 'postgres', account: `postgresql://127.0.0.1:${port}/erp`, schema: 'public' },
    ...{ reader, run, login },
    async busy(user) {
      return (await run(`SELECT pid ${activity(user)} AND state = 'active'`)).length
    },
    async cut(user) {
      await run(`SELECT pg_terminate_backend(pid) ${activity(user)}`)
    },
    sleep: (seconds) => `pg_sleep(${seconds})::text`,
    async stop() {
      await client.end()
      await server.stop()
    },
  }
}
