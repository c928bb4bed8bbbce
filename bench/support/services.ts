import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

interface Deployment {
  deploy(model: object): { to(db: unknown): Promise<void> }
}

/**
 * Starts the services in this process, without HTTP, and creates the tables of the configured database.
 * CAP is loaded only here, because it reads its configuration when it is loaded.
 */
export async function startServices() {
  process.env.CDS_TYPESCRIPT = 'true'
  const { default: cds } = await import('@sap/cds')
  const { prepareConnections } = await import('../../srv/base/cap/connection-pool.ts')
  const { prepareCounters } = await import('../../srv/base/database/counters.ts')
  cds.root = path.resolve(import.meta.dirname, '../..')
  const model = await cds.load(['db', 'db/sqlite', 'srv'])
  cds.model = cds.compile.for.nodejs(model)
  cds.on('connect', (service) => {
    if (service.name === 'db') prepareConnections(service)
  })
  const db = await cds.connect.to('db')
  await (cds as unknown as Deployment).deploy(model).to(db)
  await cds.serve('all')
  await prepareCounters()
  const stop = () => (db as unknown as { disconnect(): Promise<void> }).disconnect()
  return { cds, stop }
}

/** The same, on a SQLite file that is deleted when the services stop. */
export async function startServicesOnFile(name: string) {
  const folder = mkdtempSync(path.join(os.tmpdir(), `restock-bench-${name}-`))
  process.env.CDS_CONFIG = JSON.stringify({
    requires: { db: { credentials: { url: path.join(folder, 'restock.sqlite') } } },
    restock: { demo: false },
    log: { levels: { deploy: 'warn' } },
  })
  const { cds, stop } = await startServices()
  return {
    cds,
    async stop() {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
