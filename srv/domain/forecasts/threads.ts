// The threads that calculate: a module's function for each task, whose arguments and answer are copied.
import os from 'node:os'
import { Piscina } from 'piscina'
import {
  type DemandHistory,
  EMPTY_CONTEXT,
  type LocationContext,
  toEpochDay,
} from '../../../engine/index.ts'
import {
  packHistories,
  type PackedHistories,
  transferable,
} from '../../base/database/demand/pack-histories.ts'
import type { Pair, Plans } from './plans.ts'
import type { HistoriesTask } from './worker.ts'

/** A thread's arrays are short-lived, so little room for garbage is enough. */
const RESOURCE_LIMITS = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 256 }
const suffix = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
/** Every thread loads it first, and with it what guards its output. */
const WORKER = new URL(`./worker.${suffix}`, import.meta.url).href

let threads: Piscina | undefined

const pool = () =>
  (threads ??= new Piscina({
    filename: WORKER,
    maxThreads: os.availableParallelism(),
    minThreads: 0,
    idleTimeout: 30_000,
    resourceLimits: RESOURCE_LIMITS,
  }))

interface Work {
  /** The exported function. */
  name: string
  /** The module's address; that of the forecasts where it is left out. */
  module?: string
  /** Histories of the task that are handed over: they are gone here then. */
  handsOver?: PackedHistories
  /** Ends the thread of a task that is not wanted any more, when it is aborted. */
  signal: AbortSignal | undefined
}

/** Has a thread do it. */
export const onThread = <Answer>(
  task: object,
  { name, module = WORKER, handsOver, signal }: Work,
): Promise<Answer> =>
  pool().run(task, {
    name,
    filename: module,
    transferList: handsOver && transferable(handsOver),
    signal,
  })

export async function closePool() {
  await threads?.destroy()
  threads = undefined
}

/** What a thread needs to know of some pairs: their demand, what is planned, and what is learnt of their locations. */
export async function historiesTask(
  asOf: string,
  pairs: readonly (Pair & { history: DemandHistory })[],
  contexts: ReadonlyMap<string, LocationContext>,
  plans: Plans | null,
): Promise<HistoriesTask> {
  const locations = pairs.map(({ location }) => location)
  const contextAt = (location: string) => [location, contexts.get(location) ?? EMPTY_CONTEXT]
  return {
    asOf: toEpochDay(asOf),
    histories: packHistories(pairs.map(({ history }) => history)),
    plans: (await plans?.of(pairs)) ?? null,
    locations,
    contexts: Object.fromEntries(
      [...new Set(locations)].map(contextAt),
    ) as HistoriesTask['contexts'],
  }
}
