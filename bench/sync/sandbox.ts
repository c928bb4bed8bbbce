// A service with a sandbox ERP beside it, each a process of its own, connected and not yet read.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import axios from 'axios'
import { CLIENT } from '../../sandbox/behaviour.ts'
import { start, waitUntil } from './processes.ts'

const [erpPort, port] = ['4990', '4991']
const keyFile = path.resolve(import.meta.dirname, `../../.restock/key-${port}`)

/** @param options of the connection, beside how it signs in and how much it reads at a time */
export async function startWithSandbox(size: { skus: string; days: string }, options: object = {}) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'restock-bench-sync-'))
  const [erpUrl, url] = [erpPort, port].map((each) => `http://localhost:${each}`) as [
    string,
    string,
  ]
  const database = path.join(folder, 'restock.sqlite')
  // The server may close a kept-alive connection during a long sync.
  const control = axios.create({ baseURL: erpUrl, headers: { connection: 'close' } })
  const erp = start('sandbox/main.ts', [
    ...['--port', erpPort, '--skus', size.skus, '--days', size.days],
  ])
  const service = start('node_modules/@sap/cds/bin/serve.js', [], {
    CDS_TYPESCRIPT: 'true',
    PORT: port,
    RESTOCK_RATE_LIMIT: 'off',
    CDS_REQUIRES_DB_CREDENTIALS_URL: database,
    CDS_CONFIG: JSON.stringify({ restock: { demo: 'key' } }),
    // Like `npm start`.
    NODE_OPTIONS: '--max-semi-space-size=16',
    MALLOC_ARENA_MAX: '2',
    MALLOC_MMAP_THRESHOLD_: '1048576',
  })

  async function stop() {
    await service.stop()
    await erp.stop()
    rmSync(folder, { recursive: true, force: true })
    rmSync(keyFile, { force: true })
  }

  try {
    await waitUntil(async () => (await control.get<unknown>('/__control')).data, 120)
    await waitUntil(async () => (await axios.get<unknown>(`${url}/health`)).data, 60)
    const key = await waitUntil(async () => readFileSync(keyFile, 'utf8').trim() || undefined, 30)
    const api = axios.create({
      baseURL: `${url}/v1`,
      headers: { authorization: `Bearer ${key}` },
    })
    const { data: source } = await api.post<{ id: string }>('/sources', {
      ...{ type: 's4hana', account: erpUrl, role: 'Z_RESTOCK_READ' },
      ...{ client_id: CLIENT.id, client_secret: CLIENT.secret },
      options: { auth: 'basic', concurrency: 4, ...options },
    })
    return {
      folder,
      database,
      url,
      key,
      api,
      source: source.id,
      service,
      erp,
      erpUrl,
      control,
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}
