// Takes PostgreSQL away from two instances under load, again and again: see README.md.
//   node bench/outages/run.ts [outages, 50 unless said] [first, 0 unless said]
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { moveStock, SKUS, writeCompany } from './company.ts'
import { Decisions } from './decisions.ts'
import { Instance } from './instance.ts'
import { type Answer, Load } from './load.ts'
import { type Kind, Postgres } from './postgres.ts'

const outages = Number(process.argv[2] ?? 50)
const first = Number(process.argv[3] ?? 0)
const LAST_EVENTS_S = 60
const [SHORTEST_S, LONGEST_S] = [4, 40]
const MINUTE_MS = 60_000

interface Round {
  kind: Kind
  /** Epoch milliseconds. */
  from: number
  to: number
  /** Milliseconds from the return on. */
  lookupsAfter: number
  syncAfter: number
  endedIn: number
  endedWhileAway: boolean
}

const folder = mkdtempSync(path.join(os.tmpdir(), 'restock-outages-files-'))
const logs = path.join(import.meta.dirname, 'results')
mkdirSync(logs, { recursive: true })
const company = path.join(folder, 'company')
writeCompany(company)

const received = new Map<string, number>()
const receiver = http.createServer((request, response) => {
  const id = String(request.headers['webhook-id'])
  request.resume()
  received.set(id, (received.get(id) ?? 0) + 1)
  response.writeHead(204).end()
})
receiver.listen(0, '127.0.0.1')
await once(receiver, 'listening')

const postgres = new Postgres()
await postgres.start()

const environment = {
  ...process.env,
  ...{ CDS_TYPESCRIPT: 'true', RESTOCK_RATE_LIMIT: 'off', RESTOCK_CSV_ROOT: folder },
  ...{ RESTOCK_WEBHOOKS_ALLOW_PRIVATE: 'true', RESTOCK_CSV_SETTLE_SECONDS: '0' },
  RESTOCK_SHUTDOWN_READY_SECONDS: '1',
  RESTOCK_ENCRYPTION_KEY: Buffer.alloc(32, 5).toString('base64'),
  CDS_CONFIG: JSON.stringify({
    requires: {
      db: {
        ...{ kind: 'postgres', model: null, impl: '@cap-js/postgres' },
        credentials: postgres.credentials,
      },
    },
    restock: {
      ...{ demo: 'key', ui5: 'built' },
      schedules: { full: 'off', incremental: '* * * * *', housekeeping: '* * * * *' },
    },
  }),
}
const instances = ['a', 'b'].map(
  (name) => new Instance(name, environment, path.join(logs, `instance-${name}.log`)),
)
for (const instance of instances) await instance.start()

const [one] = instances as [Instance, Instance]
const wish = { type: 'csv', account: 'company', role: 'r' }
const source = (await one.call('POST', '/sources', wish)).json as { id: string }
const { port } = receiver.address() as AddressInfo
await one.call('POST', '/webhooks', { url: `http://127.0.0.1:${port}/` })
await one.call('POST', `/sources/${source.id}/sync`, { mode: 'full' })
await until('the first sync', async () => (await syncs()).some(({ status }) => isDone(status)))

const load = new Load()
const decisions = new Decisions()
const loading = load.run(instances, ({ takesCalls }) => takesCalls, SKUS)
const deciding = decisions.run(instances)
const moving = setInterval(() => moveStock(company), 15_000)

const rounds: Round[] = []
let random = 7
for (let at = first; at < first + outages; at++) {
  const { kinds } = postgres
  const round = await oneOutage(kinds[at % kinds.length]!, nextSeconds(), at)
  rounds.push(round)
  const slowest = answersOf(round)
    .sort((a, b) => b.ms - a.ms)
    .slice(0, 3)
    .map(({ kind, at, ms, status }) => `${kind} ${at - round.from} ${ms} ${status}`)
  console.log(JSON.stringify({ at, ...round, ...summary(answersOf(round)), slowest }))
}

clearInterval(moving)
decisions.stop()
await deciding
load.stop()
await loading
await until('all deliveries', async () => (await waitingDeliveries()) === 0)
// What the last sync has just told is numbered, made into deliveries and sent within seconds.
let losses = await findLosses()
for (let waited = 0; losses.eventsLost && waited < LAST_EVENTS_S; waited++) {
  await sleep(1_000)
  losses = await findLosses()
}
writeFileSync(path.join(logs, 'rounds.json'), JSON.stringify({ rounds, losses }, null, 1))
report()
for (const instance of instances) await instance.end()
receiver.close()
postgres.stop()
rmSync(folder, { recursive: true, force: true })

/** From the begin of a minute on, when what is scheduled begins. */
async function oneOutage(kind: Kind, seconds: number, at: number): Promise<Round> {
  const offset = 2_000 + ((at * 700) % 4_000)
  const ofMinute = Date.now() % MINUTE_MS
  // The sync that the last outage waited for has just begun: this one meets it.
  const isBegun = ofMinute < offset
  await sleep(offset - ofMinute + (isBegun ? 0 : MINUTE_MS))
  const ending = instances[at % 2]!
  const endsWhileAway = at % 4 < 2
  const from = Date.now()
  await postgres.goAway(kind)
  const end = async (after: number) => {
    await sleep(after)
    return ending.end()
  }
  const ended = endsWhileAway ? end((seconds * 1000) / 2) : undefined
  await sleep(Math.max(0, from + seconds * 1000 - Date.now()))
  await postgres.comeBack(kind)
  const to = Date.now()
  const endedIn = await (ended ?? end(6_000))
  await ending.start()
  const began = await until('the next due sync', async () => {
    const next = (await syncs()).find(({ createdAt }) => Date.parse(createdAt) > to)
    return next && Date.parse(next.createdAt)
  })
  return {
    ...{ kind, from, to, endedIn, endedWhileAway: endsWhileAway },
    lookupsAfter: lookupsAfter(to),
    syncAfter: began - to,
  }
}

