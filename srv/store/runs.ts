// A sync's run belongs to the instance that holds the lease on its row in `Syncs`.
import type { Sync } from '#cds-models/restock'
import { acquireLease, INSTANCE, isFree, type Lease, releaseLease, renewLease } from './lease.ts'
import { Syncs } from './entities.ts'

const LEASE_MS = 10_000

/** The run was cancelled or belongs to another instance now: stop and write nothing. */
export class RunStopped extends Error {
  override name = 'RunStopped'
  readonly cancelled: boolean
  constructor(cancelled: boolean) {
    super(cancelled ? 'cancelled' : 'taken over')
    this.cancelled = cancelled
  }
}

const leaseOf = (ID: number): Lease => ({ entity: Syncs, key: { ID }, owner: INSTANCE })
const UNFINISHED = { status: { in: ['queued', 'running'] } }

/** Acquires an unfinished run that no instance works on. Exactly one caller gets it. */
export const acquireRun = (ID: number): Promise<boolean> =>
  acquireLease(leaseOf(ID), LEASE_MS, { where: UNFINISHED, set: { status: 'running' } })

/** Runs that wait for an instance. */
export async function waitingRuns(): Promise<number[]> {
  const rows = await SELECT.from(Syncs)
    .columns('ID')
    .where({ ...UNFINISHED, and: isFree() })
    .orderBy('ID')
  return rows.map((row: { ID: number }) => row.ID)
}

/**
 * Renews the lease and stores further values of the run, in the caller's transaction, so that a page
 * of rows and its progress are committed together.
 * @throws RunStopped
 */
export async function renewRun(ID: number, set: Partial<Sync> = {}) {
  const where = { status: 'running', cancelRequested: false }
  if (await renewLease(leaseOf(ID), LEASE_MS, { where, set })) return
  const row = await SELECT.one.from(Syncs).columns('owner', 'status').where({ ID })
  throw new RunStopped(row?.owner === INSTANCE && row?.status === 'running')
}

/**
 * Stores the progress of a sync's phase, in the caller's transaction; does nothing without a sync.
 * @throws RunStopped when the sync was cancelled
 */
export async function reportProgress(
  sync: number | null,
  phase: string,
  progress: { done: number; total: number; unit: string },
) {
  if (sync !== null) await renewRun(sync, { phase, ...progress })
}

/** Ends the run with its outcome, unless it belongs to somebody else by now. @returns whether it did */
export const endRun = (ID: number, set: Partial<Sync>): Promise<boolean> =>
  releaseLease(leaseOf(ID), { set: { ...set, activeFor: null } })

/** Releases the leases at shutdown, so that the next start resumes the runs at once. */
export async function releaseRuns() {
  await UPDATE.entity(Syncs).set({ leaseUntil: null, owner: null }).where({ owner: INSTANCE })
}
