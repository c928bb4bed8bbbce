// A row belongs to whoever holds its lease. A lease that has ended may be acquired by anybody, so that work goes on
// after the death of the instance that held it.
import { randomUUID } from 'node:crypto'
import cds from '@sap/cds'

/** Stands for this process as an owner. */
export const INSTANCE = randomUUID()

/**
 * How long the lease of work lasts that goes on for longer. On PostgreSQL a thread renews it (srv/base/work/heartbeat.ts) that no work
 * holds up. Elsewhere the process itself does, so that it lasts longer than calculations hold that up; a SQLite file has
 * one process, whose next start waits for nobody.
 */
export const LEASE_MS = () => (cds.db.kind === 'postgres' ? 10_000 : 30_000)

/** The right to change one row with the elements `owner` and `leaseUntil`. */
export interface Lease {
  entity: string
  key: object
  owner: string
}

interface Change {
  /** What else must be true of the row. */
  where?: object
  /** What else changes with it. */
  set?: object
}

/** When a lease ends that begins now. */
export const leaseEnd = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString()

/** The condition of rows that nobody holds. */
export const isFree = () => ({
  leaseUntil: null,
  or: { leaseUntil: { '<': new Date().toISOString() } },
})

/** Takes a row that nobody holds. @returns whether the caller is the one that got it */
export async function acquireLease(
  { entity, key, owner }: Lease,
  milliseconds: number,
  { where, set }: Change = {},
) {
  const acquired: unknown = await UPDATE.entity(entity)
    .set({ ...set, owner, leaseUntil: leaseEnd(milliseconds) })
    .where({ ...key, ...where, and: isFree() })
  return acquired === 1
}

/** Keeps the row, in the caller's transaction. @returns whether it is still the caller's */
export async function renewLease(
  { entity, key, owner }: Lease,
  milliseconds: number,
  { where, set }: Change = {},
) {
  const renewed: unknown = await UPDATE.entity(entity)
    .set({ ...set, leaseUntil: leaseEnd(milliseconds) })
    .where({ ...key, ...where, owner })
  return renewed === 1
}

/** Gives the row back. @returns whether it was still the caller's; else nothing changes */
export async function releaseLease({ entity, key, owner }: Lease, { where, set }: Change = {}) {
  const released: unknown = await UPDATE.entity(entity)
    .set({ ...set, owner: null, leaseUntil: null })
    .where({ ...key, ...where, owner })
  return released === 1
}
