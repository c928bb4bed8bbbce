// Work outside of the caller's transaction. Tried with @sap/cds 10.1.1, whose `cds.spawn` does all its work in one
// transaction and gives no promise of the result. Needed until it can do without.
import { AsyncLocalStorage } from 'node:async_hooks'
import cds from '@sap/cds'

const outside = AsyncLocalStorage.snapshot()

/**
 * Runs long work outside the caller's transaction: each statement commits by itself unless it stands
 * in a `cds.tx`. Otherwise one transaction, and with it SQLite's one connection, would be held to the end.
 * @param id stands in every log line of the work
 */
export function runDetached<T>(id: string, work: () => Promise<T>): Promise<T> {
  return outside(() => {
    cds.context = {
      id,
      user: new cds.User({ id: 'system', roles: [], attr: { via: 'system' } }),
    } as never
    return work()
  })
}
