// Wraps the factory of CAP's connection pools, which is not public: no other hook sees a new connection of the driver.
// Tried with @cap-js/sqlite 3.1.1 and @cap-js/postgres 2.3.0. Needed until they take pragmas, hear the end of an idle
// connection, wait longer for one, keep statements and spare what only reads a transaction, by configuration.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { EventEmitter } from 'node:events'
import { Writable } from 'node:stream'
import type { DatabaseSync } from 'node:sqlite'
import cds from '@sap/cds'
import type { RequestHandler } from 'express'
import { LRUCache } from 'lru-cache'
import { DatabaseAway } from '../database/database-faults.ts'
import { DatabaseWatch } from '../database/database-watch.ts'
import { isOwnWork } from './context.ts'
import { tellBeforeAsking, tellLate, textOf } from './session-variables.ts'
import { sendShortValues } from './short-values.ts'

interface DatabaseService<Connection> {
  kind: string
  options?: { client?: object }
  /** By tenant; the factory stands in their prototype. */
  pools: { _factory: ConnectionFactory<Connection>; [tenant: string]: unknown }
  /** From the tenant's pool, which a transaction knows as `pool`. */
  acquire(): Promise<Connection>
  /** Sets variables of the database's session, at the begin of each transaction. */
  set(variables: object): Promise<unknown>
}

interface ConnectionFactory<Connection> {
  options?: { acquireTimeoutMillis?: number }
  create(tenant?: string): Promise<Connection>
  destroy?(connection: Connection): unknown
}

/** A client of `pg`. */
interface PostgresClient extends EventEmitter {
  query(...args: unknown[]): unknown
  connection: { stream: { destroy(): void } }
}

/** How long a call waits for a connection unless configured; the default of one second is too short for many callers. */
const WAIT_MS = 5_000

/** A cache of 32 MB, and the WAL mode, which does not flush the disk at every commit. */
const SQLITE_PRAGMAS =
  'PRAGMA cache_size = -32768; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 16384'

/** Prepared statements of a connection of SQLite that are kept. */
const KEPT_STATEMENTS = 300

/** Prepares every connection that the database service opens, from the first one on. */
export function prepareConnections(service: object) {
  const { kind, pools } = service as DatabaseService<never>
  if (!pools._factory?.create)
    throw new Error('CAP no longer keeps the factory of its pools in pools._factory.')
  if (kind === 'sqlite') prepareSqlite(service as DatabaseService<DatabaseSync>)
  if (kind === 'postgres') preparePostgres(service as DatabaseService<PostgresClient>)
  measured = service as DatabaseService<never>
  measureAcquires(measured)
}

let measured: DatabaseService<never> | undefined
const acquired = { acquires: 0, acquireSeconds: 0 }

function measureAcquires(service: DatabaseService<never>) {
  const { acquire } = service
  service.acquire = async function (this: typeof service) {
    const began = performance.now()
    acquired.acquires++
    try {
      return await acquire.call(this)
    } finally {
      acquired.acquireSeconds += (performance.now() - began) / 1000
    }
  }
}

/** Of generic-pool, and of CAP's own pool. */
interface Pool {
  borrowed: number
  available: number
  pending: number
  max?: number
  options?: { max?: number }
}

/** The connections of this process, and for how long they were waited for since its start. */
export function poolFigures() {
  const pools = Object.values(measured?.pools ?? {}) as Pool[]
  const sum = (of: (pool: Pool) => number | undefined) =>
    pools.reduce((total, pool) => total + (of(pool) ?? 0), 0)
  return {
    inUse: sum(({ borrowed }) => borrowed),
    idle: sum(({ available }) => available),
    waiting: sum(({ pending }) => pending),
    max: sum(({ max, options }) => max ?? options?.max),
    ...acquired,
  }
}

function prepareSqlite({ pools: { _factory: factory } }: DatabaseService<DatabaseSync>) {
  const create = factory.create.bind(factory)
  factory.create = async (tenant) => {
    const connection = await create(tenant)
    prepareFile(connection)
    keepStatements(connection)
    return connection
  }
}

