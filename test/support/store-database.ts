// Creates the stored database of an earlier version with all kinds of rows: see test/fixtures/README.md.
//   node test/support/store-database.ts <folder of that version> <folder to write to>
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { parseJson } from './json.ts'

const [version, target] = process.argv.slice(2) as [string, string]
const folder = mkdtempSync(path.join(os.tmpdir(), 'restock-stored-'))
const file = path.join(folder, 'stored.sqlite')
const csv = path.join(folder, 'stored')
const SKUS = Array.from({ length: 14 }, (_, at) => `SKU-${at + 1}`)
/** Decrypts the webhook secrets of the fixture; used nowhere else. */
const ENCRYPTION_KEY = Buffer.alloc(32, 7).toString('base64')

const daysAgo = (days: number) =>
  new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

function write(name: string, lines: string[]) {
  mkdirSync(csv, { recursive: true })
  writeFileSync(path.join(csv, name), `${lines.join('\n')}\n`)
}

function writeSource() {
  const demand = SKUS.flatMap((sku) =>
    Array.from({ length: 60 }, (_, day) => `${sku},L1,${daysAgo(day + 1)},4`),
  )
  write('demand.csv', ['sku,location,date,quantity', ...demand, 'SKU-1,L1,yesterday,4'])
  writeStock(30)
  write('items.csv', ['sku,name,unit', ...SKUS.map((sku) => `${sku},The ${sku},EA`)])
  const planning = SKUS.map((sku, at) =>
    // The third SKU has no lead time, so it is blocked; the last ones need two approvals by their value.
    [sku, 'L1', at === 2 ? '' : 7, 20, 10, `S-${at % 2}`, at > 10 ? '90.00' : '3.00', 'EUR'].join(),
  )
  const columns = 'sku,location,lead_time_days,moq,lot_size,supplier,unit_cost,currency'
  write('planning.csv', [columns, ...planning])
}

const writeStock = (first: number) =>
  write('stock.csv', [
    'sku,location,on_hand',
    ...SKUS.map((sku, at) => `${sku},L1,${at === 0 ? first : 30}`),
  ])

const off = { full: 'off', incremental: 'off', housekeeping: 'off' }

/** Runs the service of that version during `work`. */
async function serve(restock: object, work: (api: ReturnType<typeof apiOf>) => Promise<void>) {
  const child = spawn(process.execPath, ['node_modules/@sap/cds/bin/serve.js'], {
    cwd: version,
    env: {
      ...process.env,
      ...{ PORT: '0', CDS_TYPESCRIPT: 'true', RESTOCK_CSV_ROOT: folder, RESTOCK_RATE_LIMIT: 'off' },
      ...{ RESTOCK_ENCRYPTION_KEY: ENCRYPTION_KEY, RESTOCK_WEBHOOKS_ALLOW_PRIVATE: 'true' },
      CDS_CONFIG: JSON.stringify({
        requires: { db: { credentials: { url: file } } },
        restock: { demo: 'key', secondApproverAbove: '1000.00', schedules: off, ...restock },
      }),
    },
  })
  let log = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (log += chunk))
  const portOf = () => /API: http:\/\/localhost:(\d+)\/v1/.exec(log)?.[1]
  try {
    await until(() => portOf() !== undefined)
    await work(apiOf(Number(portOf())))
    // Sealing runs every two seconds, tasks and webhook deliveries every second.
    await sleep(8_000)
  } catch (error) {
    throw new Error(log, { cause: error })
  } finally {
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  }
}

