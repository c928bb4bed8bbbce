// Read-ahead for calls that decide about many proposals: what is read for one is also read for those that follow.
import { AsyncLocalStorage } from 'node:async_hooks'

/** How many proposals are read at a time, so that nothing is read long before it is needed. */
const AT_A_TIME = 50
/** How long a value that was read ahead may be used. */
const KEPT_MS = 1_000

interface Call {
  IDs: readonly number[]
  kept: Map<string, Kept<unknown>>
}

interface Kept<T> {
  until: number
  byProposal: Map<number, T | undefined>
}

const calls = new AsyncLocalStorage<Call>()

/** @param IDs of the proposals that this work decides about, in the order of its decisions */
export const withReadAhead = <T>(IDs: readonly number[], work: () => T): T =>
  calls.run({ IDs, kept: new Map() }, work)

/**
 * Reads what belongs to a proposal, together with the same of the proposals that the call decides next. It is only for what
 * no decision of the call changes.
 * @param name unique in the service
 */
export async function readAhead<T>(
  name: string,
  ID: number,
  read: (IDs: number[]) => Promise<Map<number, T>>,
): Promise<T | undefined> {
  const call = calls.getStore()
  if (!call) return (await read([ID])).get(ID)
  const kept = call.kept.get(name) as Kept<T> | undefined
  if (kept?.byProposal.has(ID) && performance.now() < kept.until) return kept.byProposal.get(ID)
  const first = call.IDs.indexOf(ID)
  const IDs = first < 0 ? [ID] : call.IDs.slice(first, first + AT_A_TIME)
  const until = performance.now() + KEPT_MS
  const found = await read(IDs)
  const byProposal = new Map(IDs.map((each) => [each, found.get(each)]))
  call.kept.set(name, { until, byProposal })
  return found.get(ID)
}
