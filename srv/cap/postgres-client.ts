// How CAP's PostgreSQL service connects, for a connection beside its pool. Repeats the factory of @cap-js/postgres 2.3.0, which
// gives its options to nobody. Needed until it does.
import cds from '@sap/cds'
import type { ClientConfig } from 'pg'

interface Credentials extends Record<string, string | undefined> {
  schema?: string
}

interface Options {
  credentials?: Credentials
  client?: ClientConfig
}

/** What a thread can be given: plain values. The search path is that of CAP's own connections. */
export function postgresClient(): { config: ClientConfig; schema: string | null } {
  const { credentials: given = {}, client } = (cds.db as unknown as { options: Options }).options
  const { schema = null, sslrootcert: ca } = given
  const config: ClientConfig = {
    user: given.username ?? given.user,
    password: given.password,
    host: given.hostname ?? given.host,
    port: Number(given.port ?? process.env.PGPORT ?? 5432),
    database: given.dbname ?? given.database,
    // As CAP has it: an empty one is none.
    ssl: (given.ssl as ClientConfig['ssl']) || (ca ? { rejectUnauthorized: false, ca } : undefined),
    ...client,
  }
  return { config, schema }
}
