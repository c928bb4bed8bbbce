import { on } from 'node:events'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { Piscina } from 'piscina'
import type { Connection, Cursor, StoredKeys, StreamCheck } from '../../../../adapters/adapter.ts'
import { ADAPTER_TYPES, adapterOf } from '../../../../adapters/index.ts'
import type { RecordKind } from '../../../../adapters/records.ts'
import {
  answerQuestions,
  type Checked,
  errorOf,
  type FromStream,
  NEXT,
  type PageGroup,
  type Question,
  type ReadStream,
  type SourceRequest,
} from './pages.ts'

const suffix = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
/** One thread reads all sources: storing takes about as long as reading, and is done by one thread too. */
const ONE_THREAD = { minThreads: 0, maxThreads: 1, concurrentTasksPerWorker: 1_000 }
let threads: Piscina | undefined

/** The reading thread. */
export function readingPool(): Piscina {
  threads ??= new Piscina({
    filename: new URL(`./thread.${suffix}`, import.meta.url).href,
    ...ONE_THREAD,
    // The thread ends soon, so that its memory is free before forecasts need theirs.
    idleTimeout: 1_000,
    // It answers requests and timers also between two sources.
    atomics: 'disabled',
    env: process.env,
  })
  return threads
}

export async function closeReading() {
  await threads?.destroy()
  threads = undefined
}

/** Reads a source on the reading thread, for the length of a sync. */
export class SourceReader {
  readonly #port: MessagePort
  readonly #broken = new AbortController()

  constructor(type: string, { credentials, ...connection }: Connection) {
    const { port1, port2: port } = new MessageChannel()
    this.#port = port1
    answerQuestions(port1, (refused?: string) => credentials!.authorization(refused))
    const request: SourceRequest = { type, connection, hasCredentials: Boolean(credentials), port }
    readingPool()
      .run(request, { name: 'readSource', transferList: [port] })
      .catch((reason: unknown) => this.#broken.abort(reason))
  }

  /**
   * The pages of a stream, in groups; one is read while the one before is stored.
   * @throws Fatal | Retriable | the signal's reason once it is aborted
   */
  async *read(
    record: RecordKind,
    since: Cursor | null,
    stored: StoredKeys,
    signal: AbortSignal,
  ): AsyncGenerator<PageGroup> {
    const either = AbortSignal.any([signal, this.#broken.signal])
    either.throwIfAborted()
    const { port1, port2: port } = new MessageChannel()
    answerQuestions(port1, stored)
    const answers = on(port1, 'message', { signal: either, close: ['close'] })
    try {
      this.#port.postMessage({ record, since, port } satisfies ReadStream, [port])
      port1.postMessage(NEXT)
      for await (const [answer] of answers as AsyncIterable<[FromStream | Question]>) {
        either.throwIfAborted()
        if ('question' in answer) continue
        if ('failure' in answer) throw errorOf(answer.failure)
        if ('end' in answer) return
        port1.postMessage(NEXT)
        yield answer.group
      }
      throw new Error('The reading thread has ended.')
    } catch (error) {
      either.throwIfAborted()
      throw error
    } finally {
      port1.close()
    }
  }

  close() {
    this.#port.close()
  }
}

// Sources of files are checked on the reading thread: parsing a few difficult megabytes would block every caller.

/** Has adapters that read files check them on the reading thread. */
export function checkFilesOnThread() {
  for (const type of ADAPTER_TYPES) {
    const adapter = adapterOf(type)!
    if (adapter.readsFiles)
      adapter.check = (connection, signal) => checkOnThread(type, connection, signal)
  }
}

/** @throws Fatal | Retriable | the signal's reason once it is aborted, also while the thread is busy */
async function checkOnThread(
  type: string,
  { credentials, ...connection }: Connection,
  signal: AbortSignal,
): Promise<StreamCheck[]> {
  signal.throwIfAborted()
  const { port1, port2: port } = new MessageChannel()
  answerQuestions(port1, (refused?: string) => credentials!.authorization(refused))
  const request: SourceRequest = { type, connection, hasCredentials: Boolean(credentials), port }
  const checked = readingPool().run(request, { name: 'checkSource', transferList: [port] })
  const aborted = new Promise<never>((_resolve, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
  )
  try {
    const answer = (await Promise.race([checked, aborted])) as Checked
    if ('failure' in answer) throw errorOf(answer.failure)
    return answer.checks
  } finally {
    port1.close()
  }
}
