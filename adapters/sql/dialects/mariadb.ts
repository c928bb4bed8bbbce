// MariaDB and MySQL by `mysql2`. Rows are streamed; the driver is paused while pages are stored.
import { names } from '../../rows/names.ts'
import type { Connection, QueryError } from 'mysql2'
import { Fatal, Retriable } from '../../errors.ts'
import type { Cells, Dialect, Logon, Session, Statement } from './dialect.ts'
import { logonMs, LogonRefused } from './dialect.ts'
import { absent, connectionFailure, type DriverError, forbidden, tooSlow } from './failures.ts'
import { excessRight } from './mariadb-rights.ts'

const COLUMNS =
  'SELECT COLUMN_NAME FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ?'

/** The server counts the time in which rows are stored, too; for want of rows the session has a timer of its own. */
const LONGEST_STATEMENT_MS = 4 * 3_600_000

const LATER = [
  ...names(`ER_LOCK_WAIT_TIMEOUT ER_LOCK_DEADLOCK ER_CON_COUNT_ERROR ER_TOO_MANY_USER_CONNECTIONS`),
  ...['ER_SERVER_SHUTDOWN', 'ER_USER_LIMIT_REACHED', 'ER_OUT_OF_RESOURCES', 'ER_NET_READ_ERROR'],
  ...names(
    'ER_NET_WRITE_INTERRUPTED ER_NET_ERROR_ON_WRITE ER_CONNECTION_KILLED ER_HOST_IS_BLOCKED',
  ),
]

export const mariadb: Dialect = {
  name: 'mariadb',
  schemes: ['mariadb:', 'mysql:'],
  port: 3306,
  schemaOf: (database) => database,
  quote: (name) => `\`${name}\``,
  parameter: () => '?',
  exactly: (column) => `CAST(RTRIM(COALESCE(${column}, '')) AS BINARY)`,
  open: (logon) => MariadbSession.open(logon),

  failureOf(error, doing) {
    if (error instanceof Fatal || error instanceof Retriable) return error
    const { code = '', message = '' } = error as DriverError
    if (code === 'ER_ACCESS_DENIED_ERROR') return new LogonRefused(message)
    if (code === 'ER_BAD_DB_ERROR' || code === 'ER_DBACCESS_DENIED_ERROR')
      return new Fatal('not_found', 'There is no such database for this login.', 'account')
    if (code === 'ER_NO_SUCH_TABLE') return absent(doing)
    if (/^ER_(TABLE|COLUMN)ACCESS_DENIED_ERROR$|^ER_VIEW_INVALID$/.test(code))
      return forbidden(doing)
    if (/^ER_(STATEMENT_TIMEOUT|QUERY_TIMEOUT|QUERY_INTERRUPTED)$/.test(code)) return tooSlow(doing)
    if (code === 'ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION')
      return new Fatal('request_refused', `${doing} writes when it is read.`, doing)
    if (code.startsWith('ER_') && !LATER.includes(code)) {
      return new Fatal('request_refused', `${doing}: ${message.slice(0, 300)} (${code})`, doing)
    }
    return connectionFailure({ code, message })
  },
}

class MariadbSession implements Session {
  readonly #connection: Connection
  readonly #logon: Logon
  #isMariadb = false
  #isBusy = false

  private constructor(logon: Logon, connection: Connection) {
    this.#logon = logon
    this.#connection = connection
  }

  static async open(logon: Logon): Promise<MariadbSession> {
    const session = new MariadbSession(logon, await connect(logon))
    try {
      await session.#begin()
      return session
    } catch (error) {
      await session.close()
      throw error
    }
  }

  async #begin(): Promise<void> {
    const [[version]] = (await this.#rows('SELECT VERSION()')) as [[string]]
    this.#isMariadb = /mariadb/i.test(version)
    const limit = this.#isMariadb
      ? `max_statement_time = ${LONGEST_STATEMENT_MS / 1000}`
      : `max_execution_time = ${LONGEST_STATEMENT_MS}`
    const waits = `net_write_timeout = ${Math.ceil(this.#logon.timeoutMs / 1000) + 600}`
    await this.#rows(`SET SESSION time_zone = '+00:00', sql_mode = '', ${waits}, ${limit}`)
    await this.#rows('SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY')
  }

