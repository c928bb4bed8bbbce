// Two hundred clients for ten minutes while full runs go on, with a rolling restart in the middle: see README.md.
//   node bench/rolling/crowd.ts [--clients 200] [--minutes 10] [--series 10000] [--days 400]
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Instance } from '../outages/instance.ts'
import { Postgres } from '../outages/postgres.ts'
import { demandLines, linesPerSku, pairAt, planningLines, writeLines } from '../support/made-up.ts'
import { Balancer } from './balancer.ts'
import { countLost, type Decided, environmentOf } from './company.ts'

const { values } = parseArgs({
  options: {
    clients: { type: 'string', default: '200' },
    minutes: { type: 'string', default: '10' },
    series: { type: 'string', default: '10000' },
    days: { type: 'string', default: '400' },
  },
})
const CLIENTS = Number(values.clients)
const MINUTES = Number(values.minutes)
const SERIES = Number(values.series)
const DAYS = Number(values.days)
/** Between two calls of a client, on average. */
const PAUSE_MS = 1_000
const TIMEOUT_MS = 30_000

const folder = mkdtempSync(path.join(os.tmpdir(), 'restock-crowd-'))
const logs = path.join(import.meta.dirname, 'results')
mkdirSync(logs, { recursive: true })
const write = (name: string, lines: Iterable<string>) =>
  writeLines(path.join(folder, 'made-up'), name, lines)

/** Demand of the last day and stock differ from turn to turn, so that each run has all to do. */
async function turnTo(turn: number) {
  await write('demand.csv', demandLines({ series: SERIES, days: DAYS }, (turn % 2) * SERIES))
  const stock = (at: number) => String((at * (3 + (turn % 5))) % 60)
  await write('stock.csv', linesPerSku(SERIES, 'sku,location,on_hand', stock))
}

const postgres = new Postgres({ hasDisk: false })
await postgres.start()
const { credentials } = postgres
const environment = {
  ...environmentOf(credentials, folder, { full: 'off', incremental: 'off' }),
  RESTOCK_THREADS: '1',
}
const instances = ['a', 'b'].map(
  (name) => new Instance(name, environment, path.join(logs, `crowd-${name}.log`)),
)

interface Answer {
  kind: string
  status: number
  ms: number
  at: number
  body: string
}

const answers: Answer[] = []
const decided: Decided[] = []
let isOn = true

const random = (below: number) => Math.floor(Math.random() * below)

/** Seconds in which the balancer knew of no ready instance. */
let withoutAny = 0

async function anyReady() {
  for (;;) {
    const ready = instances.filter((instance) => balancer.sendsTo(instance))
    if (ready.length) return ready[random(ready.length)]!
    await sleep(100)
  }
}

/** Sends a call to one of the instances that the balancer knows to be ready. */
async function send(kind: string, method: string, address: string, body?: object) {
  const instance = await anyReady()
  const at = Date.now()
  const began = performance.now()
  const note = (status: number, text: string) => {
    const kept = status === 200 ? '' : text.slice(0, 200)
    answers.push({ kind, status, at, ms: performance.now() - began, body: kept })
  }
  try {
    const response = await fetch(`${instance.url}/v1${address}`, {
      method,
      headers: {
        Authorization: `Bearer ${instance.key}`,
        ...(body && { 'Content-Type': 'application/json' }),
      },
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const text = await response.text()
    note(response.status, text)
    return { status: response.status, json: JSON.parse(text || 'null') as never }
  } catch (error) {
    note(0, String((error as Error).cause ?? error))
    return
  }
}

async function decide() {
  const list = await send('list', 'GET', '/proposals?status=pending&limit=100')
  const { data = [] } = (list?.json ?? {}) as { data?: { id: string }[] }
  const { id } = data[random(data.length)] ?? {}
  if (!id) return
  const isApproved = Math.random() < 0.5
  const answer = isApproved
    ? await send('decision', 'POST', `/proposals/${id}/approve`, {})
    : await send('decision', 'DELETE', `/proposals/${id}?reason=too_much`)
  if (answer && answer.status < 300)
    decided.push({ id, event: isApproved ? 'approved' : 'rejected' })
}

async function act() {
  const horizon = [7, 14, 28, 90][random(4)]
  const dice = Math.random()
  if (dice < 0.65) {
    const { sku, location } = pairAt(random(SERIES))
    const address = `/forecasts?sku=${sku}&location=${location}&horizon=${horizon}`
    await send('lookup', 'GET', address)
  } else if (dice < 0.75) {
    const items = Array.from({ length: 50 }, () => pairAt(random(SERIES)))
    await send('batch', 'POST', '/forecasts/batch', { items, horizon })
  } else if (dice < 0.95) await send('list', 'GET', '/proposals?status=pending&limit=50')
  else await decide()
}

async function client() {
  await sleep(random(PAUSE_MS))
  while (isOn) {
    await act()
    await sleep(random(2 * PAUSE_MS))
  }
}

interface Sync {
  status: string
}

/** One full run after the other. */
async function runOn(source: string) {
  const took: number[] = []
  for (let turn = 1; isOn; turn++) {
    await turnTo(turn)
    const began = performance.now()
    const { status, json } = await (
      await anyReady()
    ).call('POST', `/sources/${source}/sync`, { mode: 'full' })
    if (status >= 300) throw new Error(JSON.stringify(json))
    await untilItEnds((json as { id: string }).id)
    took.push((performance.now() - began) / 1000)
  }
  return took
}

async function untilItEnds(id: string) {
  for (;;) {
    const where = `id = ${id.replace(/\D/g, '')}`
    const [sync] = await postgres.query<Sync>(`SELECT status FROM restock_syncs WHERE ${where}`)
    if (!['queued', 'running'].includes(sync!.status)) {
      if (sync!.status !== 'succeeded') console.log(JSON.stringify(sync))
      return
    }
    await sleep(500)
  }
}

const memory = (pid: number) =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024)

const percentile = (sorted: number[], share: number) =>
  Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? NaN)

