// Work on a source that must not be done twice at once: one caller after the other, on however many instances.
import { setTimeout as sleep } from 'node:timers/promises'
import cds from '@sap/cds'
import { SourceTurns } from '../database/entities.ts'
import {
  acquireLease,
  INSTANCE,
  type Lease,
  LEASE_MS,
  releaseLease,
  renewLease,
  startHeartbeat,
} from './lease.ts'
import { insertIfAbsent } from '../database/rows.ts'
import { inSpan } from '../log/trace.ts'

const LOG = cds.log('sources')
const POLL_MS = 500
const RENEW_MS = 3_000
const RETRY_MS = 1_000
/** Longer than anybody needs who gets on. Then both work at once: their rows decide, and no work is lost. */
const PATIENCE_MS = 15 * 60_000

type Work = 'forecasts' | 'proposals' | 'quality'

/** The last of each line within this instance. */
const last = new Map<string, Promise<unknown>>()
let turns = 0

/**
 * Does the work when all before it on the same source have ended, or their instance has.
 * @throws the signal's reason once it is aborted while others are waited for
 */
export function withSource<T>(
  source: number,
  work: Work,
  does: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const name = `src_${source} ${work}`
  const traced = () => inSpan(work, { 'restock.source': `src_${source}` }, does)
  const mine = (last.get(name) ?? Promise.resolve()).then(() => withTurn(name, traced, signal))
  const settled = mine
    .catch(() => {})
    .finally(() => {
      if (last.get(name) === settled) last.delete(name)
    })
  last.set(name, settled)
  return mine
}

async function withTurn<T>(name: string, does: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  // A file of SQLite belongs to one process.
  if (cds.db.kind === 'sqlite') return does()
  const lease: Lease = { entity: SourceTurns, key: { name }, owner: `${INSTANCE} ${++turns}` }
  try {
    await waitForTurn(lease, name, signal)
  } catch (error) {
    // Where the connection broke the turn may be taken all the same.
    void releaseLater(lease)
    throw error
  }
  startHeartbeat()
  const renewal = setInterval(() => void renewLease(lease, LEASE_MS()).catch(() => {}), RENEW_MS)
  try {
    return await does()
  } finally {
    clearInterval(renewal)
    await releaseLease(lease).catch(() => void releaseLater(lease))
  }
}

async function waitForTurn(lease: Lease, name: string, signal?: AbortSignal) {
  await insertIfAbsent(SourceTurns, { name })
  const end = Date.now() + PATIENCE_MS
  while (!(await acquireLease(lease, LEASE_MS()))) {
    if (Date.now() > end) return LOG.warn(`${name}: goes on beside somebody who does not end`)
    await sleep(POLL_MS, undefined, { signal })
  }
}

/** The database was away: nobody else may wait for a lease that is still renewed. */
async function releaseLater(lease: Lease) {
  for (;;) {
    await sleep(RETRY_MS, undefined, { ref: false })
    const isReleased = await releaseLease(lease).then(
      () => true,
      () => false,
    )
    if (isReleased) return
  }
}
