// node bench/audit/run.ts [--events 100000]: see README.md
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'

const { values } = parseArgs({ options: { events: { type: 'string', default: '100000' } } })
const events = Number(values.events)
const folder = mkdtempSync(path.join(os.tmpdir(), 'restock-bench-audit-'))
process.env.CDS_TYPESCRIPT = 'true'
process.env.CDS_CONFIG = JSON.stringify({
  requires: { db: { credentials: { url: path.join(folder, 'restock.sqlite') } } },
  restock: { demo: false },
  log: { levels: { deploy: 'warn' } },
})

const { default: cds } = await import('@sap/cds')
const { prepareConnections } = await import('../../srv/connections.ts')

interface Deploying {
  deploy(model: object): { to(db: unknown): Promise<void> }
}

const CHUNK = 500

async function start() {
  cds.root = path.resolve(import.meta.dirname, '../..')
  const model = await cds.load(['db', 'db/sqlite', 'srv'])
  cds.model = cds.compile.for.nodejs(model)
  cds.on('connect', (service) => {
    if (service.name === 'db') prepareConnections(service as never)
  })
  const db = await cds.connect.to('db')
  await (cds as unknown as Deploying).deploy(model).to(db)
  await cds.serve('all')
}

/** Events as a run of proposals writes them. */
async function write() {
  for (let at = 0; at < events; at += CHUNK) {
    const entries = Array.from({ length: Math.min(CHUNK, events - at) }, (_, index) => ({
      ...{ ID: randomUUID(), proposal: at + index + 1, version: 1, quantity: 120 },
      ...{ at: new Date().toISOString(), actor: 'system', via: 'system', event: 'created' },
      ...{ comment: null, onBehalfOf: null },
    }))
    await cds.tx(() => cds.ql.INSERT.into('restock.ProposalEvents').entries(entries))
  }
}

async function measured(name: string, work: () => Promise<unknown>) {
  const [begun, used] = [performance.now(), process.cpuUsage()]
  await work()
  const seconds = (performance.now() - begun) / 1000
  const { user, system } = process.cpuUsage(used)
  console.log(`| ${name} | ${seconds.toFixed(1)} | ${((user + system) / 1e6).toFixed(1)} |`)
}

try {
  await start()
  const audit = await cds.connect.to('AuditService')
  console.log(`${events} events\n\n| step | seconds | CPU s |\n| ---- | ------- | ----- |`)
  await measured('written', write)
  await measured('sealed', () => audit.send('seal'))
  await measured('verified', () => audit.send('verify', { expected: null }))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
