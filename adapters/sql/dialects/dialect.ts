// What differs from one database to the next. A dialect is one file here, and its line in index.ts.
import type { Fatal, Retriable } from '../../errors.ts'

/** Where to log on, and how. */
export interface Logon {
  host: string
  port: number
  database: string
  user: string
  password: string
  /** Null without TLS. */
  authorities: string[] | true | null
  /** Longest time without an answer. */
  timeoutMs: number
}

/** Longest wait for a logon: a host that swallows packets never answers. */
export const logonMs = (timeoutMs: number) => Math.min(timeoutMs, 8_000)

/** A row, in the order of the columns asked for; numbers, days and instants as the database writes them. */
export type Cells = readonly (string | null)[]

/** Columns by their published names, and as a view spells them: `sku` may be `SKU` there. */
export type ColumnSpellings = ReadonlyMap<string, string>

/** A logon that can only read. One statement at a time. */
export interface Session {
  /** The database's clock, `YYYY-MM-DD HH:MM:SS.mmm` UTC. */
  now(): Promise<string>
  /** The right that lets this login change something, as a sentence; null where it can only read. */
  excessRight(): Promise<string | null>
  /** The columns of a view; null where there is none, or where it is not shown to this login. */
  columnsOf(schema: string, view: string): Promise<string[] | null>
  /**
   * Rows of a SELECT, in pages, within one transaction that is read-only; few of them are in memory.
   * @throws the database's own error, for {@link Dialect.failureOf}
   */
  read(select: Statement, pageRows: number, signal: AbortSignal): AsyncGenerator<Cells[]>
  close(): Promise<void>
}

export interface Statement {
  sql: string
  values: readonly string[]
}

export interface Dialect {
  name: string
  /** How addresses of it begin, with colons. */
  schemes: readonly string[]
  /** Its usual port. */
  port: number
  /** The schema where none is given. */
  schemaOf(database: string): string
  /** @param name letters, digits and underscores */
  quote(name: string): string
  /** The place of a value, from 1 on. */
  parameter(place: number): string
  /** An order that tells apart what the database may take for the same, such as `a` and `A`, but for blanks at the end. */
  exactly(column: string): string
  open(logon: Logon, signal: AbortSignal): Promise<Session>
  /** @param doing what failed, such as `restock_stock` */
  failureOf(error: unknown, doing: string): LogonRefused | Fatal | Retriable
}

/** The database refuses name or password. */
export class LogonRefused extends Error {
  override name = 'LogonRefused'
}
