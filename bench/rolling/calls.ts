// What a call costs an instance, by kind, while nothing else goes on: see README.md.
//   node bench/rolling/calls.ts [--calls 500] [--series 3000]
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Instance } from '../outages/instance.ts'
import { Postgres } from '../outages/postgres.ts'
import { demandLines, linesPerSku, pairAt, planningLines, writeLines } from '../support/made-up.ts'
import { environmentOf } from './company.ts'

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '500' },
    series: { type: 'string', default: '3000' },
  },
})
const CALLS = Number(values.calls)
const SERIES = Number(values.series)
const DAYS = 200
/** Calls that wait for an answer at a time. */
const AT_ONCE = 8
/** The first calls, which read what is kept afterwards and are not counted. */
const FIRST = 20
const TICKS_A_SECOND = 100

const folder = mkdtempSync(path.join(os.tmpdir(), 'restock-calls-'))
const logs = path.join(import.meta.dirname, 'results')
mkdirSync(logs, { recursive: true })
const write = (name: string, lines: Iterable<string>) =>
  writeLines(path.join(folder, 'made-up'), name, lines)

const random = (below: number) => Math.floor(Math.random() * below)

/** Processor time of a process so far, in ms. */
function cpuOf(pid: number): number {
  const [, fields] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const [user, system] = fields!.split(' ').slice(11, 13)
  return ((Number(user) + Number(system)) * 1000) / TICKS_A_SECOND
}

const postgres = new Postgres({ hasDisk: false })
await postgres.start()
const instance = new Instance(
  'a',
  {
    ...environmentOf(postgres.credentials, folder, { full: 'off', incremental: 'off' }),
    RESTOCK_THREADS: '1',
  },
  path.join(logs, 'calls.log'),
)

async function call(method: string, address: string, body?: object): Promise<never> {
  const { status, json } = await instance.call(method, address, body)
  if (status >= 300) throw new Error(`${method} ${address}: ${status} ${JSON.stringify(json)}`)
  return json
}

async function read() {
  const { id: source }: { id: string } = await call('POST', '/sources', {
    ...{ type: 'csv', account: 'made-up', role: 'reader' },
  })
  await call('POST', `/sources/${source}/sync`, { mode: 'full' })
  const states = { queued: true, running: true } as Record<string, boolean>
  let status = 'queued'
  while (states[status]) {
    await sleep(500)
    const rows = await postgres.query<{ status: string }>('SELECT status FROM restock_syncs')
    status = rows.at(-1)!.status
  }
}

const pending = (limit: number) => `/proposals?status=pending&limit=${limit}`

async function kinds(): Promise<Record<string, () => Promise<unknown>>> {
  const { data }: { data: { id: string }[] } = await call('GET', pending(200))
  const [horizon, lookup] = [28, '/forecasts?horizon=28']
  return {
    lookup: () => {
      const { sku, location } = pairAt(random(SERIES))
      return call('GET', `${lookup}&sku=${sku}&location=${location}`)
    },
    'batch of 50': () => {
      const items = Array.from({ length: 50 }, () => pairAt(random(SERIES)))
      return call('POST', '/forecasts/batch', { items, horizon })
    },
    'list of 50': () => call('GET', pending(50)),
    'list of 1': () => call('GET', pending(1)),
    approval: () => call('POST', `/proposals/${data.pop()!.id}/approve`, {}),
  }
}

try {
  await write('planning.csv', planningLines(SERIES))
  await write('demand.csv', demandLines({ series: SERIES, days: DAYS }, 0))
  const stock = (at: number) => String((at * 3) % 60)
  await write('stock.csv', linesPerSku(SERIES, 'sku,location,on_hand', stock))
  await instance.start()
  await read()
  for (const [kind, run] of Object.entries(await kinds())) {
    for (let first = 0; first < FIRST; first++) await run()
    // What calls leave to be done after them is not theirs.
    await sleep(1_500)
    const calls = kind === 'approval' ? 150 : CALLS
    const [began, before] = [performance.now(), cpuOf(instance.pid)]
    let left = calls
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        while (left-- > 0) await run()
      }),
    )
    const cpu = (cpuOf(instance.pid) - before) / calls
    const seconds = (performance.now() - began) / 1000
    console.log(
      JSON.stringify({ kind, cpu_ms: +cpu.toFixed(1), a_second: Math.round(calls / seconds) }),
    )
  }
} finally {
  await instance.end()
  postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