function tell(what: string, from: number, to: number) {
  const of = answers.filter(({ at }) => at >= from && at < to)
  for (const [kind, these] of Map.groupBy(of, ({ kind }) => kind)) {
    const ms = these.map((answer) => answer.ms).sort((a, b) => a - b)
    const statuses = Object.fromEntries(
      [...Map.groupBy(these, ({ status }) => status)].map(([status, all]) => [status, all.length]),
    )
    const [p50, p99, longest] = [0.5, 0.99, 1].map((share) => percentile(ms, share))
    console.log(JSON.stringify({ what, kind, calls: ms.length, statuses, p50, p99, longest }))
  }
}

const balancer = new Balancer(instances)
try {
  await write('planning.csv', planningLines(SERIES))
  await turnTo(0)
  for (const instance of instances) await instance.start()
  for (const instance of instances) await balancer.untilItSendsTo(instance)
  const wish = { type: 'csv', account: 'made-up', role: 'reader' }
  const source = ((await instances[0]!.call('POST', '/sources', wish)).json as { id: string }).id
  const first = await instances[0]!.call('POST', `/sources/${source}/sync`, { mode: 'full' })
  await untilItEnds((first.json as { id: string }).id)

  const watching = setInterval(() => {
    if (!instances.some((instance) => balancer.sendsTo(instance))) withoutAny += 0.1
  }, 100)
  const running = runOn(source)
  // What fails there is thrown below, once all else has ended.
  running.catch(() => {})
  const began = Date.now()
  const clients = Array.from({ length: CLIENTS }, client)
  const parts = [began]
  for (let minute = 1; minute <= MINUTES; minute++) {
    if (minute === Math.ceil(MINUTES / 2) + 1) {
      tell('before the restart', began, Date.now())
      parts.push(Date.now())
      for (const instance of instances) {
        await instance.end()
        await instance.start()
        await balancer.untilItSendsTo(instance)
      }
      tell('restart', parts[1]!, Date.now())
      parts.push(Date.now())
    }
    await sleep(Math.max(0, began + minute * 60_000 - Date.now()))
    console.log(JSON.stringify({ minute, MB: instances.map(({ pid }) => memory(pid)) }))
  }
  isOn = false
  clearInterval(watching)
  await Promise.all(clients)
  tell('after the restart', parts[2]!, Date.now())
  tell('all', began, Date.now())
  const unexpected = answers.filter(({ status }) => status === 0 || status >= 500)
  const bodies = Map.groupBy(
    answers.filter(({ status }) => status === 0 || status >= 300),
    ({ kind, status, body }) => `${kind} ${status} ${/"code":"(\w+)"/.exec(body)?.[1] ?? body}`,
  )
  for (const [what, { length }] of bodies) console.log(length, what)
  const lost = await countLost(postgres, decided)
  const runs = (await running).map((seconds) => Math.round(seconds))
  console.log(
    JSON.stringify({
      runs,
      decisions: decided.length,
      lost,
      unexpected: unexpected.length,
      withoutAny,
    }),
  )
  if (lost + unexpected.length) process.exitCode = 1
} finally {
  isOn = false
  balancer.close()
  await Promise.allSettled(instances.map((instance) => instance.end()))
  postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
