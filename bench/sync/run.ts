// node bench/sync/run.ts [--skus 50000] [--days 730] [--purchase-orders auto]: see README.md
import { execFileSync } from 'node:child_process'
import { statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parseArgs } from 'node:util'
import { CLIENT } from '../../sandbox/behaviour.ts'
import { waitUntil } from './processes.ts'
import { startWithSandbox } from './sandbox.ts'
import { type BySet, printTraffic } from './traffic.ts'

const { values } = parseArgs({
  options: {
    skus: { type: 'string', default: '50000' },
    days: { type: 'string', default: '730' },
    'purchase-orders': { type: 'string', default: 'auto' },
  },
})
const SUNDAY = 0
/** Latency per page of a remote or busy ERP. */
const LATENCY_MS = 300
/** Ten questions a second would be a twentieth of the service's CPU. */
const ASK_EVERY_MS = 1_000
const { folder, database, api, source, service, erp, erpUrl, control, stop } =
  await startWithSandbox(values, { purchase_orders: values['purchase-orders'] })

interface Sync {
  id: string
  status: string
  phase: string
  counts: { read: number; upserted: number; deleted: number }
  started_at: string
  finished_at: string
  issues: unknown[]
}

try {
  await control.post('/__control', { clearLog: true })
  const full = await run('full')
  const paths = await loggedPaths()
  console.log('full', row(full), phasesOf(full))
  const floor = runFloor(paths)
  console.log('floor', floor)
  // The next day must be a weekday, because on Sundays almost nothing is sold.
  const days = new Date().getUTCDay() === SUNDAY ? 2 : 1
  await control.post('/__control', { advance: days, clearLog: true })
  const later = await run('incremental')
  console.log('incremental', row(later), phasesOf(later), later.traffic)
  await control.post('/__control', { advance: 1, clearLog: true, set: { latencyMs: LATENCY_MS } })
  const slow = await run('incremental')
  print(full, floor, later, slow)
  printTraffic({ full: full.traffic, incremental: later.traffic, slow: slow.traffic })

  async function run(mode: 'full' | 'incremental') {
    const { data } = await api.post<{ id: string }>(`/sources/${source}/sync`, { mode })
    const cpu = service.cpuSeconds()
    const sync = await waitUntil(
      async () => {
        const { data: seen } = await api.get<Sync>(`/syncs/${data.id}`)
        return seen.finished_at ? seen : undefined
      },
      1800,
      ASK_EVERY_MS,
    )
    const { traffic } = (await control.get<{ traffic: BySet }>('/__control')).data
    return { sync, memory: service.peakMemory(), cpu: service.cpuSeconds() - cpu, traffic }
  }
} finally {
  await stop()
}

/** The paths that the full sync requested. */
async function loggedPaths(): Promise<string[]> {
  interface Entry {
    status: number
    data: boolean
    path: string
    query: string
  }
  const { data: log } = await control.get<Entry[]>('/__control/log')
  return log
    .filter((entry) => entry.data && entry.status === 200)
    .map((each) => each.path + each.query)
}

type Floor = { seconds: number; cpu: number; rows: number }

function runFloor(paths: string[]): Floor {
  const file = path.join(folder, 'paths.txt')
  writeFileSync(file, paths.join('\n'))
  const basic = `Basic ${Buffer.from(`${CLIENT.id}:${CLIENT.secret}`).toString('base64')}`
  const script = path.join(import.meta.dirname, 'floor.ts')
  const args = [script, erpUrl, basic, file, path.join(folder, 'floor.sqlite')]
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as Floor
}

type Measured = { sync: Sync; memory: number; cpu: number; traffic: BySet }

function secondsOf({ started_at, finished_at }: Sync) {
  return (Date.parse(finished_at) - Date.parse(started_at)) / 1000
}

function print(full: Measured, floor: Floor, later: Measured, slow: Measured) {
  const seconds = secondsOf(full.sync)
  console.log(`${values.skus} SKUs, ${values.days} days`)
  console.table({
    'full sync': row(full),
    floor: { seconds: round(floor.seconds), 'CPU s': round(floor.cpu), rows: floor.rows },
    'incremental, a day later': row(later),
    [`the same, ${LATENCY_MS} ms a page`]: row(slow),
  })
  const ratio = seconds / floor.seconds
  console.log(`full / floor = ${ratio.toFixed(2)}, in CPU ${(full.cpu / floor.cpu).toFixed(2)}`)
  console.log(`incremental: ${phasesOf(later)}; slow: ${phasesOf(slow)}`)
  console.log(`the sandbox's peak: ${erp.peakMemory()} MB`)
  console.log(`database ${Math.round(statSync(database).size / 1e6)} MB; ${phasesOf(full)}`)
}

function round(value: number) {
  return Math.round(value * 10) / 10
}

function row({ sync, memory, cpu }: Measured) {
  return {
    seconds: round(secondsOf(sync)),
    'CPU s': round(cpu),
    rows: sync.counts.read,
    status: sync.status,
    'peak MB': memory,
    issues: sync.issues.length,
  }
}

/** Phases by the service's own timestamps, because polls of a busy service are late. */
function phasesOf({ sync }: Measured) {
  const db = new DatabaseSync(database, { readOnly: true })
  const row = db.prepare('SELECT phases FROM restock_Syncs WHERE ID = ?').get(sync.id.slice(5))
  db.close()
  const begun = JSON.parse(String(row?.phases)) as { phase: string; startedAt: string }[]
  return begun
    .map(({ phase, startedAt }, index) => {
      const end = begun[index + 1]?.startedAt ?? sync.finished_at
      return `${phase} ${round((Date.parse(end) - Date.parse(startedAt)) / 1000)} s`
    })
    .join(', ')
}
