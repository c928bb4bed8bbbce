// Foretells from its settings whether CAP's connection to the database will be encrypted, as its drivers read them; that is
// not public. Tried with @cap-js/postgres 2.3.0 and pg 8.23, @cap-js/hana 2.8.0 and hdb 2. Needed until CAP itself refuses
// connections that are not.
import pg from 'pg'
import cds from '@sap/cds'
import { isLoopbackHost } from '../http/addresses.ts'

interface Credentials extends OptionsOfHana {
  host?: string
  /** The name in a binding of Cloud Foundry. */
  hostname?: string
  ssl?: string | pg.ClientConfig['ssl']
  sslrootcert?: string
  sslmode?: string
}

interface OptionsOfHana {
  port?: number
  encrypt?: unknown
  useTLS?: unknown
}

interface Database {
  kind: string
  credentials?: Credentials
  /** Options of the driver, which win. */
  client?: pg.ClientConfig & OptionsOfHana
}

const SETTING = 'CDS_REQUIRES_DB_CREDENTIALS'

/** @returns why what is sent to the database would not be encrypted, with the cure; undefined where it is, or stays here */
export function plainConnectionFault(env: typeof cds.env = cds.env): string | undefined {
  const database = env.requires.db as Database
  return database.kind === 'postgres' ? faultOfPostgres(database) : faultOfHana(database)
}

function faultOfPostgres({ credentials = {}, client = {} }: Database) {
  const { ssl, sslrootcert, sslmode } = credentials
  if (typeof ssl === 'string' && ssl && !['true', 'no-verify'].includes(ssl))
    return `${SETTING}_SSL is ${ssl}, but must be true, or options of TLS in JSON.`
  // It reads PGSSLMODE, PGHOST and a connection string too, and does not connect yet.
  const { host, ssl: isEncrypted } = new pg.Client({
    host: credentials.hostname || credentials.host,
    ssl: (ssl || (sslrootcert && true)) as boolean | undefined,
    ...client,
  })
  if (isEncrypted || host.startsWith('/') || isLoopbackHost(host)) return
  const cure = `set ${SETTING}_SSL=true, and NODE_EXTRA_CA_CERTS where an authority of your own has signed its certificate.`
  return sslmode
    ? `${SETTING}_SSLMODE is not read, and the connection to ${host} would not be encrypted: ${cure}`
    : `The connection to the database at ${host} would not be encrypted: ${cure}`
}

function faultOfHana({ credentials = {}, client = {} }: Database) {
  const options = { ...credentials, ...client }
  const { host = '', port, encrypt, useTLS = encrypt } = options
  const isEncrypted =
    useTLS === true ||
    Number(port) === 443 ||
    ['key', 'cert', 'ca', 'pfx', 'certificate'].some((name) => name in options)
  if (isEncrypted || isLoopbackHost(String(host))) return
  return `The connection to the database at ${String(host)} would not be encrypted: set ${SETTING}_ENCRYPT=true.`
}
