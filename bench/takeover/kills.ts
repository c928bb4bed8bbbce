// node bench/takeover/kills.ts [--kills 50] [--series 1500] [--days 200]: instances killed at any moment, see README.md.
import { createHash, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { launchPostgres } from '../../test/support/databases/launch-postgres.ts'
import { Instance } from '../../test/support/instance.ts'
import { Receiver } from '../../test/srv/webhooks/receiver.ts'
import { demandLines, linesPerSku, planningLines, writeLines } from '../support/made-up.ts'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '50' },
    series: { type: 'string', default: '1500' },
    days: { type: 'string', default: '200' },
  },
})
const KILLS = Number(values.kills)
const SERIES = Number(values.series)
const DAYS = Number(values.days)
/** Between two decisions, so that proposals are left for all runs. */
const PAUSE = 400
/** After the end of a run its events are delivered. */
const DELIVERING = 5_000

const { server, port } = await launchPostgres()
const folder = mkdtempSync(path.join(os.tmpdir(), 'restock-kills-'))
const credentials = { host: '127.0.0.1', port, user: 'restock', password: 'restock' }
const admin = new pg.Client({ ...credentials, database: 'postgres' })
await admin.connect()
await admin.query('CREATE DATABASE kills')
await admin.end()
const db = { kind: 'postgres', model: null, impl: '@cap-js/postgres' }
process.env.CDS_CONFIG = JSON.stringify({
  requires: { db: { ...db, credentials: { ...credentials, database: 'kills' } } },
  restock: { schedules: { full: 'off', incremental: 'off' } },
})
process.env.RESTOCK_CSV_ROOT = folder
process.env.RESTOCK_RATE_LIMIT = 'off'
process.env.RESTOCK_THREADS = '1'
process.env.RESTOCK_WEBHOOKS_ALLOW_PRIVATE = 'true'
process.env.RESTOCK_ENCRYPTION_KEY = Buffer.alloc(32, 7).toString('base64')

const client = new pg.Client({ ...credentials, database: 'kills' })
async function rows<T extends pg.QueryResultRow>(sql: string, args: unknown[] = []): Promise<T[]> {
  return (await client.query<T>(sql, args)).rows
}

const write = (name: string, lines: Iterable<string>) =>
  writeLines(path.join(folder, 'made-up'), name, lines)

/** One of two states of the company: demand of the last day and stock differ, so each run has all to do. */
async function turnTo(state: number) {
  await write('demand.csv', demandLines({ series: SERIES, days: DAYS }, state * SERIES))
  const stock = (at: number) => String((at * (3 + state)) % 60)
  await write('stock.csv', linesPerSku(SERIES, 'sku,location,on_hand', stock))
}

interface Sync {
  status: string
  phase: string
}
const syncOf = async (ID: number) =>
  (await rows<Sync>('SELECT status, phase FROM restock_syncs WHERE id = $1', [ID]))[0]!
const isOver = ({ status }: Sync) => status !== 'queued' && status !== 'running'

const digest = (lines: object[]) =>
  createHash('sha256')
    .update(lines.map((line) => JSON.stringify(line)).join())
    .digest('hex')
    .slice(0, 12)

const forecasts = async () =>
  digest(
    await rows(
      'SELECT s.sku, s.location, f.asof, f.model FROM restock_forecasts f JOIN restock_series s ON s.id = f.series ORDER BY 1, 2',
    ),
  )

const instances: Instance[] = []
const receiver = await new Receiver().start()
let key: string

const anyInstance = () => instances[Math.floor(Math.random() * instances.length)]!

async function call(method: string, address: string, body?: object, once?: string) {
  const response = await fetch(`${anyInstance().url}/v1${address}`, {
    method,
    headers: {
      Authorization: `Bearer ${key}`,
      ...(body && { 'Content-Type': 'application/json' }),
      ...(once && { 'Idempotency-Key': once }),
    },
    body: body && JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  })
  const text = await response.text()
  return { status: response.status, json: (text ? JSON.parse(text) : null) as never }
}

/** Repeats a call, under the same key, until an instance answers it. */
async function insist(method: string, address: string, body?: object) {
  const once = method === 'POST' ? randomUUID() : undefined
  for (;;) {
    const answer = await call(method, address, body, once).catch(() => undefined)
    if (answer && answer.status < 500 && answer.status !== 429 && !isRunning(answer)) return answer
    await sleep(200)
  }
}
const isRunning = ({ json }: { json: { error?: { code: string } } | null }) =>
  json?.error?.code === 'request_in_progress'

interface Decision {
  proposal: number
  event: string
}

/** A buyer who approves and rejects one proposal after another, until told to stop. */
class Buyer {
  readonly decisions: Decision[] = []
  #isAtWork = true
  readonly #work = this.#decide()

  async #decide() {
    while (this.#isAtWork) {
      const list = await insist('GET', '/proposals?status=pending&limit=20')
      const { data } = list.json as { data: { id: string }[] }
      for (const { id } of data.toSorted(() => Math.random() - 0.5).slice(0, 5)) {
        if (!this.#isAtWork) return
        await sleep(PAUSE)
        const isApproved = Math.random() < 0.5
        const { status } = isApproved
          ? await insist('POST', `/proposals/${id}/approve`)
          : await insist('POST', `/proposals/${id}/reject`, { reason: 'other', comment: 'no need' })
        const event = isApproved ? 'approved' : 'rejected'
        if (status === 200) this.decisions.push({ proposal: Number(id.slice(5)), event })
      }
      await sleep(50)
    }
  }

