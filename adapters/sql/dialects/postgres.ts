// PostgreSQL by `pg`. Rows come by a cursor, whose FETCHes each fall under the statement timeout.
import pg from 'pg'
import { Fatal, Retriable } from '../../errors.ts'
import type { Cells, Dialect, Logon, Session } from './dialect.ts'
import { logonMs, LogonRefused } from './dialect.ts'
import { absent, connectionFailure, type DriverError, forbidden, tooSlow } from './failures.ts'
import { excessRight } from './postgres-rights.ts'

/** All values as text: numbers keep their digits, days and instants are no dates of JavaScript. */
const AS_TEXT = { getTypeParser: () => (value: string) => value }

const SETTINGS = `SELECT set_config('statement_timeout', $1, false), set_config('TimeZone', 'UTC', false),
  set_config('DateStyle', 'ISO, YMD', false), set_config('search_path', 'pg_catalog', false),
  set_config('default_transaction_read_only', 'on', false)`

const COLUMNS = `SELECT a.attname FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_class c ON c.oid = a.attrelid
  JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = $1 AND c.relname = $2 AND c.relkind IN ('v', 'm', 'r', 'p', 'f') AND a.attnum > 0 AND NOT a.attisdropped`

export const postgres: Dialect = {
  name: 'postgres',
  schemes: ['postgresql:', 'postgres:'],
  port: 5432,
  schemaOf: () => 'public',
  quote: (name) => `"${name}"`,
  parameter: (place) => `$${place}`,
  exactly: (column) => `rtrim(coalesce(${column}::text, '')) COLLATE "C"`,
  open: async (logon) => PostgresSession.open(logon),

  failureOf(error, doing) {
    if (error instanceof Fatal || error instanceof Retriable) return error
    const { code = '', message = '' } = error as DriverError
    if (code === '28P01' || code === '28000') return new LogonRefused(message)
    if (code === '3D000') return new Fatal('not_found', 'There is no such database.', 'account')
    if (code === '42P01' || code === '3F000') return absent(doing)
    if (code === '42501') return forbidden(doing)
    if (code === '57014') return tooSlow(doing)
    if (code === '25006')
      return new Fatal('request_refused', `${doing} writes when it is read.`, doing)
    if (/^[0-9A-Z]{5}$/.test(code) && !/^(08|40|53|55|57|58)/.test(code)) {
      return new Fatal('request_refused', `${doing}: ${message.slice(0, 300)} (${code})`, doing)
    }
    return connectionFailure({ code, message })
  },
}

class PostgresSession implements Session {
  readonly #client: pg.Client
  readonly #logon: Logon
  #pid = 0

  private constructor(logon: Logon) {
    this.#logon = logon
    this.#client = clientOf(logon)
  }

  static async open(logon: Logon): Promise<PostgresSession> {
    const session = new PostgresSession(logon)
    await session.#client.connect()
    try {
      await session.#client.query(SETTINGS, [String(logon.timeoutMs)])
      session.#pid = Number((await session.#rows('SELECT pg_backend_pid()'))[0]![0])
      return session
    } catch (error) {
      await session.close()
      throw error
    }
  }

  async now(): Promise<string> {
    const clock = `SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS')`
    return (await this.#rows(clock))[0]![0]!
  }

  excessRight(): Promise<string | null> {
    return excessRight((sql) => this.#rows(sql))
  }

  async columnsOf(schema: string, view: string): Promise<string[] | null> {
    const rows = await this.#rows(COLUMNS, [schema, view])
    return rows.length ? rows.map(([name]) => name!) : null
  }

  async *read(
    { sql, values }: { sql: string; values: readonly string[] },
    pageRows: number,
    signal: AbortSignal,
  ): AsyncGenerator<Cells[]> {
    const cancel = () => void this.#cancel()
    signal.addEventListener('abort', cancel, { once: true })
    // Between two statements there is nothing to cancel: none is begun after the abort.
    const rows = (text: string, given: readonly string[] = []) => {
      signal.throwIfAborted()
      return this.#rows(text, given)
    }
    try {
      await rows('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
      await rows(`DECLARE restock_rows NO SCROLL CURSOR FOR ${sql}`, values)
      for (;;) {
        const page = await rows(`FETCH FORWARD ${pageRows} FROM restock_rows`)
        signal.throwIfAborted()
        if (page.length) yield page
        if (page.length < pageRows) break
      }
      await rows('COMMIT')
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  }

  async close(): Promise<void> {
    await this.#client.end().catch(() => {})
  }

  async #rows(sql: string, values: readonly string[] = []): Promise<Cells[]> {
    const query = { text: sql, values: [...values], rowMode: 'array' as const, types: AS_TEXT }
    return (await this.#client.query<(string | null)[]>(query)).rows
  }

  /** A login may cancel its own statements; the one that waits then fails. */
  async #cancel(): Promise<void> {
    const other = clientOf(this.#logon)
    try {
      await other.connect()
      await other.query('SELECT pg_cancel_backend($1)', [this.#pid])
    } catch {
      // The database is away, and the statement with it.
    } finally {
      await other.end().catch(() => {})
    }
  }
}

function clientOf({ authorities, timeoutMs, ...logon }: Logon): pg.Client {
  const client = new pg.Client({
    ...logon,
    ssl: authorities !== null && (authorities === true ? {} : { ca: authorities }),
    connectionTimeoutMillis: logonMs(timeoutMs),
    keepAlive: true,
    application_name: 'restock',
    types: AS_TEXT,
  })
  // What is lost between two statements fails the next one.
  client.on('error', () => {})
  return client
}
