// What becomes of a run when its instance ends: by SIGTERM in the middle of its forecasts, and by SIGKILL while another one lives.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { CLIENT, startErp } from '../../sandbox/index.ts'
import { launchPostgres } from '../../test/support/databases/launch-postgres.ts'
import { Instance } from '../../test/support/instance.ts'

const { values } = parseArgs({
  options: { kills: { type: 'string', default: '10' }, terms: { type: 'string', default: '3' } },
})
const SERIES = 2_000
const DAYS = 400

const { server, port } = await launchPostgres()
const folder = mkdtempSync(path.join(os.tmpdir(), 'restock-takeover-'))
const credentials = { host: '127.0.0.1', port, user: 'restock', password: 'restock' }
const admin = new pg.Client({ ...credentials, database: 'postgres' })
await admin.connect()
await admin.query('CREATE DATABASE takeover')
await admin.end()
const db = { kind: 'postgres', model: null, impl: '@cap-js/postgres' }
const schedules = { full: 'off', incremental: 'off' }
process.env.CDS_CONFIG = JSON.stringify({
  requires: { db: { ...db, credentials: { ...credentials, database: 'takeover' } } },
  restock: { schedules },
})
process.env.RESTOCK_CSV_ROOT = folder
process.env.RESTOCK_RATE_LIMIT = 'off'

const client = new pg.Client({ ...credentials, database: 'takeover' })
const rowOf = async (sync: string) => {
  const sql = 'SELECT owner, phase, done, status FROM restock_syncs WHERE id = $1'
  const { rows } = await client.query(sql, [Number(sync.slice(5))])
  return rows[0] as { owner: string | null; phase: string; done: string; status: string }
}
const seconds = (since: number) => ((performance.now() - since) / 1000).toFixed(1)

async function until(holds: () => Promise<boolean>) {
  while (!(await holds())) await sleep(50)
}

/** Demand of different levels, with gaps. */
function writeDemand() {
  const lines = ['sku,location,date,quantity']
  for (let sku = 0; sku < SERIES; sku++)
    for (let day = DAYS; day > 0; day--) {
      const quantity = (sku * 7 + day * day) % (3 + (sku % 11))
      const date = new Date(Date.now() - day * 86_400_000).toISOString().slice(0, 10)
      if (quantity) lines.push(`S${sku},L1,${date},${quantity}`)
    }
  mkdirSync(path.join(folder, 'made-up'))
  writeFileSync(path.join(folder, 'made-up', 'demand.csv'), lines.join('\n'))
}

writeDemand()
let instance = await Instance.start()
await client.connect()
const csv = { type: 'csv', account: 'made-up', role: 'reader' }
const made = (await instance.call('POST', '/sources', csv)).json as { id: string }
for (let i = 0; i < Number(values.terms); i++) {
  const { json } = await instance.call('POST', `/sources/${made.id}/sync`, { mode: 'full' })
  const { id } = json as { id: string }
  await until(async () => (await rowOf(id)).phase === 'forecasting')
  await sleep(300)
  const began = performance.now()
  const code = await instance.end('SIGTERM')
  const { phase, done } = await rowOf(id)
  console.log(`SIGTERM: exit ${code} after ${seconds(began)} s, in ${phase} at ${done}`)
  instance = await Instance.start()
  await until(async () => !['queued', 'running'].includes((await rowOf(id)).status))
}

const erp = await startErp({ size: 40, days: 40 })
const s4 = {
  ...{ type: 's4hana', account: erp.url, role: 'Z_RESTOCK_READ' },
  ...{ client_id: CLIENT.id, client_secret: CLIENT.secret },
  options: { auth: 'basic', page_size: 10, document_page_size: 5 },
}
const slow = (await instance.call('POST', '/sources', s4)).json as { id: string }
let other = await Instance.start()
for (let i = 0; i < Number(values.kills); i++) {
  erp.control.clearLog()
  erp.control.fault({ kind: 'slow', delayMs: 30_000, match: 'A_MaterialDocument', times: null })
  const { json } = await instance.call('POST', `/sources/${slow.id}/sync`, { mode: 'full' })
  const { id } = json as { id: string }
  await until(async () => erp.log.some(({ fault }) => fault === 'slow'))
  await sleep(Math.random() * 3_000)
  const { owner } = await rowOf(id)
  const began = performance.now()
  await instance.end('SIGKILL')
  await until(async () => (await rowOf(id)).owner !== owner)
  console.log(`SIGKILL: taken over after ${seconds(began)} s`)
  await other.call('POST', `/syncs/${id}/cancel`)
  erp.control.clearFaults()
  await until(async () => !['queued', 'running'].includes((await rowOf(id)).status))
  instance = other
  other = await Instance.start()
}

for (const each of [instance, other]) await each.end()
await erp.close()
await client.end()
await server.stop()
rmSync(folder, { recursive: true, force: true })
