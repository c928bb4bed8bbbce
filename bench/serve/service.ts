// Starts each measured service in its own process.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from '../support/environment.ts'
import { newDatabase } from './databases.ts'

const OURS = path.resolve(import.meta.dirname, '../..')

export interface Service {
  url: string
  /** Headers that each call needs. */
  headers: Record<string, string>
  stop(): Promise<void>
}

/** Calls the service; tries again if the server has closed the kept-alive connection. */
export const ask: typeof fetch = (...call) => fetch(...call).catch(() => fetch(...call))

async function stop(child: ChildProcess) {
  if (child.exitCode !== null) return
  child.kill()
  await once(child, 'exit')
}

/** The bare server. */
export async function startBare(answer: object): Promise<Service> {
  const script = path.join(import.meta.dirname, 'bare.ts')
  const child = fork(script, [JSON.stringify(answer)])
  const [port] = (await once(child, 'message')) as [number]
  return { url: `http://localhost:${port}`, headers: {}, stop: () => stop(child) }
}

export interface Restock extends Service {
  /** Memory of the process, bytes. */
  memory(): Promise<number>
  /** Environment for scripts that work on its database. */
  env: Record<string, string>
}

/**
 * Starts Restock with its demo in a temporary database and waits until all forecasts and proposals exist.
 * @param further more environment variables; @param root of another checkout
 */
export async function startRestock(
  further: Record<string, string> = {},
  root = OURS,
): Promise<Restock> {
  const { env, remove } = await newDatabase()
  const port = await findFreePort()
  const child = fork(path.join(root, 'node_modules/@sap/cds/bin/serve.js'), [], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      ...process.env,
      PORT: String(port),
      CDS_TYPESCRIPT: 'true',
      RESTOCK_RATE_LIMIT: 'off',
      ...env,
      ...further,
    },
  })
  const keyFile = path.join(root, '.restock', `key-${port}`)
  const end = async () => {
    await stop(child)
    await remove()
    await rm(keyFile, { force: true })
  }
  try {
    const headers = { Authorization: `Bearer ${await readKey(keyFile, child)}` }
    const url = `http://localhost:${port}/v1`
    await waitUntilSynced(url, headers)
    return { url, headers, stop: end, memory: () => memoryOf(child.pid!), env }
  } catch (error) {
    await end()
    throw error
  }
}

/** Resident memory of a process, bytes (Linux). */
async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return 1024 * Number(/VmRSS:\s+(\d+)/.exec(status)![1])
}

async function readKey(file: string, child: ChildProcess) {
  while (child.exitCode === null) {
    const key = await readFile(file, 'utf8').catch(() => null)
    if (key) return key.trim()
    await sleep(200)
  }
  throw new Error('The service did not start.')
}

async function waitUntilSynced(url: string, headers: Record<string, string>) {
  for (;;) {
    const response = await ask(`${url}/sources`, { headers })
    const { data } = (await response.json()) as { data: { last_sync?: { status: string } }[] }
    const status = data[0]?.last_sync?.status ?? ''
    if (status === 'succeeded') return
    if (['failed', 'partial', 'cancelled'].includes(status))
      throw new Error(`The sync is ${status}.`)
    await sleep(500)
  }
}
