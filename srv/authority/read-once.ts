// For one call about many proposals: what is the same for all of them is read once.
import { AsyncLocalStorage } from 'node:async_hooks'

const kept = new AsyncLocalStorage<Map<string, Promise<unknown>>>()

/** What `once` reads during this work, by the present user, is kept until it ends. */
export const readingOnce = <T>(work: () => T): T => kept.run(new Map(), work)

/** @param name unique within the folder */
export function once<T>(name: string, read: () => Promise<T>): Promise<T> {
  const found = kept.getStore()
  if (!found) return read()
  const known = found.get(name) as Promise<T> | undefined
  if (known) return known
  const reading = read()
  found.set(name, reading)
  // What failed is read again.
  reading.catch(() => found.delete(name))
  return reading
}
