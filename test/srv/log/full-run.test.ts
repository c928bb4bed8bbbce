// Planted secrets are sent through every door of an instance: none of them stands in what it writes. In production form, on PostgreSQL:
// a file of SQLite belongs to the process of this test.
import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import cds from '@sap/cds'
import { temporaryFolder } from '../../support/configure.ts'
import { freePort } from '../../support/free-port.ts'
import { CLIENT, IdentityProvider, identityOf } from '../../support/identity-provider.ts'
import { Instance } from '../../support/instance.ts'
import { until } from '../../support/service.ts'
import { someOf } from '../../support/some-of.ts'
import { Visitor } from '../../support/visitor.ts'
import { aKey, type Options } from '../v1/api.ts'
import { found, SECRETS } from './planted.ts'

const isHere = (cds.env.requires.db as { kind?: string }).kind === 'postgres'
const run = isHere ? describe : describe.skip
const secrets: Record<string, string> = { ...SECRETS, client: CLIENT.secret }
let provider: IdentityProvider
let instance: Instance
let url = ''

/** The database's password is a secret too: a user of its own has it. */
async function useOwnPassword() {
  const { databasePassword } = SECRETS
  await cds.run(`CREATE ROLE planted LOGIN SUPERUSER PASSWORD '${databasePassword}'`)
  const config = JSON.parse(process.env.CDS_CONFIG!) as {
    requires: { db: { credentials: object } }
  }
  Object.assign(config.requires.db.credentials, { user: 'planted', password: databasePassword })
  process.env.CDS_CONFIG = JSON.stringify(config)
}