function apiOf(port: number) {
  const key = readFileSync(path.join(version, '.restock', `key-${port}`), 'utf8').trim()
  const call = async <T>(
    method: string,
    address: string,
    Authorization: string,
    body?: unknown,
  ) => {
    const response = await fetch(`http://127.0.0.1:${port}${address}`, {
      method,
      headers: { Authorization, 'Content-Type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${address}: ${response.status} ${text}`)
    return parseJson<T>(text || 'null')
  }
  const basic = (user: string) => `Basic ${Buffer.from(`${user}:${user}`).toString('base64')}`
  return {
    v1: <T = { data: unknown }>(method: string, address: string, body?: unknown) =>
      call<T>(method, `/v1${address}`, `Bearer ${key}`, body),
    odata: (user: string, method: string, address: string, body?: unknown) =>
      call(method, `/odata/v4/${address}`, basic(user), body),
  }
}

async function until(holds: () => boolean | Promise<boolean>) {
  for (let tries = 0; tries < 1200; tries++) {
    if (await holds()) return
    await sleep(100)
  }
  throw new Error(`not within 120 s: ${holds}`)
}

type Api = ReturnType<typeof apiOf>

async function sync({ v1 }: Api, source: string, mode = 'incremental') {
  const { id } = await v1<{ id: string }>('POST', `/sources/${source}/sync`, { mode })
  const isDone = async () =>
    !['queued', 'running'].includes((await v1<{ status: string }>('GET', `/syncs/${id}`)).status)
  await until(isDone)
}

/** Ids of the pending proposals by SKU. */
async function pendingBySku({ v1 }: Api): Promise<Map<string, string>> {
  const { data } = await v1<{ data: { id: string; sku: string }[] }>(
    'GET',
    '/proposals?status=pending&limit=200',
  )
  return new Map(data.map(({ id, sku }) => [sku, id]))
}

async function fill(api: Api, receiver: string) {
  const { v1, odata } = api
  const wish = { type: 'csv', account: 'stored', role: 'r' }
  const { id: source } = await v1<{ id: string }>('POST', '/sources', wish)
  await v1('POST', '/webhooks', { url: `${receiver}/fine`, events: ['proposal.approved'] })
  await v1('POST', '/webhooks', { url: `${receiver}/refusing` })
  await v1('PUT', '/policies', { level: 'supplier', supplier: 'S-1', order_days: [1, 3, 5] })
  await v1('PUT', '/policies', { level: 'default', review_period_days: 7 })
  const issued = { name: 'reader', scopes: ['proposals:read', 'forecasts:read'], acts_as: 'buyer' }
  await v1('POST', '/keys', issued)
  for (const user of ['viewer', 'buyer', 'approver', 'admin']) {
    await odata(user, 'GET', user === 'admin' ? 'admin/Sources' : 'buyer/Proposals?$top=1')
  }
  await odata('admin', 'POST', 'admin/UserLimits/AdminService.setUserLimit', {
    ...{ user: 'buyer', maxOrderValue: '5000.00', locations: ['L1', 'L2'] },
  })
  await odata('admin', 'POST', 'admin/RoleLimits/AdminService.setRoleLimit', {
    role: 'Buyer',
    maxOrderValue: '20000.00',
  })
  await odata('admin', 'POST', 'admin/Delegations/AdminService.delegate', {
    ...{ fromUser: 'approver', toUser: 'buyer' },
    ...{ validFrom: `${daysAgo(1)}T00:00:00.000Z`, validTo: '2999-01-01T00:00:00.000Z' },
  })
  await sync(api, source, 'full')
  const ids = await pendingBySku(api)
  const decide = (sku: string, what: string, body: object = {}) =>
    v1('POST', `/proposals/${ids.get(sku)}/${what}`, body)
  await decide('SKU-2', 'approve', { comment: 'as proposed' })
  await v1('DELETE', `/proposals/${ids.get('SKU-4')}?reason=too_much&comment=twice`)
  await decide('SKU-5', 'snooze', { until: '2999-01-01T00:00:00Z' })
  await decide('SKU-6', 'approve')
  await decide('SKU-6', 'cancel', { reason: 'other' })
  await decide('SKU-7', 'approve')
  for (const sku of ['SKU-12', 'SKU-13']) await decide(sku, 'approve', { comment: 'the first' })
  // High stock supersedes SKU-1's proposal. An ERP order with the proposal's id makes SKU-7's ordered.
  writeStock(3000)
  const order = `4500,10,SKU-7,L1,40,${daysAgo(-5)},${ids.get('SKU-7')}`
  write('open_orders.csv', ['order,line,sku,location,quantity,due,reference', order])
  await sync(api, source, 'full')
  await sync(api, source)
}

/** Expires proposals for the next housekeeping and adds rows that are hard to create through the API. */
function addRareStates() {
  const database = new DatabaseSync(file)
  database.exec(`
    UPDATE restock_Proposals SET expiresAt = '2020-01-01T00:00:00.000Z' WHERE sku IN ('SKU-8', 'SKU-13');
    INSERT INTO restock_TaskComments (ID, task, at, author, via, text)
      SELECT 'd3b07384-d9a0-4c9b-8f5e-0a1b2c3d4e5f', localId, '2026-01-01T00:00:00.000Z', 'buyer', 'inbox', 'What of it?'
      FROM restock_Tasks LIMIT 1;
    INSERT INTO restock_Users (ID, roles, seenAt) VALUES ('approver', 'ApproverHigh,Buyer,Viewer', '2026-01-01T00:00:00.000Z');
    INSERT INTO restock_TaskDigests (user, day) VALUES ('buyer', '2026-01-01');
    INSERT INTO restock_GlobalUsers (globalId, user) VALUES ('a1b2', 'buyer')`)
  database.close()
}

/** Lets open proposals never expire, so that tests do not depend on the date. */
function clearExpiry() {
  const database = new DatabaseSync(file)
  database.exec(`UPDATE restock_Proposals SET expiresAt = '2999-01-01T00:00:00.000Z' WHERE openKey IS NOT NULL;
    DELETE FROM restock_ApiKeys WHERE name LIKE 'demo%'`)
  database.close()
}

/** The model of that version, to create its tables on PostgreSQL. */
const modelOf = () =>
  execFileSync('npx', ['cds', 'compile', 'db', 'srv', 'app', '--to', 'json'], { cwd: version })

const answer = (request: IncomingMessage, response: ServerResponse) =>
  response.writeHead(request.url === '/fine' ? 204 : 500).end()
const receiver = http.createServer(answer).listen(0, '127.0.0.1')
await once(receiver, 'listening')

writeSource()
const { port } = receiver.address() as AddressInfo
await serve({}, (api) => fill(api, `http://127.0.0.1:${port}`))
addRareStates()
const housekeeping = { ...off, housekeeping: '* * * * *' }
await serve({ schedules: housekeeping, tasks: { grouping: 'supplier' } }, async ({ v1 }) => {
  await until(
    async () =>
      (await v1<{ data: object[] }>('GET', '/proposals?status=expired')).data.length === 2,
  )
})
const answers: Record<string, unknown> = {}
clearExpiry()
await serve({}, async ({ v1 }) => {
  const read = async (address: string) => (answers[address] = (await v1('GET', address)).data)
  for (const each of ['sources', 'keys', 'webhooks', 'policies', 'audit']) await read(`/${each}`)
  const proposals = (await read('/proposals?limit=200')) as { id: string }[]
  for (const { id } of proposals) {
    await read(`/proposals/${id}/history`)
    answers[`/proposals/${id}/evidence`] = await v1('GET', `/proposals/${id}/evidence`)
  }
})
receiver.close()

const database = new DatabaseSync(file)
database.exec('PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE; VACUUM')
database.close()
const files = {
  'stored.sqlite': readFileSync(file),
  'model.json': modelOf(),
  'answers.json': JSON.stringify(answers),
}
for (const [name, content] of Object.entries(files)) {
  writeFileSync(path.join(target, `${name}.gz`), gzipSync(content, { level: 9 }))
}
