// NetSuite's records in memory, and SuiteQL as far as SQLite and these functions understand it.
import { DatabaseSync } from 'node:sqlite'
import type { SQLInputValue } from 'node:sqlite'
import { SCHEMA } from './schema.ts'

type Value = string | number | null

/** A SELECT that NetSuite would refuse. */
export class QueryError extends Error {
  override name = 'QueryError'
}

export interface Selected {
  rows: Record<string, string>[]
  hasMore: boolean
}

export class Database {
  readonly #db = new DatabaseSync(':memory:')
  readonly #missing: ReadonlySet<string>

  /** @param missing columns and tables that the account does not have, e.g. `item.displayname`, `itemvendor` */
  constructor(missing: readonly string[] = []) {
    this.#missing = new Set(missing)
    for (const [name, { columns, key }] of Object.entries(SCHEMA)) {
      if (this.#missing.has(name)) continue
      const kept = Object.entries(columns).filter(([column]) => this.#has(name, column))
      const list = kept.map(([column, type]) => `"${column}" ${type}`).join(', ')
      // SQLite has a row's number in place of a single whole key.
      const rest = key.includes(',') ? ' WITHOUT ROWID' : ''
      this.#db.exec(`CREATE TABLE "${name}" (${list}, PRIMARY KEY (${key}))${rest}`)
    }
    this.#db.exec(`
      CREATE INDEX main_lines ON transactionline ("transaction") WHERE mainline = 'T';
      CREATE INDEX changed ON "transaction" (lastmodifieddate);`)
    const options = { deterministic: true }
    this.#db.function('TO_CHAR', options, toChar as never)
    this.#db.function('TO_DATE', options, toDate as never)
    this.#db.function('NVL', options, ((a: Value, b: Value) => a ?? b) as never)
  }

  #has = (table: string, column: string) => !this.#missing.has(`${table}.${column}`)

  /** Adds rows; columns that the account does not have are left out. */
  insert(table: string, rows: Iterable<Record<string, Value>>): void {
    if (this.#missing.has(table)) return
    const columns = Object.keys(SCHEMA[table]!.columns).filter((column) => this.#has(table, column))
    const names = columns.map((column) => `"${column}"`).join(', ')
    const places = columns.map(() => '?').join(', ')
    const statement = this.#db.prepare(`INSERT INTO "${table}" (${names}) VALUES (${places})`)
    this.#db.exec('BEGIN')
    for (const row of rows) {
      statement.run(...columns.map((column): SQLInputValue => row[column] ?? null))
    }
    this.#db.exec('COMMIT')
  }

  /** For what a company has no word for; it does not outlast a change of the company. */
  execute(sql: string): void {
    this.#db.exec(sql)
  }

  /** @throws QueryError */
  select(suiteQl: string, limit: number, offset: number): Selected {
    const sql = translate(suiteQl)
    this.#db.exec('PRAGMA query_only = 1')
    try {
      const statement = this.#db.prepare(
        `SELECT * FROM (${sql}) LIMIT ${limit + 1} OFFSET ${offset}`,
      )
      const dates = new Set(
        statement.columns().flatMap(({ name, type }) => (type === 'DATE' ? [name] : [])),
      )
      const found = statement.all() as Record<string, Value>[]
      const rows = found.slice(0, limit).map((row) => toWire(row, dates))
      return { rows, hasMore: found.length > limit }
    } catch (error) {
      throw new QueryError(told(String((error as Error).message)))
    } finally {
      this.#db.exec('PRAGMA query_only = 0')
    }
  }

  count(suiteQl: string): number {
    const row = this.#db.prepare(`SELECT COUNT(*) AS n FROM (${translate(suiteQl)})`).get()
    return Number(row?.n)
  }

  close(): void {
    this.#db.close()
  }
}

/** @throws QueryError */
function translate(suiteQl: string): string {
  const text = suiteQl.trim()
  if (!/^SELECT\b/i.test(text) || /;|\b(LIMIT|OFFSET)\b/i.test(withoutTexts(text))) {
    throw new QueryError('Search error occurred: Invalid or unsupported search.')
  }
  // Texts stay as they are.
  return text
    .split(/('(?:[^']|'')*')/)
    .map((part, index) =>
      index % 2
        ? part
        : part
            .replace(/\btransaction\b/gi, '"transaction"')
            .replace(/\bFETCH FIRST (\d+) ROWS ONLY/gi, 'LIMIT $1'),
    )
    .join('')
}

const withoutTexts = (text: string) => text.replace(/'(?:[^']|'')*'/g, "''")

function told(message: string): string {
  const [, column] = /no such column: (\S+)/.exec(message) ?? []
  const prefix =
    'Invalid search query. Detailed unprocessed description follows. Search error occurred: '
  if (column) {
    const [name, record = 'search'] = column.split('.').reverse()
    return `${prefix}Field '${name}' for record '${record}' was not found. Reason: NOT_EXPOSED - Field is not exposed`
  }
  const [, table] = /no such table: (\S+)/.exec(message) ?? []
  return table ? `${prefix}Record '${table}' was not found.` : `${prefix}${message}`
}

/** Text, with NULL left out, as Oracle writes numbers; a date without its time. */
function toWire(row: Record<string, Value>, dates: ReadonlySet<string>): Record<string, string> {
  const wire: Record<string, string> = { links: [] as never }
  for (const [name, value] of Object.entries(row)) {
    if (value === null) continue
    const text = String(value)
    if (dates.has(name)) wire[name.toLowerCase()] = shortDate(text)
    else
      wire[name.toLowerCase()] = typeof value === 'number' ? text.replace(/^(-?)0\./, '$1.') : text
  }
  return wire
}

const shortDate = (text: string) => {
  const [year, month, day] = text.slice(0, 10).split('-').map(Number)
  return `${month}/${day}/${year}`
}

const LENGTHS: Record<string, number> = { 'YYYY-MM-DD': 10, 'YYYY-MM-DD HH24:MI:SS': 19 }

/** Dates lie in the database as `YYYY-MM-DD HH:MM:SS`. */
function toChar(value: Value, format: string): string | null {
  if (value === null) return null
  const length = LENGTHS[format]
  if (length === undefined) throw new Error(`date format not recognized: ${format}`)
  return String(value).slice(0, length)
}

function toDate(value: string, format: string): string | null {
  if (LENGTHS[format] !== value.length) throw new Error('literal does not match format string')
  return value.padEnd(19, ' 00:00:00')
}
