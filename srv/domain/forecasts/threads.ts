// The threads that calculate: each runs a function of a module; its input and its answer are copied.
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
import { threadsOfInstance } from '../../base/work/steps.ts'
import type { Pair, Plans } from './plans.ts'
import type { HistoriesInput } from './worker.ts'

/** A thread's arrays are short-lived, so little room for garbage is enough. */
const RESOURCE_LIMITS = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 256 }
const suffix = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
/** Every thread loads this module first, which also guards the thread's output. */
const WORKER = new URL(`./worker.${suffix}`, import.meta.url).href

let threads: Piscina | undefined

const pool = () =>
  (threads ??= new Piscina({
    filename: WORKER,
    maxThreads: threadsOfInstance(),
    minThreads: 0,
    idleTimeout: 30_000,
    // Where all cores are busy, calls come before forecasts.
    niceIncrement: 5,
    resourceLimits: RESOURCE_LIMITS,
  }))

interface Work {
  /** The exported function. */
  name: string
  /** The module's address; absent for the forecast worker. */
  module?: string
  /** Histories of the input that move to the thread instead of being copied; the caller loses them. */
  handsOver?: PackedHistories
  /** When it is aborted, the thread ends. */
  signal: AbortSignal | undefined
}

export const onThread = <Answer>(
  input: object,
  { name, module = WORKER, handsOver, signal }: Work,
): Promise<Answer> =>
  pool().run(input, {
    name,
    filename: module,
    transferList: handsOver && transferable(handsOver),
    signal,
  })

export async function closePool() {
  await threads?.destroy()
  threads = undefined
}

/** The input of a thread about some pairs: their demand, the planned events, and what is learnt of their locations. */
export async function historiesInput(
  asOf: string,
  pairs: readonly (Pair & { history: DemandHistory })[],
  contexts: ReadonlyMap<string, LocationContext>,
  plans: Plans | null,
): Promise<HistoriesInput> {
  const locations = pairs.map(({ location }) => location)
  const contextAt = (location: string) => [location, contexts.get(location) ?? EMPTY_CONTEXT]
  return {
    asOf: toEpochDay(asOf),
    histories: packHistories(pairs.map(({ history }) => history)),
    plans: (await plans?.of(pairs)) ?? null,
    locations,
    contexts: Object.fromEntries(
      [...new Set(locations)].map(contextAt),
    ) as HistoriesInput['contexts'],
  }
}
