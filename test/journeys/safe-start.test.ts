// What is not development or test is production as to safety, and a start that lacks something says so and ends.
import { readFile, rm, writeFile } from 'node:fs/promises'
import { networkInterfaces } from 'node:os'
import { DatabaseSync } from 'node:sqlite'
import cds from '@sap/cds'
import { assertConfiguration } from '../../srv/base/settings/config.ts'
import { assertSafeStart } from '../../srv/base/start/safe-start.ts'
import { Service } from '../support/service.ts'

let service: Service

beforeAll(async () => {
  service = await Service.inTemporaryFolder()
})
afterAll(() => service.clean())

const PRODUCTION = {
  ...{ NODE_ENV: 'production', CDS_ENV: 'postgres', RESTOCK_RATE_LIMIT: '', RESTOCK_DEMO: '' },
  CDS_REQUIRES_DB_CREDENTIALS_HOST: 'db.example.com',
  CDS_REQUIRES_DB_CREDENTIALS_USER: 'restock',
  CDS_REQUIRES_DB_CREDENTIALS_PASSWORD: 'dTk2NmM5-Zm9v',
  CDS_REQUIRES_DB_CREDENTIALS_SSL: 'true',
  RESTOCK_ENCRYPTION_KEY: Buffer.from('0123456789abcdef0123456789abcdef').toString('base64'),
  RESTOCK_IDENTITY_ISSUER: 'https://login.example.com',
  RESTOCK_IDENTITY_CLIENT_ID: 'restock',
  RESTOCK_PUBLIC_URL: 'https://restock.example.com',
  RESTOCK_TRUST_PROXY: '1',
}

/** What is lacking, and the sentence that the start ends with. */
const LACKING: [Record<string, string>, string][] = [
  [{ NODE_ENV: 'staging' }, 'The profile staging is neither development nor production'],
  [{ NODE_ENV: 'qa' }, 'The profile qa is neither'],
  [{ NODE_ENV: 'prod' }, 'The profile prod is neither'],
  [{ NODE_ENV: 'Production' }, 'set NODE_ENV=production'],
  [{ NODE_ENV: 'production,postgres' }, 'The profile production,postgres is neither'],
  [{ CDS_ENV: 'staging' }, 'The profile staging is neither'],
  [{ RESTOCK_HOST: '0.0.0.0' }, 'RESTOCK_HOST is 0.0.0.0, but the users of development'],
  [{ ...PRODUCTION, CDS_ENV: 'postgres,development' }, 'exclude each other'],
  [{ ...PRODUCTION, CDS_REQUIRES_DB_KIND: 'sqlite' }, 'set CDS_ENV=postgres'],
  [{ ...PRODUCTION, CDS_ENV: '', CDS_REQUIRES_DB_CREDENTIALS_HOST: '' }, 'There is no SAP HANA'],
  [{ ...PRODUCTION, CDS_REQUIRES_DB_CREDENTIALS_HOST: '' }, 'CREDENTIALS_HOST is not set'],
  [{ ...PRODUCTION, CDS_REQUIRES_DB_CREDENTIALS_PASSWORD: 'restock' }, 'is a default password'],
  [{ ...PRODUCTION, CDS_REQUIRES_DB_CREDENTIALS_SSL: '' }, 'CREDENTIALS_SSL=true'],
  [{ ...PRODUCTION, RESTOCK_ENCRYPTION_KEY: '' }, 'set RESTOCK_ENCRYPTION_KEY to 32 random bytes'],
  [{ ...PRODUCTION, RESTOCK_IDENTITY_ISSUER: '' }, 'Nobody could sign in: set RESTOCK_IDENTITY'],
  [{ ...PRODUCTION, RESTOCK_IDENTITY_CLIENT_ID: '' }, 'RESTOCK_IDENTITY_CLIENT_ID is not set'],
  [{ ...PRODUCTION, RESTOCK_IDENTITY_ISSUER: 'http://login.example.com' }, 'must be an https'],
  [
    { ...PRODUCTION, RESTOCK_IDENTITY_ISSUER: '', CDS_REQUIRES_AUTH_KIND: 'mocked' },
    'cds.requires.auth.kind is mocked, which is for development',
  ],
  [{ ...PRODUCTION, RESTOCK_PUBLIC_URL: '' }, 'RESTOCK_PUBLIC_URL is not set'],
  [{ ...PRODUCTION, RESTOCK_TRUST_PROXY: '' }, 'RESTOCK_TRUST_PROXY is not set'],
  [{ ...PRODUCTION, RESTOCK_TRUST_PROXY: 'true' }, 'RESTOCK_TRUST_PROXY is true, which believes'],
  [{ ...PRODUCTION, RESTOCK_TRUST_PROXY: '0' }, 'RESTOCK_TRUST_PROXY is 0, but'],
  [{ ...PRODUCTION, RESTOCK_PUBLIC_URL: 'http://localhost:4004' }, 'set RESTOCK_TRUST_PROXY=0'],
  [
    { ...PRODUCTION, RESTOCK_WEBHOOKS_ALLOW_PRIVATE: 'true' },
    'RESTOCK_WEBHOOKS_ALLOW_PRIVATE is set, which is for development',
  ],
  [{ ...PRODUCTION, RESTOCK_RATE_LIMIT: 'off' }, 'RESTOCK_RATE_LIMIT is set'],
  [{ ...PRODUCTION, RESTOCK_DEMO: 'true' }, 'RESTOCK_DEMO is set'],
]

