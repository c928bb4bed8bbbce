// node bench/start/run.ts [--runs 3] [--busy 0]: see README.md
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { findFreePort } from '../support/environment.ts'

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '3' }, busy: { type: 'string', default: '0' } },
})
const root = path.resolve(import.meta.dirname, '../..')
const folder = mkdtempSync(path.join(os.tmpdir(), 'restock-bench-start-'))
const GIVE_UP_S = 300

async function hasProposal(port: number, keyFile: string): Promise<boolean> {
  try {
    const headers = { Authorization: `Bearer ${readFileSync(keyFile, 'utf8').trim()}` }
    const answer = await fetch(`http://localhost:${port}/v1/proposals?limit=1`, { headers })
    const { data } = (await answer.json()) as { data: unknown[] }
    return data.length > 0
  } catch {
    // It does not serve yet.
    return false
  }
}

/** Seconds from the command on an empty database to the first proposal that `/v1` answers. */
async function start(nth: number): Promise<number> {
  const port = await findFreePort()
  const keyFile = path.join(root, '.restock', `key-${port}`)
  const url = path.join(folder, `${nth}.sqlite`)
  const CDS_CONFIG = JSON.stringify({ requires: { db: { credentials: { url } } } })
  const began = performance.now()
  const service = spawn('npm', ['start'], {
    ...{ cwd: root, stdio: 'ignore', detached: true },
    env: { ...process.env, PORT: String(port), CDS_CONFIG },
  })
  const seconds = () => (performance.now() - began) / 1000
  try {
    while (!(await hasProposal(port, keyFile))) {
      if (seconds() > GIVE_UP_S) throw new Error(`No proposal after ${GIVE_UP_S} s.`)
      await sleep(100)
    }
    return seconds()
  } finally {
    process.kill(-service.pid!, 'SIGTERM')
    rmSync(keyFile, { force: true })
  }
}

const loops = Array.from(
  { length: Number(values.busy) },
  () => new Worker('for (;;);', { eval: true }),
)
try {
  console.log('| seconds | load average after |\n| ------- | ------------------ |')
  for (let nth = 0; nth < Number(values.runs); nth++) {
    const took = await start(nth)
    console.log(`| ${took.toFixed(1)} | ${os.loadavg()[0]!.toFixed(1)} |`)
    await sleep(2_000)
  }
} finally {
  for (const loop of loops) await loop.terminate()
  rmSync(folder, { recursive: true, force: true })
}
