// A sync's run belongs to the instance that holds the lease on its row in `Syncs`.
import cds from '@sap/cds'
import type { Sync } from '#cds-models/restock'
import { acquireLease, INSTANCE, isFree, type Lease, releaseLease, renewLease } from './lease.ts'
import { Syncs } from './entities.ts'

const { SELECT, UPDATE } = cds.ql

const LEASE_MS = 10_000

/** The run was cancelled, or another instance has taken it over: stop without a trace. */
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

/** Takes an unfinished run that nobody works on. Exactly one caller gets it. */
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
 * Renews the lease and stores what else is known of the run, in the caller's transaction: a page
 * of rows and its progress are one.
 * @throws RunStopped
 */
export async function renewRun(ID: number, set: Partial<Sync> = {}) {
  const where = { status: 'running', cancelRequested: false }
  if (await renewLease(leaseOf(ID), LEASE_MS, { where, set })) return
  const row = await SELECT.one.from(Syncs).columns('owner', 'status').where({ ID })
  throw new RunStopped(row?.owner === INSTANCE && row?.status === 'running')
}

/**
 * Tells how far a phase of a sync is, in the caller's transaction; without a sync nothing happens.
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

/** Gives up the leases at shutdown, so that the next start goes on at once. */
export async function releaseRuns() {
  await UPDATE.entity(Syncs).set({ leaseUntil: null, owner: null }).where({ owner: INSTANCE })
}
