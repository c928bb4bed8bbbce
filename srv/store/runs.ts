// A run belongs to the instance that holds its lease; a run whose lease has expired may be taken over.
import { randomUUID } from 'node:crypto'
import cds from '@sap/cds'

const { SELECT, UPDATE } = cds.ql

const INSTANCE = randomUUID()
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

const leaseEnd = () => new Date(Date.now() + LEASE_MS).toISOString()

/** Takes an unfinished run that nobody works on. Exactly one caller gets it. */
export async function claimRun(ID: number): Promise<boolean> {
  const now = new Date().toISOString()
  return (
    (await UPDATE.entity('restock.Syncs').set({
      owner: INSTANCE,
      leaseUntil: leaseEnd(),
      status: 'running',
    })
      .where`ID = ${ID} and status in ('queued', 'running') and (leaseUntil is null or leaseUntil < ${now})`) ===
    1
  )
}

/** Runs that wait for an instance. */
export async function waitingRuns(): Promise<number[]> {
  const now = new Date().toISOString()
  const rows = await SELECT.from('restock.Syncs').columns('ID')
    .where`status in ('queued', 'running') and (leaseUntil is null or leaseUntil < ${now})`.orderBy(
    'ID',
  )
  return rows.map((row: { ID: number }) => row.ID)
}

/**
 * Renews the lease and stores what else is known of the run, in the caller's transaction: a page
 * of rows and its progress are one.
 * @throws RunStopped
 */
export async function keepRun(ID: number, set: Record<string, unknown> = {}) {
  const kept = await UPDATE.entity('restock.Syncs')
    .set({ leaseUntil: leaseEnd(), ...set })
    .where({ ID, owner: INSTANCE, status: 'running', cancelRequested: false })
  if (kept === 1) return
  const row = await SELECT.one.from('restock.Syncs').columns('owner', 'status').where({ ID })
  throw new RunStopped(row?.owner === INSTANCE && row?.status === 'running')
}

/** Ends the run with its outcome, unless it belongs to somebody else by now. @returns whether it did */
export async function endRun(ID: number, set: Record<string, unknown>): Promise<boolean> {
  const ended = await UPDATE.entity('restock.Syncs')
    .set({ ...set, owner: null, leaseUntil: null, activeFor: null })
    .where({ ID, owner: INSTANCE })
  return ended === 1
}

/** Gives up the lease at shutdown, so that the next start goes on at once. */
export async function releaseRuns() {
  await UPDATE.entity('restock.Syncs')
    .set({ leaseUntil: null, owner: null })
    .where({ owner: INSTANCE })
}
