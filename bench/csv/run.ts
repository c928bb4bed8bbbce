// node bench/csv/run.ts [rows]: a large demand.csv, read alone, synced, and synced again after one row has changed.
import {
  createWriteStream,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { readFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { once } from 'node:events'
import { type Running, start, waitUntil } from '../sync/processes.ts'

const rows = Number(process.argv[2] ?? 5_000_000)
const PAIRS = 5_000
const PORT = 4873
const folder = mkdtempSync(path.join(os.tmpdir(), 'restock-bench-csv-'))
const account = path.join(folder, 'data/large')
const file = path.join(account, 'demand.csv')
const today = Math.floor(Date.now() / 86_400_000)
const dayOf = (day: number) => new Date(day * 86_400_000).toISOString().slice(0, 10)

/** Every pair on every day, in the order of days as exports have it. */
async function writeFileOf(count: number): Promise<void> {
  mkdirSync(account, { recursive: true })
  const out = createWriteStream(file)
  out.write('sku,location,date,quantity\n')
  const days = Math.ceil(count / PAIRS)
  let lines: string[] = []
  for (let row = 0; row < count; row++) {
    const pair = row % PAIRS
    const day = Math.floor(row / PAIRS)
    const quantity = ((row * 2654435761) >>> 20) % 9
    lines.push(
      `SKU-${pair % 1000},L${Math.floor(pair / 1000)},${dayOf(today - days + day)},${quantity}\n`,
    )
    if (lines.length < 10_000 && row + 1 < count) continue
    if (!out.write(lines.join(''))) await once(out, 'drain')
    lines = []
  }
  out.end()
  await once(out, 'finish')
}

/** Changes the quantity of the first row, in place. */
async function changeOneRow(): Promise<void> {
  const head = (await readFile(file)).subarray(0, 200).toString()
  const at = head.indexOf('\n', head.indexOf('\n') + 1) - 1
  const digit = head[at] === '5' ? '6' : '5'
  writeSync(openSync(file, 'r+'), digit, at)
}

interface Sync {
  id: string
  status: string
  counts: { read: number; upserted: number; unchanged: number }
}

async function call<T>(key: string, method: string, at: string, body?: object): Promise<T> {
  const answer = await fetch(`http://127.0.0.1:${PORT}/v1${at}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  return (await answer.json()) as T
}

async function timed(service: Running, key: string, source: string, mode: string) {
  const [from, cpu] = [Date.now(), service.cpuSeconds()]
  const { id } = await call<Sync>(key, 'POST', `/sources/${source}/sync`, { mode })
  const phases: Record<string, number> = {}
  const sync = await waitUntil(
    async () => {
      const now = await call<Sync & { phase: string }>(key, 'GET', `/syncs/${id}`)
      phases[now.phase] ??= (Date.now() - from) / 1000
      return /queued|running/.test(now.status) ? undefined : now
    },
    1200,
    250,
  )
  console.log(
    JSON.stringify({
      ...{ mode, status: sync.status, seconds: (Date.now() - from) / 1000 },
      ...{ cpuSeconds: service.cpuSeconds() - cpu, peakMB: service.peakMemory() },
      ...{ counts: sync.counts, phases },
    }),
  )
}

try {
  await writeFileOf(rows)
  console.log(`${rows} rows, ${Math.round(statSync(file).size / 1e6)} MB`)
  const reader = start('bench/csv/read.ts', [path.join(folder, 'data')])
  let told = ''
  reader.process.stdout!.on('data', (text) => (told += text))
  await once(reader.process, 'exit')
  console.log(told.trim())
  const service = start('node_modules/@sap/cds/bin/serve.js', [], {
    ...{
      PORT: String(PORT),
      CDS_TYPESCRIPT: 'true',
      RESTOCK_DEMO: 'key',
      RESTOCK_RATE_LIMIT: 'off',
    },
    ...{ RESTOCK_CSV_ROOT: path.join(folder, 'data'), CDS_RESTOCK_SCHEDULES_FULL: 'off' },
    ...{ CDS_RESTOCK_SCHEDULES_INCREMENTAL: 'off', CDS_RESTOCK_SCHEDULES_HOUSEKEEPING: 'off' },
    CDS_REQUIRES_DB_CREDENTIALS_URL: path.join(folder, 'restock.sqlite'),
    ...{ MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '1048576' },
    NODE_OPTIONS: '--max-semi-space-size=16',
  })
  try {
    const key = await waitUntil(async () => {
      const text = await readFile(`.restock/key-${PORT}`, 'utf8')
      await call(text.trim(), 'GET', '/sources')
      return text.trim()
    }, 60)
    const body = { type: 'csv', account: 'large' }
    const { id } = await call<{ id: string }>(key, 'POST', '/sources', body)
    await timed(service, key, id, 'full')
    await timed(service, key, id, 'incremental')
    await changeOneRow()
    await timed(service, key, id, 'incremental')
  } finally {
    await service.stop()
    rmSync(`.restock/key-${PORT}`, { force: true })
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