  async now(): Promise<string> {
    return (await this.#rows('SELECT UTC_TIMESTAMP(3)'))[0]![0]!
  }

  excessRight(): Promise<string | null> {
    return excessRight((sql) => this.#rows(sql), this.#isMariadb)
  }

  async columnsOf(schema: string, view: string): Promise<string[] | null> {
    const rows = await this.#rows(COLUMNS, [schema, view])
    return rows.length ? rows.map(([name]) => name!) : null
  }

  async *read(
    statement: Statement,
    pageRows: number,
    signal: AbortSignal,
  ): AsyncGenerator<Cells[]> {
    await this.#rows('START TRANSACTION READ ONLY')
    signal.throwIfAborted()
    const cancel = () => void this.#cancel()
    signal.addEventListener('abort', cancel, { once: true })
    this.#isBusy = true
    try {
      yield* this.#stream(statement, pageRows)
      signal.throwIfAborted()
      this.#isBusy = false
      await this.#rows('COMMIT')
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  }

  /** Reads a page ahead, and no more. */
  async *#stream({ sql, values }: Statement, pageRows: number): AsyncGenerator<Cells[]> {
    const rows: Cells[] = []
    let failure: QueryError | null = null
    let hasEnded = false
    let wake = () => {}
    const query = this.#connection.query({ ...AS_TEXT, sql, values: [...values] })
    query.on('result', (row: unknown) => {
      rows.push(row as Cells)
      if (rows.length < pageRows) return
      this.#connection.pause()
      wake()
    })
    query.on('error', (error: QueryError) => {
      failure = error
      wake()
    })
    query.on('end', () => {
      hasEnded = true
      wake()
    })
    for (;;) {
      while (rows.length < pageRows && !hasEnded && !failure) {
        const timer = setTimeout(() => {
          failure = Object.assign(new Error('no rows'), { code: 'ER_QUERY_TIMEOUT' }) as QueryError
          wake()
        }, this.#logon.timeoutMs)
        await new Promise<void>((resolve) => (wake = resolve))
        clearTimeout(timer)
      }
      if (failure) throw failure as QueryError
      if (!rows.length) return
      const page = rows.splice(0, pageRows)
      this.#connection.resume()
      yield page
    }
  }

  /** What is left of a statement is cancelled: the driver would read it to its end otherwise. */
  async close(): Promise<void> {
    if (this.#isBusy) await this.#cancel()
    this.#connection.destroy()
  }

  /** A login may end its own statements. */
  async #cancel(): Promise<void> {
    const id = Number(this.#connection.threadId)
    try {
      const other = await connect(this.#logon)
      await query(other, `KILL QUERY ${id}`, []).finally(() => other.destroy())
    } catch {
      // The database is away, and the statement with it.
    }
    // A paused driver would never hear of it.
    this.#connection.resume()
  }

  #rows(sql: string, values: readonly string[] = []): Promise<Cells[]> {
    return query(this.#connection, sql, values)
  }
}

/** All values as text: numbers keep their digits, days and instants are no dates of JavaScript. */
const AS_TEXT = {
  rowsAsArray: true,
  typeCast: (field: { string(): string | null }) => field.string(),
}

function query(connection: Connection, sql: string, values: readonly string[]): Promise<Cells[]> {
  return new Promise((resolve, reject) => {
    connection.query({ ...AS_TEXT, sql, values: [...values] }, (error, rows) => {
      if (error) reject(error)
      else resolve(Array.isArray(rows) ? (rows as unknown as Cells[]) : [])
    })
  })
}

async function connect({ authorities, timeoutMs, ...logon }: Logon): Promise<Connection> {
  // Most companies have another database: the driver is loaded where it is wanted.
  const { createConnection } = await import('mysql2')
  const ssl = authorities && {
    ...{ rejectUnauthorized: true, verifyIdentity: true },
    ...(authorities !== true && { ca: authorities }),
  }
  const connection = createConnection({
    ...logon,
    ...(ssl && { ssl }),
    connectTimeout: logonMs(timeoutMs),
    enableKeepAlive: true,
    charset: 'utf8mb4',
  })
  // What is lost between two statements fails the next one.
  connection.on('error', () => {})
  return new Promise((resolve, reject) => {
    connection.connect((error) => (error ? reject(error) : resolve(connection)))
  })
}
