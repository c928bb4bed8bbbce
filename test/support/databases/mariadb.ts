import { execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Connection, createConnection } from 'mysql2/promise'
import { freePort } from '../free-port.ts'
import type { Login, TestDatabase } from './database.ts'

const SERVER = ['/usr/sbin/mariadbd', '/usr/local/sbin/mariadbd', '/usr/libexec/mariadbd']

/** A real MariaDB server, of the system's package. */
export async function startMariadbDatabase(): Promise<TestDatabase> {
  const binary = SERVER.find((file) => existsSync(file))
  if (!binary) {
    throw new Error('MariaDB is not here. On Debian and Ubuntu: apt-get install mariadb-server')
  }
  const folder = await mkdtemp(path.join(os.tmpdir(), 'restock-mariadb-'))
  const data = path.join(folder, 'data')
  const user = os.userInfo().username
  const install = [
    `--datadir=${data}`,
    '--auth-root-authentication-method=normal',
    `--user=${user}`,
  ]
  execFileSync('mariadb-install-db', ['--no-defaults', ...install, '--skip-test-db'], {
    stdio: 'ignore',
  })
  const port = await freePort()
  const server = spawn(
    binary,
    [
      ...['--no-defaults', `--datadir=${data}`, `--user=${user}`, `--port=${port}`],
      ...['--bind-address=127.0.0.1', `--socket=${path.join(folder, 'socket')}`],
      ...['--innodb-flush-log-at-trx-commit=0', '--character-set-server=utf8mb4'],
    ],
    { stdio: 'ignore' },
  )
  const client = await connectWhenUp(port, () => server.exitCode !== null)
  const run = async (sql: string): Promise<unknown[]> => {
    const [rows] = await client.query(sql)
    return Array.isArray(rows) ? rows : []
  }
  await run('CREATE DATABASE erp')
  await run('USE erp')
  const login = async (name: string, rights: readonly string[]): Promise<Login> => {
    const password = randomUUID()
    await run(`CREATE USER ${name}@'%' IDENTIFIED BY '${password}'`)
    for (const right of rights) await run(`GRANT ${right} TO ${name}@'%'`)
    return { user: name, password }
  }
  const sessions = async (name: string) =>
    (await run(
      `SELECT ID, COMMAND FROM information_schema.PROCESSLIST WHERE USER = '${name}'`,
    )) as {
      ID: number
      COMMAND: string
    }[]
  return {
    ...{ kind: 'mariadb', account: `mariadb://127.0.0.1:${port}/erp`, schema: 'erp' },
    ...{ reader: await login('reader', ['SELECT ON erp.*']), run, login },
    async busy(name) {
      return (await sessions(name)).filter(({ COMMAND }) => COMMAND === 'Query').length
    },
    async cut(name) {
      for (const { ID } of await sessions(name)) await run(`KILL ${ID}`)
    },
    sleep: (seconds) => `CONCAT(SLEEP(${seconds}))`,
    async stop() {
      await client.end()
      const ended = new Promise((resolve) => server.once('exit', resolve))
      server.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function connectWhenUp(port: number, hasEnded: () => boolean): Promise<Connection> {
  for (let tries = 0; ; tries++) {
    try {
      return await createConnection({ host: '127.0.0.1', port, user: 'root' })
    } catch (error) {
      if (hasEnded() || tries > 300) throw error
      await sleep(100)
    }
  }
}
