// A real Tryton on SQLite in a temporary folder, filled by erp.py.
import { spawn, spawnSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../support/free-port.ts'

const MODULES = [
  ...['ir', 'res', 'stock_supply', 'sale', 'purchase', 'sale_supply', 'product_kit', 'production'],
]
const DATABASE = 'erp'
const START_MS = 60_000

/** By warehouse and SKU, and of demand by day in between. */
export interface Figures {
  onHand: Record<string, Record<string, number>>
  /** On hand when all open moves have been done. */
  forecast: Record<string, Record<string, number>>
  demand: Record<string, Record<string, Record<string, number>>>
  onOrder: [warehouse: string, sku: string, quantity: number][]
  terms: Record<string, Terms>
  moves: number
}

/** How a SKU is bought, by what Tryton's own requests and purchases take; quantities in its own unit. */
export interface Terms {
  supplier: string
  leadTimeDays: number
  /** What orders are a multiple of. */
  step: number
  prices: [quantity: number, unitPrice: number][]
}

export interface Imported {
  imported: number
  lines: number
}

export interface RealTryton {
  url: string
  reader: { name: string; password: string }
  /** They work for company 2 too, which has one product at `BRANCH`: one sees that alone, the other one both. */
  readersOfBoth: { name: string; password: string }[]
  /** A day of business: receipts, cancellations, deletions, changes. */
  change(): void
  /** As Tryton computes them. */
  figures(): Figures
  /** As somebody imports a file of purchases, and confirms them. */
  importOrders(file: string): Imported
  close(): void
}

export async function startTryton(): Promise<RealTryton> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'restock-tryton-'))
  const port = await freePort()
  const config = path.join(folder, 'trytond.conf')
  const password = path.join(folder, 'password')
  writeFileSync(
    config,
    `[web]\nlisten = localhost:${port}\n[database]\nuri = sqlite://\npath = ${folder}\n`,
  )
  writeFileSync(password, 'admin-4711\n')
  writeFileSync(path.join(folder, `${DATABASE}.sqlite`), '')
  const run = (program: string, args: string[]) => {
    const { status, stdout, stderr } = spawnSync(program, args, {
      encoding: 'utf8',
      env: { ...process.env, TRYTONPASSFILE: password },
      maxBuffer: 256 * 1024 * 1024,
    })
    if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}`)
    return stdout
  }
  const erp = (command: string, ...files: string[]) =>
    run(process.env.PYTHON_TRYTON!, [
      ...['-W', 'ignore', path.join(import.meta.dirname, 'erp.py')],
      ...[command, DATABASE, config, ...files],
    ])
  let server: ChildProcess | null = null
  const close = () => {
    server?.kill()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    run('/usr/bin/trytond-admin', [
      ...['-c', config, '-d', DATABASE, '-u', ...MODULES],
      ...['--activate-dependencies', '--email', 'admin@example.com'],
    ])
    erp('fill')
    server = spawn('/usr/bin/trytond', ['-c', config, '-d', DATABASE], { stdio: 'ignore' })
    const url = `http://localhost:${port}/${DATABASE}`
    await isUp(`http://localhost:${port}/`)
    return {
      ...{ url, reader: { name: 'restock', password: 'only-reads-4711' }, close },
      readersOfBoth: ['restock2', 'restock3'].map((name) => ({
        name,
        password: 'only-reads-4711',
      })),
      change: () => void erp('change'),
      figures: () => JSON.parse(erp('figures')) as Figures,
      importOrders: (file) => JSON.parse(erp('import', file)) as Imported,
    }
  } catch (error) {
    close()
    throw error
  }
}

async function isUp(url: string): Promise<void> {
  for (const end = Date.now() + START_MS; ;) {
    const body = JSON.stringify({ method: 'common.server.version', params: [] })
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(url, { method: 'POST', body, headers }).catch(() => null)
    if (answer?.ok) return
    if (Date.now() > end) throw new Error(`Tryton does not answer at ${url}.`)
    await sleep(200)
  }
}
