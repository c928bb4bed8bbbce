// Reaches into a transaction of @cap-js/db-service 3 for the driver's own connection, `dbc`.
// Tried with @cap-js/sqlite 3.1.1 and @cap-js/postgres 2.3.0. Why: CAP's plain SQL knows neither RETURNING nor arrays
// as parameters and prepares each statement anew (bench/sync). Needed until CAP has an API for the driver's connection.
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import cds from '@sap/cds'
import type { ClientConfig } from 'pg'
import { facade } from './facade.ts'

/** The driver's own connection of the present transaction. */
export async function driverConnection<Driver>(): Promise<Driver> {
  const tx = facade.db.tx(cds.context)
  // The first statement begins the transaction.
  if (!tx.dbc) await tx.run('SELECT 1')
  if (!tx.dbc) throw new Error('CAP no longer keeps the connection of a transaction in tx.dbc.')
  return tx.dbc as Driver
}

/** A statement of node:sqlite whose rows are known from its SQL. */
interface StatementOf<Row> extends Pick<StatementSync, 'columns' | 'setReturnArrays'> {
  all(...values: SQLInputValue[]): Row[]
}

/** A statement with all that node:sqlite can do, which CAP's own `prepare` hides. */
export function prepareStatement(dbc: DatabaseSync, sql: string): StatementSync
export function prepareStatement<Row>(dbc: DatabaseSync, sql: string): StatementOf<Row>
export function prepareStatement(dbc: DatabaseSync, sql: string): unknown {
  return DatabaseSync.prototype.prepare.call(dbc, sql)
}

/** A query as SQL of plain columns: CAP's own reads have the database make JSON of each row. */
export const plainSql = (query: object) => facade.db.cqn2sql(query)

// How CAP's PostgreSQL service connects, for a connection beside its pool. Repeats the factory of @cap-js/postgres 2.3.0, which
// gives its options to nobody. Needed until it does.

/** The configuration as plain values, which can be sent to a thread. The search path is that of CAP's own connections. */
export function postgresClient(): { config: ClientConfig; schema: string | null } {
  const { credentials: given = {}, client } = facade.db.options
  const { schema = null, sslrootcert: ca } = given
  const config: ClientConfig = {
    user: given.username ?? given.user,
    password: given.password,
    host: given.hostname ?? given.host,
    port: Number(given.port ?? process.env.PGPORT ?? 5432),
    database: given.dbname ?? given.database,
    // Like CAP, it treats an empty value as absent.
    ssl: (given.ssl as ClientConfig['ssl']) || (ca ? { rejectUnauthorized: false, ca } : undefined),
    ...client,
  }
  return { config, schema }
}