function nextSeconds() {
  random = (random * 16_807) % 2_147_483_647
  return SHORTEST_S + (random % (LONGEST_S - SHORTEST_S + 1))
}

/** Until the last lookup that was not answered, of those sent after the return. */
function lookupsAfter(to: number): number {
  const failed = load.answers.filter(
    ({ kind, at, status }) => kind === 'lookup' && at >= to && status !== 200,
  )
  return failed.length ? failed.at(-1)!.at + failed.at(-1)!.ms - to : 0
}

interface SyncRow {
  ID: number
  status: string
  createdAt: string
}

function syncs() {
  return postgres.query<SyncRow>(
    'SELECT id AS "ID", status, createdat AS "createdAt" FROM restock_syncs ORDER BY id DESC LIMIT 5',
  )
}

function isDone(status: string) {
  return ['succeeded', 'partial'].includes(status)
}

async function waitingDeliveries() {
  const [row] = await postgres.query<{ n: string }>(
    "SELECT count(*) AS n FROM restock_webhookdeliveries WHERE status = 'pending'",
  )
  return Number(row!.n)
}

async function findLosses() {
  const count = async (sql: string) => Number((await postgres.query<{ n: string }>(sql))[0]!.n)
  const events = await postgres.query<{ proposal: string; event: string; n: string }>(
    "SELECT proposal, event, count(*) AS n FROM restock_proposalevents WHERE event IN ('approved', 'rejected') GROUP BY proposal, event",
  )
  const timesOf = new Map(events.map(({ proposal, event, n }) => [`prop_${proposal} ${event}`, +n]))
  const accepted = decisions.decided.filter(({ status }) => status < 300)
  const sent = await postgres.query<{ id: string }>('SELECT id FROM restock_events')
  return {
    decisions: decisions.decided.length,
    accepted: accepted.length,
    decisionsLost: accepted.filter(({ id, event }) => !timesOf.get(`${id} ${event}`)).length,
    decisionsDoubled: events.filter(({ n }) => Number(n) > 1).length,
    proposalsDoubled: await count(
      "SELECT count(*) AS n FROM (SELECT proposal FROM restock_proposalevents WHERE event = 'created' GROUP BY proposal HAVING count(*) > 1) AS d",
    ),
    syncs: await count('SELECT count(*) AS n FROM restock_syncs'),
    syncsFailed: await count("SELECT count(*) AS n FROM restock_syncs WHERE status = 'failed'"),
    events: sent.length,
    eventsLost: sent.filter(({ id }) => !received.has(`evt_${id}`)).length,
    deliveredAgain: [...received.values()].filter((times) => times > 1).length,
  }
}

function answersOf({ from, to }: Round) {
  return load.answers.filter(({ at }) => at >= from && at < to + 30_000)
}

function summary(answers: Answer[]) {
  const statuses: Record<string, number> = {}
  for (const { status } of answers) statuses[status] = (statuses[status] ?? 0) + 1
  const refused = answers.filter(({ status }) => status === 503).map(({ ms }) => ms)
  return {
    statuses: JSON.stringify(statuses),
    longest: Math.max(0, ...answers.map(({ ms }) => ms)),
    refusedWithin: Math.max(0, ...refused),
    withoutRetryAfter: answers.filter((each) => each.status >= 503 && !each.hasRetryAfter).length,
    faults: [
      ...new Set(
        answers.filter(({ status }) => status === 500 || status === 0).map(({ body }) => body),
      ),
    ].slice(0, 3),
  }
}

function report() {
  const seconds = (ms: number) => (ms / 1000).toFixed(1)
  console.log(
    '| outage | times | answers | longest call | 503 within | lookups after | next sync after | SIGTERM |',
  )
  console.log('| --- | --- | --- | --- | --- | --- | --- | --- |')
  for (const [kind, those] of Map.groupBy(rounds, ({ kind }) => kind)) {
    const { statuses, longest, refusedWithin } = summary(those.flatMap(answersOf))
    const most = (of: (round: Round) => number) => seconds(Math.max(...those.map(of)))
    console.log(
      `| ${kind} | ${those.length} | ${statuses} | ${seconds(longest)} | ${seconds(refusedWithin)} | ${most(({ lookupsAfter }) => lookupsAfter)} | ${most(({ syncAfter }) => syncAfter)} | ${most(({ endedIn }) => endedIn)} |`,
    )
  }
  console.log(JSON.stringify(losses))
}

async function until<T>(what: string, holds: () => Promise<T>): Promise<NonNullable<T>> {
  const end = Date.now() + 5 * MINUTE_MS
  while (Date.now() < end) {
    const value = await holds().catch(() => undefined)
    if (value) return value
    await sleep(250)
  }
  throw new Error(`${what} did not come within five minutes`)
}