run('a full run', () => {
  beforeAll(async () => {
    const port = await freePort()
    url = `http://localhost:${port}`
    provider = await IdentityProvider.start(url)
    secrets.apiKey = await aKey()
    await useOwnPassword()
    instance = await Instance.start({
      env: {
        ...{ NODE_ENV: 'production', CDS_ENV: 'postgres' },
        PORT: String(port),
        RESTOCK_RATE_LIMIT: 'on',
        RESTOCK_IDENTITY_CLIENT_SECRET: CLIENT.secret,
        RESTOCK_ENCRYPTION_KEY: SECRETS.encryptionKey,
        RESTOCK_SMTP_URL: `smtps://restock:${SECRETS.smtpPassword}@localhost:1`,
      },
      restock: {
        ...{ demo: false, publicUrl: url, ui5: 'built', trustProxy: 0 },
        identity: identityOf(provider),
      },
    })
  })

  afterAll(async () => {
    await instance?.end()
    await provider.stop()
  })

  const statuses = new Set<number>()
  async function call(address: string, { body, headers }: Options = {}) {
    const isText = typeof body === 'string'
    const response = await fetch(url + address, {
      method: body === undefined ? 'GET' : 'POST',
      redirect: 'manual',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: body === undefined ? undefined : isText ? body : JSON.stringify(body),
    })
    statuses.add(response.status)
    return { status: response.status, text: await response.text() }
  }

  it('connects with secrets, fails to sync and has a webhook', async () => {
    const headers = { Authorization: `Bearer ${secrets.apiKey}` }
    const post = async (address: string, body: unknown) => {
      const { status, text } = await call(`/v1${address}`, { headers, body })
      return { status, json: JSON.parse(text) as { id?: string; secret?: string } }
    }
    const { clientSecret, password } = SECRETS
    const client = { client_id: 'RESTOCK', client_secret: clientSecret }
    for (const type of [
      's4hana',
      'odoo',
      'tryton',
      'business-one',
      'business-central',
      'sql',
      'csv',
      'netsuite',
    ])
      for (const account of [
        'http://127.0.0.1:1',
        `https://restock:${password}@127.0.0.1:1`,
        '../x',
      ])
        await post('/sources', { type, account, role: 'reader', ...client, options: {} })
    const folder = path.join(temporaryFolder, 'planted')
    mkdirSync(folder, { recursive: true })
    writeFileSync(path.join(folder, 'demand.csv'), 'sku,location,date,quantity\nA,L,2026-01-01,1\n')
    const source = await post('/sources', { type: 'csv', account: 'planted', role: 'reader' })
    expect(source.status).toBe(201)
    rmSync(folder, { recursive: true })
    await post(`/sources/${source.json.id}/sync`, { mode: 'full' })
    await until(async () => instance.log.includes('"label":"sync"'), 30)
    const hook = await post('/webhooks', {
      ...{ url: `https://127.0.0.1:1/${password}`, event_types: ['sync.completed'] },
    })
    if (hook.json.secret) secrets.hook = hook.json.secret
  })

  it('is asked at every door', async () => {
    const { bearer, token, password, key, cookie, clientSecret, privateKey, webhookSecret } =
      SECRETS
    const visitor = new Visitor()
    await visitor.signIn(`${url}/`, 'ada')
    const jar = visitor.cookies.get(new URL(url).host)!
    for (const [name, value] of jar) secrets[name] = value
    const Cookie = [...jar].map((pair) => pair.join('=')).join('; ')
    const signedIn = { Cookie, Origin: url }
    const basic = `Basic ${Buffer.from(`buyer:${password}`).toString('base64')}`
    secrets.basic = basic.slice(6)
    const headers: Record<string, string>[] = [
      { Authorization: `Bearer ${bearer}` },
      { Authorization: `Bearer ${token}` },
      { Authorization: `Bearer rsk_0123456789abcdef_${key}` },
      { Authorization: `Bearer rsk_0123456789abcdef_${randomBytes(32).toString('base64url')}` },
      { Authorization: basic },
      { Cookie: `restock=${cookie}; __Host-restock=${cookie}; other=${cookie}` },
      signedIn,
      { Authorization: `Bearer ${secrets.apiKey}` },
    ]
    const inAddress = `code=${bearer}&state=${cookie}&ticket=${bearer}&access_token=${token}&password=${password}`
    const pem = `-----BEGIN PRIVATE KEY-----\n${privateKey}\n-----END PRIVATE KEY-----`
    const all = {
      password,
      client_secret: clientSecret,
      secret: `whsec_${webhookSecret}`,
      private_key: pem,
    }
    const bodies = [
      all,
      { proposals: JSON.stringify(all) },
      `{"password":"${password}",`,
      `password=${password}`,
    ]
    const doors = [
      ...['/v1/proposals', '/v1/sources', '/v1/webhooks', '/v1/keys', '/v1/none'],
      ...['/odata/v4/buyer/Proposals', '/odata/v4/buyer/approveMany', '/odata/v4/buyer/$batch'],
      ...[
        '/odata/v4/admin/connect',
        '/odata/v4/admin/Sources',
        '/odata/v4/TASKPROCESSING/TaskCollection',
      ],
      ...['/odata/v2/TASKPROCESSING/TaskCollection', '/task-provider/v2/tasks', '/auth/callback'],
      ...[
        '/auth/login',
        '/oauth/authorize',
        '/oauth/callback',
        '/apps/buyer/index.html',
        '/docs',
        '/none',
      ],
    ]
    const calls = doors.flatMap((door) =>
      headers.flatMap((each) => [
        [`${door}?${inAddress}`, { headers: each }] as const,
        [door, { headers: each }] as const,
        ...bodies.map((body) => [door, { headers: each, body }] as const),
      ]),
    )
    // A number without a divisor of theirs: each door has each way to call it and each header in its turn.
    for (const [address, options] of someOf(calls, 5)) await call(address, options)
    expect([...statuses].sort()).toEqual(expect.arrayContaining([200, 400, 401, 404]))
  })

  it('none of them is there, and in production each line is of one shape', () => {
    expect(found(instance.log, secrets as never)).toEqual([])
    expect(instance.log).toMatch('"label":"sync"')
    for (const line of instance.log.trim().split('\n')) {
      const {
        timestamp,
        level,
        label,
        message,
        id: _id,
        ...others
      } = JSON.parse(line) as object & Record<string, string>
      expect({ timestamp, level, label, message, others }).toEqual({
        ...{ timestamp: expect.any(String), level: expect.any(String) },
        ...{ label: expect.any(String), message: expect.any(String), others: {} },
      })
    }
  })
})