let watch: DatabaseWatch<PostgresClient> | undefined

/** Whether it is known that the database cannot be used at present. */
export const isDatabaseAway = (): boolean => watch?.isAway ?? false

/** At shutdown: no connection is opened any more. */
export const closeWatch = () => watch?.close()

/** Notices a dead server although nothing is sent, and lets the server release the locks of a dead client. */
const CLIENT = {
  keepAlive: true,
  connectionTimeoutMillis: 5_000,
  idle_in_transaction_session_timeout: 60_000,
}

function preparePostgres(service: DatabaseService<PostgresClient>) {
  const { _factory: factory } = service.pools
  service.options = { ...service.options, client: { ...CLIENT, ...service.options?.client } }
  const configured = factory.options?.acquireTimeoutMillis ?? 0
  factory.options = {
    ...factory.options,
    ...{ acquireTimeoutMillis: Math.max(WAIT_MS, configured), priorityRange: 3 },
  }
  const open = factory.create.bind(factory)
  const create = async (tenant?: string) => {
    const connection = await open(tenant)
    logLostConnection(connection)
    return connection
  }
  const guard = (watch = new DatabaseWatch<PostgresClient>({
    create,
    destroy: (connection) => factory.destroy?.(connection),
    breakOff: ({ connection }) => connection.stream.destroy(),
  }))
  factory.create = async (tenant) => {
    const connection = await guard.create(tenant)
    connection.on('end', () => guard.forget(connection))
    followStatements(connection, guard)
    tellBeforeAsking(connection)
    return connection
  }
  acquireThrough(service, guard)
  tellLate(service)
  sendShortValues(service)
}

/** A statement that neither changes nor locks anything. */
const READS = /^SELECT\b(?!.*\b(?:FOR (?:NO KEY )?UPDATE|FOR (?:KEY )?SHARE|nextval|pg_\w+)\b)/is

const isRead = (query: unknown) => READS.test(textOf(query))

/**
 * Sends the `BEGIN` of a transaction with the first statement that is more than a read, and none of a transaction that only
 * reads, nor its end: half of the round trips of most calls. Each read sees what is committed by then, with or without it.
 */
export function beginLate(connection: Pick<PostgresClient, 'query'>) {
  const query = connection.query.bind(connection)
  let isDue = false
  connection.query = (...args) => {
    const [first] = args
    if (first === 'BEGIN') {
      isDue = true
      return Promise.resolve()
    }
    if (!isDue || isRead(first)) return query(...args)
    isDue = false
    if (first === 'COMMIT' || first === 'ROLLBACK') return Promise.resolve()
    const begun = query('BEGIN') as Promise<unknown>
    if (!(first instanceof Writable)) return begun.then(() => query(...args))
    // The driver sends a stream after what is under way; what fails there fails the stream.
    begun.catch(() => {})
    return query(...args)
  }
}

function followStatements(connection: PostgresClient, guard: DatabaseWatch<PostgresClient>) {
  beginLate(connection)
  const query = connection.query.bind(connection)
  connection.query = (...args) => {
    guardWriting(args[0])
    const answer = query(...args)
    return answer instanceof Promise ? guard.follow(answer) : answer
  }
}

/**
 * @cap-js/postgres writes a long value as a stream, which drops its connection if that is lost. A chunk that is written
 * afterwards would throw where nobody can catch it, and end the process.
 */
function guardWriting(query: unknown) {
  if (!(query instanceof Writable)) return
  const stream: Writable & { connection?: object | null } = query
  const write = stream._write.bind(stream)
  stream._write = (chunk, encoding, done) =>
    stream.connection === null
      ? done(new DatabaseAway('The connection was lost.'))
      : write(chunk, encoding, done)
  const destroy = stream._destroy.bind(stream)
  stream._destroy = (error, done) =>
    stream.connection === null ? done(error) : destroy(error, done)
}

/**
 * Lower numbers come first: 0 is the service's own work, since few workers want a connection at once; 1 is for calls that
 * have had a connection already, so that they can end; 2 is for all others.
 */
type Priority = 0 | 1 | 2