  async stop() {
    this.#isAtWork = false
    await this.#work
    return this.decisions
  }
}

/** What must hold after a run, whatever was killed; each fault in words. */
async function* faults(expected: string, decisions: Decision[]) {
  const came = await forecasts()
  if (came !== expected) yield `forecasts ${came} instead of ${expected}`
  const twice = await rows(
    "SELECT series FROM restock_proposals WHERE status = 'pending' GROUP BY series, kind HAVING count(*) > 1",
  )
  if (twice.length) yield `${twice.length} pairs have two proposals`
  const chunks = await rows('SELECT place FROM restock_runchunks')
  if (chunks.length) yield `${chunks.length} chunks are left`
  for (const { proposal, event } of decisions) {
    const found = await rows(
      'SELECT id FROM restock_proposalevents WHERE proposal = $1 AND event = $2',
      [proposal, event],
    )
    if (found.length !== 1) yield `proposal ${proposal} was ${event} ${found.length} times`
  }
  const unheard = await undelivered()
  if (unheard.length) yield `${unheard.length} events were not delivered`
  const { json } = await insist('GET', '/audit/verification')
  if (!(json as { valid: boolean }).valid) yield `audit: ${JSON.stringify(json)}`
}

/** Events that the receiver has not heard of. */
async function undelivered() {
  const heard = new Set(receiver.heard.map(({ id }) => id))
  const events = await rows<{ id: string }>('SELECT id FROM restock_events')
  return events.filter(({ id }) => !heard.has(`evt_${id}`))
}

/** Waits for the deliveries, for a time. */
async function delivered() {
  for (const end = Date.now() + 60_000; Date.now() < end; await sleep(500))
    if (!(await undelivered()).length) return
}

/** Runs a full sync beside a buyer. @param kill after so many ms, none: nothing is killed */
async function run(state: number, source: string, kill?: number) {
  await turnTo(state)
  const buyer = new Buyer()
  const { json } = await insist('POST', `/sources/${source}/sync`, { mode: 'full' })
  const ID = Number((json as { id: string }).id.slice(5))
  const began = performance.now()
  let killedIn = ''
  const killing =
    kill !== undefined &&
    sleep(kill).then(async () => {
      const { status, phase } = await syncOf(ID)
      killedIn = status === 'running' ? phase : status
      const at = Math.floor(Math.random() * instances.length)
      const [victim] = instances.splice(at, 1)
      await victim!.end('SIGKILL')
      instances.push(await Instance.start())
    })
  while (!isOver(await syncOf(ID))) await sleep(50)
  const took = performance.now() - began
  await killing
  const decisions = await buyer.stop()
  await delivered()
  return { took, decisions, killedIn, status: (await syncOf(ID)).status }
}

try {
  instances.push(await Instance.start())
  key = await instances[0]!.key()
  await client.connect()
  await write('planning.csv', planningLines(SERIES))
  await write('supplier_terms.csv', ['supplier,minimum_order_value', 'V0,500', 'V1,500'])
  await turnTo(0)
  await insist('POST', '/webhooks', { url: receiver.url })
  const made = await insist('POST', '/sources', { type: 'csv', account: 'made-up', role: 'reader' })
  const source = (made.json as { id: string }).id
  await run(0, source)
  instances.push(await Instance.start())
  const expected: string[] = []
  const usual: number[] = []
  for (const state of [1, 0]) {
    const { took } = await run(state, source)
    usual[state] = took
    expected[state] = await forecasts()
    console.log(`without a kill: ${(took / 1000).toFixed(1)} s`)
  }
  let failed = 0
  let decided = 0
  const late: number[] = []
  for (let at = 0; at < KILLS; at++) {
    const state = (at + 1) % 2
    const wanted = 2 + (at % 3)
    while (instances.length < wanted) instances.push(await Instance.start())
    while (instances.length > wanted) await instances.shift()!.end('SIGTERM')
    const kill = Math.random() * (usual[state]! + DELIVERING)
    const { took, decisions, killedIn, status } = await run(state, source, kill)
    const found: string[] = []
    for await (const fault of faults(expected[state]!, decisions)) found.push(fault)
    if (status !== 'succeeded') found.push(`the run has ${status}`)
    if (found.length) failed++
    decided += decisions.length
    late.push((took - usual[state]!) / 1000)
    console.log(
      `${at + 1}: ${wanted} instances, killed after ${(kill / 1000).toFixed(1)} s in ${killedIn}, over after ${(took / 1000).toFixed(1)} s, ${decisions.length} decisions, ${found.join('; ') || 'nothing wrong'}`,
    )
  }
  late.sort((a, b) => a - b)
  console.log(
    `${KILLS} kills, ${failed} with a fault, ${decided} decisions, ${receiver.heard.length} deliveries, later by ${late[KILLS >> 1]!.toFixed(1)} s in the middle and ${late.at(-1)!.toFixed(1)} s at most`,
  )
} finally {
  for (const instance of instances) await instance.end('SIGKILL')
  await client.end()
  await receiver.stop()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}
