import type { Adapter, Connection, StreamCheck } from '../../../adapters/adapter.ts'

const TIMEOUT_MS = 10_000

/** What the streams of a source without credentials are like; empty where that takes too long to be waited for. */
export async function checkFiles(adapter: Adapter, connection: Connection): Promise<StreamCheck[]> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  return adapter.check(connection, signal).catch((error: unknown) => {
    if (signal.aborted) return []
    throw error
  })
}