interface Transaction<C> {
  pool: {
    acquire(priority: Priority): Promise<C>
    release(connection: C): unknown
  }
}

/** How long a call has waited for connections so far; waiting for several at once counts once. */
class Waiting {
  hasHadOne = false
  #milliseconds = 0
  #waits = 0
  #since = 0

  get milliseconds() {
    return this.#milliseconds + (this.#waits ? performance.now() - this.#since : 0)
  }

  async during<T>(wait: Promise<T>): Promise<T> {
    if (!this.#waits++) this.#since = performance.now()
    try {
      const connection = await wait
      this.hasHadOne = true
      return connection
    } finally {
      if (!--this.#waits) this.#milliseconds += performance.now() - this.#since
    }
  }
}

const ofCall = new AsyncLocalStorage<Waiting>()

/** Limits the time that a call waits for all its connections together, however many it needs one after the other. */
export const limitWaiting: RequestHandler = (_req, _res, next) => ofCall.run(new Waiting(), next)

function acquireThrough<C extends object>(service: DatabaseService<C>, guard: DatabaseWatch<C>) {
  const limit = service.pools._factory.options!.acquireTimeoutMillis!
  /** Since when each new call waits for its first connection, the longest first. */
  const queue = new Set<{ since: number }>()
  // New calls are refused once the first in the queue has waited half as long as any may, until the queue is shorter;
  // otherwise all would wait until they time out, and none be answered.
  const isCrowded = () => {
    const [first] = queue
    return first !== undefined && performance.now() - first.since > limit / 2
  }
  service.acquire = async function (this: Transaction<C> & typeof service) {
    const { pool } = this
    const acquire = (priority: Priority, milliseconds?: number) =>
      guard.acquire(
        () => pool.acquire(priority),
        (connection) => pool.release(connection),
        milliseconds,
      )
    if (isOwnWork()) return acquire(0)
    const call = ofCall.getStore() ?? new Waiting()
    const milliseconds = Math.max(0, limit - call.milliseconds)
    if (call.hasHadOne) return call.during(acquire(1, milliseconds))
    if (isCrowded()) throw new DatabaseAway('More calls come than there are connections for.')
    const waiting = { since: performance.now() }
    queue.add(waiting)
    return call.during(acquire(2, milliseconds)).finally(() => queue.delete(waiting))
  }
}

/** If the disk is full SQLite has rolled back already: CAP's second rollback would hide the disk's error. */
function prepareFile(connection: DatabaseSync) {
  connection.exec(SQLITE_PRAGMAS)
  const exec = connection.exec.bind(connection)
  connection.exec = (sql) => {
    if (sql !== 'ROLLBACK' || connection.isTransaction) exec(sql)
  }
}

/** Of the driver that @cap-js/sqlite makes of node:sqlite. */
interface SqliteDriver {
  prepare(sql: string): Record<'run' | 'get' | 'all' | 'iterate', (...values: unknown[]) => unknown>
}

/** CAP prepares each statement anew, which takes SQLite longer than reading a row by it. */
function keepStatements(connection: object) {
  const driver = connection as SqliteDriver
  const prepare = driver.prepare.bind(driver)
  const kept = new LRUCache<string, ReturnType<typeof prepare>>({ max: KEPT_STATEMENTS })
  driver.prepare = (sql) => {
    const known = kept.get(sql)
    if (known) return known
    const statement = prepare(sql)
    const own: typeof statement = {
      run: (...values) => statement.run(...values),
      get: (...values) => statement.get(...values),
      all: (...values) => statement.all(...values),
      // Rows that are read one by one have a statement of their own: another reading of the same one would begin anew.
      iterate: (...values) => prepare(sql).iterate(...values),
    }
    kept.set(sql, own)
    return own
  }
}

/**
 * PostgreSQL reports the end of an idle connection by an 'error' event, which would end the process if nobody listened. The
 * next statement opens a new connection; until then /health reports the fault.
 */
function logLostConnection(connection: EventEmitter) {
  connection.on('error', (error: Error) =>
    cds.log('db').warn('a connection was lost:', error.message),
  )
}
