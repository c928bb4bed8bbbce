// A step of a run is a kind of chunks, which any instance may do: what calculates one, and what all of a run share.
import os from 'node:os'
import cds from '@sap/cds'
import { LRUCache } from 'lru-cache'
import { inSpan } from '../log/trace.ts'
import { settings } from '../settings/config.ts'
import { isUniqueViolation, type Turn } from './runs.ts'

/** The threads of this instance that calculate. */
export const threadsOfInstance = () => settings().threads ?? os.availableParallelism()

/** While threads calculate some chunks, another one is loaded or saved. */
export const atOnce = () => threadsOfInstance() + 1

/** For whom chunks are done. Those that no sync asks for are done by this process. */
export interface Of {
  source: number
  sync: number | null
}

export interface ChunkContext extends Of {
  /** Aborted when the process must stop with the chunk. */
  signal: AbortSignal | undefined
  /** Makes once what all chunks of a run need that this instance does. */
  share<T>(name: string, make: () => Promise<T>): Promise<T>
}

interface Saved<Result> {
  /** Plain JSON. */
  result: Result
  /** Whether a later attempt of the run does not do this chunk again. */
  isAdvance: boolean
}

/** Calculates a chunk, and gives what saves it, in the transaction that notes it as done. */
type Work<Input, Result> = (
  input: Input,
  context: ChunkContext,
) => Promise<() => Promise<Saved<Result>>>

/** A kind of chunks, known to all instances by its name. */
export interface Step<Input, Result> {
  name: string
  /** Whether threads calculate it, so that the service's own thread can load and save other chunks meanwhile. */
  isOnThreads: boolean
  work: Work<Input, Result>
}

const steps = new Map<string, Step<never, unknown>>()

/** @param step its inputs are plain JSON, since another instance may do them */
export function defineStep<Input, Result>(step: Step<Input, Result>): Step<Input, Result> {
  steps.set(step.name, step)
  return step
}

/** The step of that name, which another instance has handed out a chunk of. */
export const stepNamed = (name: string) => steps.get(name)

export interface Chunk<Input> {
  input: Input
  /** What it adds to the progress of the run's phase. */
  units: number
}

/** How often a chunk is tried, since somebody else may write the same rows at the same time. */
const TRIES = 3

export const doChunk = <Input, Result>(
  step: Step<Input, Result>,
  input: Input,
  context: ChunkContext,
  note: (saved: Saved<Result>) => Promise<void>,
): Promise<Result> =>
  inSpan(step.name, { 'restock.source': `src_${context.source}` }, async () => {
    for (let attempt = 1; ; attempt++) {
      const save = await step.work(input, context)
      try {
        return await cds.tx(async () => {
          const saved = await save()
          await note(saved)
          return saved.result
        })
      } catch (error) {
        if (attempt === TRIES || !isConflict(error)) throw error
      }
    }
  })

/** Deadlocks, and two that made the same row at once, such as the open proposal of a pair. */
function isConflict(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return code === '40P01' || code === '40001' || isUniqueViolation(error)
}

export const keyOf = ({ sync, turn }: Turn) => `sync_${sync} ${turn}`

export const contextOf = (
  { source, sync }: Of,
  key: string,
  signal: AbortSignal | undefined,
): ChunkContext => ({
  ...{ source, sync, signal },
  share: (name, make) => share(`${key} src_${source} ${name}`, make),
})

/** For so long it is kept after its last use. */
const SHARED_MS = 60_000
const shared = new LRUCache<string, Promise<unknown>>({
  ...{ max: 20, ttl: SHARED_MS, updateAgeOnGet: true, ttlAutopurge: true },
})

function share<T>(key: string, make: () => Promise<T>): Promise<T> {
  const known = shared.get(key) as Promise<T> | undefined
  if (known) return known
  const made = make()
  shared.set(key, made)
  made.catch(() => shared.delete(key))
  return made
}
