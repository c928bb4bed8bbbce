// Credentials as the environment and the bindings of platforms give them, read by CAP as at a start in production.
import path from 'node:path'
import cds from '@sap/cds'
import { plainConnectionFault } from '../../../srv/base/database/database-encryption.ts'

const root = path.resolve(import.meta.dirname, '../../..')
const variables = { ...process.env }
afterEach(() => void (process.env = { ...variables }))

/** What a start in production finds with these variables. */
function faultWith(env: Record<string, string>, profile = 'postgres') {
  const { CDS_CONFIG: _c, CDS_REQUIRES_DB_CREDENTIALS_URL: _u, ...others } = variables
  process.env = { ...others, NODE_ENV: 'production', CDS_ENV: profile, ...env }
  const { env: environment } = cds as unknown as {
    env: { for(context: string, home: string): typeof cds.env }
  }
  return plainConnectionFault(environment.for('cds', root))
}

const DB = 'CDS_REQUIRES_DB_CREDENTIALS'
const AT = { [`${DB}_HOST`]: 'db.example.com' }
const bound = (label: string, credentials: object) => ({
  VCAP_SERVICES: JSON.stringify({
    [label]: [{ name: 'restock-db', label, tags: [], credentials }],
  }),
})

describe('PostgreSQL', () => {
  it.each<[string, Record<string, string>]>([
    ['nothing', AT],
    ['SSL=false', { ...AT, [`${DB}_SSL`]: 'false' }],
    ['an empty SSL', { ...AT, [`${DB}_SSL`]: '' }],
    ['an empty SSLROOTCERT', { ...AT, [`${DB}_SSLROOTCERT`]: '' }],
    ['PGSSLMODE=disable', { ...AT, PGSSLMODE: 'disable' }],
    ['PGSSLMODE=allow, which the driver does not know', { ...AT, PGSSLMODE: 'allow' }],
    ['an address that only begins as this machine', { [`${DB}_HOST`]: 'localhost.example.com' }],
    ['no host but that of PGHOST', { PGHOST: 'db.example.com' }],
    ['a binding without a certificate', bound('postgresql-db', { hostname: 'db.example.com' })],
    [
      'a connection string for another host than the credentials',
      {
        [`${DB}_HOST`]: 'localhost',
        CDS_REQUIRES_DB_CLIENT: '{"connectionString":"postgres://u:p@db.example.com/restock"}',
      },
    ],
  ])('%s is refused with its cure', (_, env) => {
    const fault = faultWith(env)
    expect(fault).toMatch(/(localhost|db)\.example\.com would not be encrypted/)
    expect(fault).toContain(`set ${DB}_SSL=true, and NODE_EXTRA_CA_CERTS where`)
  })

  it.each<[string, Record<string, string>]>([
    ['SSL=true', { ...AT, [`${DB}_SSL`]: 'true' }],
    ['options of TLS', { ...AT, [`${DB}_SSL`]: '{"ca":"-----BEGIN CERTIFICATE-----"}' }],
    ['an option of TLS', { ...AT, [`${DB}_SSL_CA`]: '-----BEGIN CERTIFICATE-----' }],
    ['no-verify', { ...AT, [`${DB}_SSL`]: 'no-verify' }],
    ['SSLROOTCERT', { ...AT, [`${DB}_SSLROOTCERT`]: '-----BEGIN CERTIFICATE-----' }],
    ['PGSSLMODE=verify-full', { ...AT, PGSSLMODE: 'verify-full' }],
    ['an option of the driver', { ...AT, CDS_REQUIRES_DB_CLIENT: '{"ssl":true}' }],
    [
      'a connection string',
      {
        ...AT,
        CDS_REQUIRES_DB_CLIENT:
          '{"connectionString":"postgres://u:p@db.example.com/restock?sslmode=verify-full"}',
      },
    ],
    [
      'a binding with a certificate',
      bound('postgresql-db', { hostname: 'db.example.com', sslrootcert: '-----BEGIN' }),
    ],
    ['this machine', { [`${DB}_HOST`]: 'localhost' }],
    ['an address of this machine', { [`${DB}_HOST`]: '127.0.0.2' }],
    ['the same in IPv6', { [`${DB}_HOST`]: '::1' }],
    ['a Unix socket', { [`${DB}_HOST`]: '/var/run/postgresql' }],
  ])('%s is taken', (_, env) => {
    expect(faultWith(env)).toBeUndefined()
  })

  it('sslmode is not read by CAP, and the sentence says so', () => {
    expect(faultWith({ ...AT, [`${DB}_SSLMODE`]: 'require' })).toContain(
      `${DB}_SSLMODE is not read, and the connection to db.example.com would not be encrypted: set ${DB}_SSL=true`,
    )
  })

  it('a word that the driver does not know is named', () => {
    expect(faultWith({ ...AT, [`${DB}_SSL`]: 'require' })).toBe(
      `${DB}_SSL is require, but must be true, or options of TLS in JSON.`,
    )
  })
})

describe('SAP HANA', () => {
  const HANA = { ...AT, [`${DB}_PORT`]: '30015' }

  it.each<[string, Record<string, string>]>([
    ['nothing', HANA],
    ['ENCRYPT=false', { ...HANA, [`${DB}_ENCRYPT`]: 'false' }],
    ['a binding that says nothing', bound('hana', { host: 'db.example.com', port: '30015' })],
  ])('%s is refused with its cure', (_, env) => {
    expect(faultWith(env, 'hana')).toBe(
      `The connection to the database at db.example.com would not be encrypted: set ${DB}_ENCRYPT=true.`,
    )
  })

  it.each<[string, Record<string, string>]>([
    ['ENCRYPT=true', { ...HANA, [`${DB}_ENCRYPT`]: 'true' }],
    ['the port of HANA Cloud', { ...AT, [`${DB}_PORT`]: '443' }],
    [
      'the certificate of a container',
      bound('hana', { host: 'db.example.com', port: '30015', certificate: '-----BEGIN' }),
    ],
    ['this machine', { [`${DB}_HOST`]: 'localhost', [`${DB}_PORT`]: '30015' }],
  ])('%s is taken', (_, env) => {
    expect(faultWith(env, 'hana')).toBeUndefined()
  })
})
