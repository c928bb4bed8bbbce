// Work outside of the caller's transaction. Tried with @sap/cds 10.1.1, whose `cds.spawn` does all its work in one
// transaction and gives no promise of the result. Needed until it can do without.
import { AsyncLocalStorage } from 'node:async_hooks'
import cds from '@sap/cds'
import { tracedAs } from '../log/trace.ts'

const outside = AsyncLocalStorage.snapshot()

/**
 * Runs long work outside the caller's transaction: each statement commits by itself unless it stands
 * in a `cds.tx`. Otherwise one transaction, and with it SQLite's one connection, would be held to the end.
 * @param id stands in every log line of the work
 * @param trace that of a run which another instance has begun
 */
export function runDetached<T>(id: string, work: () => Promise<T>, trace?: string): Promise<T> {
  const traced = tracedAs(id, work, trace)
  return outside(() => {
    cds.context = {
      id,
      user: new cds.User({ id: 'system', roles: [], attr: { via: 'system' } }),
    } as never
    return traced()
  })
}

/** Whether what goes on is the service's own work, and no caller waits for it. */
export const isOwnWork = () =>
  (cds.context?.user?.attr as { via?: string } | undefined)?.via === 'system'

/** The members of a context that CAP's types do not know: the open transaction, and how it ended. */
interface Present {
  tx?: { _done?: 'committed' | 'rolled back' }
  on?(event: 'succeeded', listener: () => void): void
}

const present = (): Present => (cds.context ?? {}) as Present

/**
 * Runs work in the present transaction, or else in one of its own, as the present user.
 * @throws what the work throws; a transaction of its own is then undone
 */
export function inTransaction<T>(work: () => Promise<T>): Promise<T> {
  const { tx } = present()
  return tx && tx._done !== 'committed' ? work() : cds.tx<T>(work as never)
}

/** Runs work once the present transaction is committed, or at once where there is none; never where it was undone. */
export function afterCommit(work: () => unknown) {
  const context = present()
  if (context.tx && !context.tx._done) context.on!('succeeded', () => void work())
  else if (context.tx?._done !== 'rolled back') void work()
}
