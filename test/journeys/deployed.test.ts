// A start in production on PostgreSQL whose deployment was forgotten, has not ended yet, or is of another version.
import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { launchPostgres } from '../support/databases/launch-postgres.ts'
import { Service } from '../support/service.ts'

const root = path.resolve(import.meta.dirname, '../..')
const PASSWORD = 'dTk2NmM5-Zm9v'
const DB = 'CDS_REQUIRES_DB_CREDENTIALS'

let service: Service
let postgres: Awaited<ReturnType<typeof launchPostgres>>
let database: pg.Client
let env: Record<string, string>

beforeAll(async () => {
  service = await Service.inTemporaryFolder()
  postgres = await launchPostgres()
  const at = { host: '127.0.0.1', port: postgres.port, user: 'restock', password: 'restock' }
  database = new pg.Client({ ...at, database: 'postgres' })
  await database.connect()
  await database.query(`CREATE ROLE owner LOGIN PASSWORD '${PASSWORD}'`)
  await database.query(`CREATE ROLE service LOGIN PASSWORD '${PASSWORD}'`)
  await database.query('CREATE DATABASE forecasts OWNER owner')
  await database.end()
  database = new pg.Client({ ...at, database: 'forecasts' })
  await database.connect()
  env = {
    ...{ NODE_ENV: 'production', CDS_ENV: 'postgres', RESTOCK_RATE_LIMIT: '', RESTOCK_DEMO: '' },
    [`${DB}_HOST`]: '127.0.0.1',
    [`${DB}_PORT`]: String(postgres.port),
    [`${DB}_USER`]: 'owner',
    [`${DB}_PASSWORD`]: PASSWORD,
    [`${DB}_DATABASE`]: 'forecasts',
    RESTOCK_ENCRYPTION_KEY: Buffer.from('0123456789abcdef0123456789abcdef').toString('base64'),
    RESTOCK_IDENTITY_ISSUER: 'https://login.example.com',
    RESTOCK_IDENTITY_CLIENT_ID: 'restock',
    RESTOCK_PUBLIC_URL: 'https://restock.example.com',
    RESTOCK_TRUST_PROXY: '1',
  }
}, 300_000)

afterAll(async () => {
  await database?.end()
  await service?.clean()
  await postgres?.server.stop()
})

async function deploy(more: Record<string, string> = {}) {
  const { NODE_OPTIONS: _o, JEST_WORKER_ID: _j, ...inherited } = process.env
  const options = { cwd: root, env: { ...inherited, CDS_TYPESCRIPT: 'true', ...env, ...more } }
  await promisify(execFile)(process.execPath, ['srv/base/start/deploy.ts'], options)
}

async function expectEnd(sentence: string, more: Record<string, string> = {}) {
  expect(await service.fail({ ...env, ...more })).toBe(1)
  expect(service.log).toContain(sentence)
  expect(service.log).not.toMatch(/\n\s+at |server listening/)
}

it('a database without tables ends the start with what makes them', () =>
  expectEnd('The database has no tables of Restock: run npm run deploy.'))

it('so does one of another version, or a user without rights', async () => {
  await deploy()
  await expectEnd("The database's user service may not read", { [`${DB}_USER`]: 'service' })
  expect(service.log).toContain('run npm run deploy -- --service-user service.')
  await database.query('ALTER TABLE restock_counters RENAME COLUMN next TO later')
  await expectEnd('not of this version, since it has no restock_counters.next: run npm run deploy.')
  await database.query('ALTER TABLE restock_counters RENAME TO counters')
  await expectEnd('not of this version, since it has no restock_counters: run npm run deploy.')
})

it('a deployment over a network that everybody may read is refused too', async () => {
  const error = await deploy({ [`${DB}_HOST`]: 'db.example.com' }).catch((fault: unknown) => fault)
  const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
  expect(code).toBe(1)
  expect(stdout + stderr).toContain(`set ${DB}_SSL=true`)
})
