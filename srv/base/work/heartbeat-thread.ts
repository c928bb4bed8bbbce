// Runs on a thread of its own: renews the leases of its instance until it is ended.
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import pg from 'pg'

export interface HeartbeatOptions {
  config: pg.ClientConfig
  schema: string | null
  /** SQL with the end of the lease and the owner as parameters. */
  beats: string[]
  owner: string
  leaseMs: number
  /** For so long leases are renewed though the service's own thread is silent. */
  patienceMs: number
}

const EVERY_MS = 2_000
/** A database that is away must not be waited for longer: the next try may find it. */
const TIMEOUT_MS = 3_000

const { config, schema, beats, owner, leaseMs, patienceMs } = workerData as HeartbeatOptions
let client: pg.Client | undefined
let lastSeen = Date.now()
parentPort!.on('message', () => (lastSeen = Date.now()))

async function connect(): Promise<pg.Client> {
  const timeouts = { connectionTimeoutMillis: TIMEOUT_MS, query_timeout: TIMEOUT_MS }
  const connected = new pg.Client({ ...config, ...timeouts, keepAlive: true })
  // The next beat finds out and connects again.
  connected.on('error', () => {})
  try {
    await connected.connect()
    if (schema) await connected.query(`SET search_path TO ${pg.escapeIdentifier(schema)}`)
    return connected
  } catch (error) {
    void connected.end().catch(() => {})
    throw error
  }
}

async function beat() {
  if (Date.now() - lastSeen > patienceMs) return
  try {
    client ??= await connect()
    for (const sql of beats) {
      await client.query(sql, [new Date(Date.now() + leaseMs).toISOString(), owner])
    }
  } catch {
    // Whoever works under the lease says what is wrong with the database.
    void client?.end().catch(() => {})
    client = undefined
  }
}

for (;;) {
  await beat()
  await sleep(EVERY_MS)
}