describe('a start that lacks something', () => {
  const { env } = process
  const configured = cds.env
  afterEach(() => {
    process.env = env
    cds.env = configured
  })

  it.each(LACKING)('is refused with one sentence: %j', (lacking, sentence) => {
    const { NODE_ENV: _, ...others } = env
    process.env = { ...others, RESTOCK_RATE_LIMIT: 'off', ...lacking }
    cds.env = (cds.env as unknown as { for(name: string): typeof cds.env }).for('cds')
    assertConfiguration()
    expect(assertSafeStart).toThrow(sentence)
  })

  it.each([
    [{ NODE_ENV: 'staging' }, 'The profile staging is neither development nor production'],
    [
      { ...PRODUCTION, CDS_REQUIRES_DB_CREDENTIALS_SSL: '', RESTOCK_DEMO: 'true' },
      'CREDENTIALS_SSL=true',
    ],
  ])('ends its process with it: %j', async (lacking: Record<string, string>, sentence) => {
    expect(await service.fail(lacking)).toBe(1)
    expect(service.log).toContain(sentence)
    expect(service.log).not.toMatch(/\n\s+at |server listening|Restock serves/)
    expect(service.log).not.toContain(PRODUCTION.CDS_REQUIRES_DB_CREDENTIALS_PASSWORD)
  })
})

it('users whose password is their name are served to this machine alone', async () => {
  const others = Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .filter(({ internal, family }) => !internal && family === 'IPv4')
  await service.start({ RESTOCK_DEMO: 'key' })
  expect((await fetch(`${service.url}/health`)).status).toBe(200)
  for (const { address } of others) {
    await expect(fetch(`http://${address}:${service.port}/health`)).rejects.toThrow()
  }
})

describe('beside a running service', () => {
  const second = () => Service.inTemporaryFolder(service.port)

  it('another on its database ends with its process', async () => {
    const other = await second()
    expect(await other.fail({ CDS_REQUIRES_DB_CREDENTIALS_URL: service.database })).toBe(1)
    expect(other.log).toContain(`is in use by process ${service.pid}: end that one`)
    expect(other.log).not.toMatch(/\n\s+at |Restock serves/)
    await other.clean()
  })

  it('another on its port ends with the port', async () => {
    const other = await second()
    expect(await other.fail({})).toBe(1)
    expect(other.log).toContain(`Port ${service.port} is taken: set PORT to another`)
    expect(other.log).not.toMatch(/\n\s+at |Restock serves/)
    await other.clean()
  })

  it('another whose file is no database ends with its name', async () => {
    const other = await second()
    await writeFile(other.database, 'no database')
    expect(await other.fail({})).toBe(1)
    expect(other.log).toMatch(/The database .*restock.sqlite cannot be used \(file is not a data/)
    expect(other.log).not.toMatch(/\n\s+at |Restock serves/)
    await other.clean()
  })

  it('another whose file is broken in the middle ends with what to do', async () => {
    const other = await second()
    const database = new DatabaseSync(other.database)
    database.exec("CREATE TABLE cds_model AS SELECT '{}' AS csn")
    database.close()
    await writeFile(other.database, (await readFile(other.database)).fill(7, 4096))
    expect(await other.fail({})).toBe(1)
    expect(other.log).toMatch(
      /\(database disk image is malformed\): restore it from a backup, or move it away to start/,
    )
    expect(other.log).not.toMatch(/\n\s+at |Restock serves/)
    await other.clean()
  })

  it('its health is DOWN once its database is removed, and changes are refused', async () => {
    const api = await service.api()
    await rm(service.database)
    expect((await fetch(`${service.url}/health`)).status).toBe(503)
    const answer = await api.post('/keys', { name: 'lost', scopes: ['proposals:read'] })
    expect(answer.status).toBe(503)
    expect(answer.data).toMatchObject({ error: { code: 'database_unavailable' } })
    const odata = await fetch(`${service.url}/odata/v4/buyer/Delegations`, { method: 'POST' })
    expect(odata.status).toBe(503)
    expect(await odata.json()).toMatchObject({ error: { code: 'database_unavailable' } })
    await service.stop()
  })
})
