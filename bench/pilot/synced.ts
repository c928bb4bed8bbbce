// node bench/pilot/synced.ts [--skus 5000] [--days 730] [--workers 2]: see README.md
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs, promisify } from 'node:util'
import axios from 'axios'
import { CLIENT } from '../../sandbox/behaviour.ts'
import { start, waitUntil } from '../sync/processes.ts'

const { values } = parseArgs({
  options: {
    skus: { type: 'string', default: '5000' },
    days: { type: 'string', default: '730' },
    workers: { type: 'string', default: '2' },
  },
})
const folder = mkdtempSync(path.join(os.tmpdir(), 'restock-bench-pilot-'))
const [erpPort, port] = ['4990', '4991']
const erpUrl = `http://localhost:${erpPort}`
const root = path.resolve(import.meta.dirname, '../..')
const keyFile = path.join(root, `.restock/key-${port}`)

const erp = start('sandbox/main.ts', [
  ...['--port', erpPort, '--skus', values.skus, '--days', values.days],
])
const service = start('node_modules/@sap/cds/bin/serve.js', [], {
  CDS_TYPESCRIPT: 'true',
  PORT: port,
  RESTOCK_RATE_LIMIT: 'off',
  CDS_REQUIRES_DB_CREDENTIALS_URL: path.join(folder, 'restock.sqlite'),
  CDS_CONFIG: JSON.stringify({ restock: { demo: 'key' } }),
})

try {
  await waitUntil(async () => (await axios.get<unknown>(`${erpUrl}/__control`)).data, 120)
  await waitUntil(
    async () => (await axios.get<unknown>(`http://localhost:${port}/health`)).data,
    60,
  )
  const key = await waitUntil(async () => readFileSync(keyFile, 'utf8').trim() || undefined, 30)
  const api = axios.create({
    baseURL: `http://localhost:${port}/v1`,
    headers: { authorization: `Bearer ${key}` },
  })
  const source = await api.post<{ id: string }>('/sources', {
    ...{ type: 's4hana', account: erpUrl, role: 'Z_RESTOCK_READ' },
    ...{ client_id: CLIENT.id, client_secret: CLIENT.secret },
    options: { auth: 'basic', concurrency: 4 },
  })
  const sync = await api.post<{ id: string }>(`/sources/${source.data.id}/sync`, { mode: 'full' })
  const seconds = await timed(() =>
    waitUntil(
      async () => {
        const { data } = await api.get<{ finished_at: string | null }>(`/syncs/${sync.data.id}`)
        return data.finished_at ?? undefined
      },
      1800,
      1000,
    ),
  )
  console.log(`synced in ${seconds} s; peak of the service ${service.peakMemory()} MB`)
  const page = path.join(folder, 'pilot.html')
  const command = [
    ...['bin/restock.js', 'pilot', source.data.id],
    ...['--workers', values.workers, '--page', page],
  ]
  const took = await timed(async () => {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, command, {
      ...{ cwd: root, maxBuffer: 64e6 },
      env: { ...process.env, RESTOCK_URL: `http://localhost:${port}`, RESTOCK_API_KEY: key },
    })
    console.log(stderr.slice(-2000), stdout)
  })
  console.log(`pilot in ${took} s; a page of ${readFileSync(page).length} bytes`)
} finally {
  await service.stop()
  await erp.stop()
  rmSync(folder, { recursive: true, force: true })
  rmSync(keyFile, { force: true })
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return Math.round((performance.now() - began) / 1000)
}
